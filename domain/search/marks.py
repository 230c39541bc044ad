"""What the ranking needs to know of a text beside its terms, as bits that are stored with it."""

import re
from enum import IntFlag

from backstory.domain.search.terms import READ


class Mark(IntFlag):
    """Each a bit. Their values are stored: one that is given up is not used again."""

    QUESTION = 1
    """The text ends with a question."""
    TIME = 2
    """It has a date, a month, a weekday or a word such as "yesterday"."""
    NAME = 4
    """It has a capitalised word within a sentence."""
    NOTE = 8
    """A program wrote it, whatever role it has."""


_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last (?:night|week|weekend|month|year|summer|fall|autumn|winter|spring)"
    r"|next (?:week|weekend|month|year|summer|fall|autumn|winter|spring)|this (?:morning|week|weekend|month|year)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october"
    r"|november|december|(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}(?:st|nd|rd|th)|weekend|(?:days?|weeks?|months?|years?))\b",
    re.IGNORECASE,
)
CAPITALISED = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+")
"""A word that is capitalised within a sentence."""


def marks(text: str, *, note: bool = False) -> Mark:
    """The marks of a text, which may be a program's `note`."""
    text = text[:READ]
    found = Mark.NOTE if note else Mark(0)
    if text.rstrip(" \t\r\n\"'”’)*_")[-1:] in ("?", "？"):
        found |= Mark.QUESTION
    for mark, expression in ((Mark.TIME, _TIME), (Mark.NAME, CAPITALISED)):
        if expression.search(text):
            found |= mark
    return found
