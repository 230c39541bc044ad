"""Snippets: the part of a text that shows why it was found."""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import NamedTuple

from backstory.domain.search.terms import READ, terms

LONGEST = 240
"""Characters of a snippet: two or three lines of a terminal."""
BEFORE = 60
"""Characters before the first hit, at most."""

_WORD = re.compile(r"\w+")


class _Span(NamedTuple):
    start: int
    end: int
    terms: frozenset[str]


class Snippet(NamedTuple):
    """A part of a text on one line, and where in it the query's words stand: from a character up to another."""

    text: str
    marks: tuple[tuple[int, int], ...]


def snippet(text: str, wanted: Collection[str], longest: int = LONGEST) -> Snippet:
    """The part of a text in which most of the terms stand, else its beginning. "…" stands for what is left out."""
    text = " ".join(text[:READ].split())
    spans = _spans(text, frozenset(wanted))
    best = max(spans, key=lambda span: _kinds(spans, span.start, span.start + longest - BEFORE), default=None)
    first = 0
    if best is not None and len(text) > longest:
        first = _word_start(text, max(0, best.start - BEFORE))
    last = _word_end(text, first + longest)
    head, tail = "… " if first else "", " …" if last < len(text) else ""
    marks = tuple(
        (begin - first + len(head), end - first + len(head))
        for begin, end, _ in spans
        if first <= begin and end <= last
    )
    return Snippet(head + text[first:last] + tail, marks)


def _spans(text: str, wanted: frozenset[str]) -> list[_Span]:
    """The words that one of the terms stands for, and these terms."""
    forms = {word: wanted.intersection(terms(word)) for word in set(_WORD.findall(text))}
    return [
        _Span(word.start(), word.end(), found)
        for word in _WORD.finditer(text)
        if (found := forms[word.group()])
    ]


def _kinds(spans: Sequence[_Span], first: int, last: int) -> int:
    """How many of the terms stand in a part of the text."""
    near = spans[bisect_left(spans, first, key=_start) : bisect_left(spans, last, key=_start)]
    return len(frozenset[str]().union(*(span.terms for span in near)))


_start = attrgetter("start")


def _word_start(text: str, at: int) -> int:
    """The beginning of the next word, unless that is far."""
    blank = text.find(" ", at, at + 30) if at else -1
    return blank + 1 if blank >= 0 else at


def _word_end(text: str, at: int) -> int:
    if at >= len(text):
        return len(text)
    blank = text.rfind(" ", at - 30, at + 1)
    return blank if blank >= 0 else at
