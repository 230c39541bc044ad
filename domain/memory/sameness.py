"""Whether two memories say the same, or the opposite."""

from typing import Literal

from backstory.domain.summaries.lines import content_words
from backstory.domain.text.words import word_set, words

_ALIKE = 0.8
"""Two texts that share this much of their words say the same."""
_POLES = word_set(
    "not no never without dont doesnt didnt cannot cant avoid stop isnt arent wont neither nor always"
)
_REFUSALS = _POLES - {"always"}


def compared(one: str, other: str) -> Literal["same", "opposite"] | None:
    """`same` where two texts say the same in about the same words, `opposite` where one refuses what the other says.
    "12 tests pass" and "40 tests pass" are two things."""
    if _plain(one) == _plain(other):
        return "same"
    first, second = _about(one), _about(other)
    together = first | second
    if not together or any(word.isdigit() for word in first ^ second):
        return None
    if len(first & second) < _ALIKE * len(together):
        return None
    return "same" if _refuses(one) == _refuses(other) else "opposite"


def _plain(text: str) -> str:
    return " ".join(words(text))


def _about(text: str) -> frozenset[str]:
    return content_words(" ".join(word for word in _told(text) if word not in _POLES))


def _refuses(text: str) -> bool:
    return sum(word in _REFUSALS for word in _told(text)) % 2 == 1


def _told(text: str) -> list[str]:
    return words(text.replace("n't", "nt").replace("n’t", "nt"))
