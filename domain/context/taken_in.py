"""Text that Backstory itself has put into a prompt, where it comes back in a message: in an imported transcript, or in
what somebody pasted."""

import re

from backstory.domain.context.layout import MEMORY_CLOSES, MEMORY_HEADING, MEMORY_OPENS

_OPENS = rf"{re.escape(MEMORY_OPENS)}\s*{re.escape(MEMORY_HEADING.splitlines()[0])}"
# A block that was cut off has no end: then all that follows is taken for it.
_SHOWN = re.compile(rf"{_OPENS}.*?(?:{re.escape(MEMORY_CLOSES)}|\Z)", re.DOTALL)


def without_shown(text: str) -> str:
    """The text without the memories that a prompt has shown: they are known, and no news from whoever repeats them."""
    return _SHOWN.sub("", text) if MEMORY_OPENS in text else text
