"""What the words of a message say about its weight.

Asked at every write, so most messages must cost little: one pass over the words rules out nearly everything, and
only what it cannot rule out is looked at closely.
"""

import re
from typing import NamedTuple

from backstory.domain.decisions.cue_patterns import CUE_WORDS
from backstory.domain.decisions.cues import may_hold_a_decision
from backstory.domain.decisions.noticing import decides
from backstory.domain.decisions.remembering import WISH_WORDS, wishes
from backstory.domain.entities.words import FILE_ENDINGS, SHAKY_ENDINGS, word_set
from backstory.domain.text.prose import READ, own_words, words

_TROUBLE_WORDS = word_set(
    """error errors warning warnings exception exceptions traceback failed fails failure failures failing crash
    crashed crashes fatal panic panics segfault oomkilled"""
)
_KNOWN_WORDS = CUE_WORDS | WISH_WORDS | _TROUBLE_WORDS
_TROUBLE = re.compile(
    r"(?:error|warning|exception|traceback|fail(?:ed|s|ure|ing)|crash|fatal|panic|segfault|oomkilled)"
)
_NO_TROUBLE = re.compile(r"(?:\b(?:no|0|zero|without|without any|nothing|none|any|never)(?: \w{1,20})?) $")
_FILE = re.compile(r"\.(?:" + "|".join(sorted(FILE_ENDINGS - SHAKY_ENDINGS)) + r")(?![\w(])")
_NAME = re.compile(r"[a-z0-9]_[a-z0-9]")


class Signals(NamedTuple):
    """What a message contains."""

    decision: bool
    code: bool
    """A name of a file or a function, or code itself."""
    remember: bool
    trouble: bool
    """An error or a warning."""


def signals(text: str, role: str) -> Signals:
    """What a message of this role contains. Only users ask to remember; only users and agents decide."""
    text = text[:READ]
    own = own_words(text)
    known = _KNOWN_WORDS.intersection(words(own))
    return Signals(
        decision=may_hold_a_decision(own, role, known) and decides(text, own, role),
        code=_mentions_code(text),
        remember=role == "user" and not known.isdisjoint(WISH_WORDS) and wishes(own),
        trouble=(not known.isdisjoint(_TROUBLE_WORDS) or "error" in own or "exception" in own)
        and _troubled(own),
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
