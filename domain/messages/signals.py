"""Signals in a message's text that raise its importance."""

import re
from typing import NamedTuple

from backstory.domain.decisions.memory_requests import wishes
from backstory.domain.decisions.statements import decides
from backstory.domain.entities.words import FILE_ENDINGS, SHAKY_ENDINGS
from backstory.domain.text.markdown import READ, own_words

_TROUBLE = re.compile(
    r"(?:error|warning|exception|traceback|fail(?:ed|s|ure|ing)|crash|fatal|panic|segfault|oomkilled)"
)
_NO_TROUBLE = re.compile(r"(?:\b(?:no|0|zero|without|without any|nothing|none|any|never)(?: \w{1,20})?) $")
_FILE = re.compile(r"\.(?:" + "|".join(sorted(FILE_ENDINGS - SHAKY_ENDINGS)) + r")(?![\w(])")
_NAME = re.compile(r"[a-z0-9]_[a-z0-9]")


class Signals(NamedTuple):
    """The signals of one message."""

    decision: bool
    code: bool
    """A name of a file or a function, or code itself."""
    remember: bool
    trouble: bool
    """An error or a warning."""


def signals(text: str, role: str) -> Signals:
    """The signals in a message of this role. Only users ask to remember; only users and agents decide."""
    text = text[:READ]
    own = own_words(text)
    return Signals(
        decision=decides(text, own, role),
        code=_mentions_code(text),
        remember=role == "user" and wishes(own),
        trouble=_troubled(own),
    )


def _mentions_code(text: str) -> bool:
    if "`" in text or "()" in text:
        return True
    return ("_" in text and _NAME.search(text) is not None) or _FILE.search(text) is not None


def _troubled(own: str) -> bool:
    """ "No errors" is not trouble."""
    return any(
        _NO_TROUBLE.search(own, max(0, found.start() - 30), found.start()) is None
        for found in _TROUBLE.finditer(own)
    )
