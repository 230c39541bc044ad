"""A text as words with what is known about each."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from backstory.domain.entities.words import FUNCTION_WORDS, HEADS, SHOUTED, VERBS, WEAK_WORDS

_WORD = re.compile(r"([A-Za-z][A-Za-z0-9'’-]{0,40}(?<!['’-]))")
_ACRONYM = re.compile(r"[A-Z]{2,5}\d?s?")


class WordTags(NamedTuple):
    """The tags of one word, whatever stands around it."""

    spoken: str
    """In lower case, so that a term is one term at the beginning of a sentence too; acronyms as they are."""
    noun: str | None
    """In lower case; None for a word that may be a verb."""
    content: bool
    """Whether it may be part of a noun phrase."""
    head: bool
    """Whether a noun phrase may end with it."""
    acronym: bool
    titled: bool
    """Whether it begins with a capital and has small letters too."""


class TaggedWords:
    """The words of a text, the gaps before, between and after them, and the tags of each word, all by place."""

    def __init__(self, text: str) -> None:
        parts = _WORD.split(text)
        self.text = text
        self.words: Sequence[str] = parts[1::2]
        self.starts: Sequence[int] = list(accumulate(map(len, parts)))[:-1:2]
        self.gaps: Sequence[str] = parts[::2]
        """One more than there are words."""
        tags = [tags_of(word) for word in self.words]
        self.spoken = tuple(tag.spoken for tag in tags)
        self.noun = tuple(tag.noun for tag in tags)
        self.content = tuple(tag.content for tag in tags)
        self.head = tuple(tag.head for tag in tags)
        self.acronym = tuple(tag.acronym for tag in tags)
        self.titled = tuple(tag.titled for tag in tags)

    def end(self, place: int) -> int:
        """The place in the text where a word ends."""
        return self.starts[place] + len(self.words[place])


@lru_cache(maxsize=8192)
def tags_of(word: str) -> WordTags:
    """The tags of a word as `TaggedWords` has it."""
    lower = word.lower()
    acronym = word[:2].isupper() and _ACRONYM.fullmatch(word) is not None and word not in SHOUTED
    return WordTags(
        spoken=word if acronym else lower,
        noun=None if lower in VERBS else lower,
        content=acronym or _is_content(lower),
        head=_is_head(lower),
        acronym=acronym,
        titled=word[0].isupper() and not word.isupper(),
    )


def _is_content(lower: str) -> bool:
    return (
        len(lower) > 2
        and lower not in FUNCTION_WORDS
        and lower not in WEAK_WORDS
        and "'" not in lower
        and "’" not in lower
        and not lower.endswith("ly")
    )


def _is_head(lower: str) -> bool:
    if lower in HEADS:
        return True
    return lower.endswith("s") and (
        lower[:-1] in HEADS or lower[:-2] in HEADS or (lower.endswith("ies") and lower[:-3] + "y" in HEADS)
    )
