"""Text that Backstory itself has put into a prompt, where it comes back in a message: in an imported transcript, or in
what somebody pasted."""

import re

from backstory.domain.context.layout import MEMORY_CLOSES, MEMORY_HEADING, MEMORY_OPENS

_OPENS = rf"{re.escape(MEMORY_OPENS)}\s*{re.escape(MEMORY_HEADING.splitlines()[0])}"
# A block that was cut off has no end: then all that follows is taken for it.
_SHOWN = re.compile(rf"{_OPENS}.*?(?:{re.escape(MEMORY_CLOSES)}|\Z)", re.DOTALL)
_RECAP = "<backstory-recap "
_RECAPS = re.compile(rf"{_RECAP}(\w{{8}})>.*?(?:</backstory-recap \1>|\Z)", re.DOTALL)


def recap_opens(mark: str) -> str:
    """The line before a recap that is given to an agent. The mark is random, so that no text in it can end it."""
    return f"{_RECAP}{mark}>"


def recap_closes(mark: str) -> str:
    """The line after a recap."""
    return f"</backstory-recap {mark}>"


def without_shown(text: str) -> str:
    """The text without the memories and recaps that a prompt has shown: they are known, and no news from whoever
    repeats them."""
    text = _SHOWN.sub("", text) if MEMORY_OPENS in text else text
    return _RECAPS.sub("", text) if _RECAP in text else text
