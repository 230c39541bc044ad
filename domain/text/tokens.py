"""A text taken apart once, for all that look at its words: the words, what stands between them, and what is known
about each.

Nearly every word of a text names nothing, whatever stands around it. What a word is by itself is therefore kept, and
a whole text is looked up in a few steps, none of which is taken word by word here.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, compress
from operator import itemgetter, not_
from typing import Any, NamedTuple

from backstory.domain.entities.lexicon import CAPITALISED, FIRST_WORDS, TECHNOLOGIES
from backstory.domain.entities.words import (
    ERRNO,
    FILE_NAMES,
    FUNCTION_WORDS,
    HEADS,
    OTHER_ERRORS,
    SHOUTED,
    SIGNALS,
    VERBS,
    WEAK_WORDS,
    word_set,
)

DEFINING = word_set("def function func fn class struct interface trait enum protocol")
"""Words that make a name of the plain word after them."""
OPENING = word_set("a an answers code error gets got returned returning returns status throws with")
"""Words that make the code of an error of a number after them, maybe with others of them in between."""
_MOST_OPENING = 4

_WORD = re.compile(r"([A-Za-z][A-Za-z0-9'’-]{0,40}(?<!['’-]))")
_ACRONYM = re.compile(r"[A-Z]{2,5}\d?s?")
_APOSTROPHE = re.compile(r"['’]")
_LONGEST_PLAIN = 40
_NAMING = DEFINING.union(TECHNOLOGIES, CAPITALISED, FIRST_WORDS, FILE_NAMES, ERRNO, SIGNALS, OTHER_ERRORS)
_CLOSING = ("", ".", ",", ";", ":", "!", "?", ")", '"', "'", "”", "**", "...", ").", "),", '".', '",', '."', ',"',
            ":**")  # fmt: skip
_BLANK = (" ", "\n", "\n\n", "  ", "    ", "\t", "\n  ", "\n    ", "\r\n", " - ", " – ", " — ", "\n- ", "\n* ", "\n# ",
          "\n## ", "\n### ", *(f"\n{count}. " for count in range(1, 10)), *(f" {count} " for count in range(100)),
)  # fmt: skip
_QUIET = frozenset(
    closing + blank + opening
    for closing in _CLOSING
    for blank in _BLANK
    for opening in ("", "(", '"', "'", "“", "**")
)
"""What stands between two words without being part of a name together with either."""


class WordInfo(NamedTuple):
    """What is known about a word by itself."""

    spoken: str
    """In lower case, so that a term is one term at the beginning of a sentence too; acronyms as they are."""
    noun: str | None
    """In lower case; None for what may be a verb."""
    content: bool
    """May it be part of a noun phrase?"""
    head: bool
    """May a noun phrase end with it?"""
    acronym: bool
    titled: bool
    """Does it begin with a capital, and not only consist of them?"""
    silent: bool
    """With blanks and common marks around, does it name nothing?"""


_is_silent_word = itemgetter(WordInfo._fields.index("silent"))


class Tokens:
    """A text as words with gaps before, between and after them. What is known about the words is by their places."""

    __slots__ = ("_known", "acronym", "content", "gaps", "head", "noun", "quiet", "silent", "spoken", "starts", "text",
                 "titled", "words")  # fmt: skip
    spoken: tuple[str, ...]
    noun: tuple[str | None, ...]
    content: tuple[bool, ...]
    head: tuple[bool, ...]
    acronym: tuple[bool, ...]
    titled: tuple[bool, ...]
    silent: tuple[bool, ...]

    def __init__(self, text: str) -> None:
        parts = _WORD.split(text)
        self.text = text
        self.words: Sequence[str] = parts[1::2]
        self.starts: Sequence[int] = list(accumulate(map(len, parts)))[:-1:2]
        self.gaps: Sequence[str] = parts[::2]
        """One more than there are words."""
        self.quiet = list(map(_QUIET.__contains__, self.gaps))
        """Of each gap: is it no part of a name, and does it make no name of the words around it?"""
        self.quiet[0] = "\n" + self.gaps[0] in _QUIET
        self.quiet[-1] = self.gaps[-1] + "\n" in _QUIET
        self._known = tuple(map(_known.__getitem__, self.words))
        self.silent = tuple(map(_is_silent_word, self._known))

    def __getattr__(self, name: str) -> Any:
        """The other fields of WordInfo, when the first of them is asked for: names are found without them."""
        if name not in WordInfo._fields:
            raise AttributeError(name)
        columns = zip(*self._known, strict=True) if self._known else ((),) * len(WordInfo._fields)
        for field, column in zip(WordInfo._fields, columns, strict=True):
            setattr(self, field, column)
        return getattr(self, name)

    def end(self, place: int) -> int:
        """Where a word ends."""
        return self.starts[place] + len(self.words[place])

    def loud(self) -> Iterator[tuple[int, int]]:
        """The parts of the text that may name something, from left to right: all but silent words between quiet
        gaps."""
        if not self.words:
            yield 0, len(self.text)
            return
        named = compress(range(len(self.words)), map(not_, self.silent))
        first = last = -1
        for place in sorted(self.unquiet().union(named)):
            if place > last + 1 and first >= 0:
                yield self._part(first, last)
                first = -1
            first, last = place if first < 0 else first, place
        if first >= 0:
            yield self._part(first, last)

    def unquiet(self) -> set[int]:
        """The places of words with a gap before or after them that may be part of a name together with them."""
        loud = list(compress(range(len(self.gaps)), map(not_, self.quiet)))
        last = len(self.words) - 1
        return {place for gap in loud for place in (gap - 1, gap) if 0 <= place <= last}

    def _part(self, first: int, last: int) -> tuple[int, int]:
        end = len(self.text) if last == len(self.words) - 1 else self.end(last)
        earliest = max(0, first - _MOST_OPENING)
        while first > earliest and {self.words[first - 1], self.words[first]} <= OPENING:
            first -= 1
        return self.starts[first] if first else 0, end


class _Words(dict[str, WordInfo]):
    """What is known about the words that were met lately. A cache that remembers which was asked for last would write
    to memory at every word."""

    def __missing__(self, word: str) -> WordInfo:
        if len(self) >= 8192:
            self.clear()
        found = self[word] = known(word)
        return found


_known = _Words()


def known(word: str) -> WordInfo:
    """What is known about a word as `Tokens` has it."""
    lower = word.lower()
    acronym = word[:2].isupper() and _ACRONYM.fullmatch(word) is not None and word not in SHOUTED
    return WordInfo(
        spoken=word if acronym else lower,
        noun=None if lower in VERBS else lower,
        content=acronym or _is_content(lower),
        head=_is_head(lower),
        acronym=acronym,
        titled=word[0].isupper() and not word.isupper(),
        silent=all(map(_is_silent, _APOSTROPHE.split(word))),
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


def _is_silent(part: str) -> bool:
    """Is it "the", "The", "THE" or "so-called", and no list knows it? Words of other forms may be names."""
    return not _may_name(part.strip("-")) and all(
        len(piece) <= _LONGEST_PLAIN and not _may_name(piece) and _is_plain(piece)
        for piece in part.split("-")
    )


def _may_name(word: str) -> bool:
    return word in _NAMING or word.lower() in _NAMING


def _is_plain(piece: str) -> bool:
    return piece == "" or (piece.isalpha() and (piece.isupper() or piece[1:] == piece[1:].lower()))
