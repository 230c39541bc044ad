"""The words of a text, and lists of words."""

import re

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Scripts written without blanks, where a run of letters is a clause rather than a word."""

_WORD = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+")
# Nearly every text is ASCII, and this takes a fraction of the time.
_ASCII_WORD = re.compile(r"[a-z0-9]+")


def words(text: str) -> list[str]:
    """The words of a text in lower case. An apostrophe parts two: "let's" is "let" and "s"."""
    folded = text.casefold()
    return (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)


def word_set(listed: str) -> frozenset[str]:
    """The words of a list that is written with blanks between them."""
    return frozenset(listed.split())
