"""Snippets: the part of a text that shows why it was found."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from backstory.domain.search.passages import LABEL, Passage
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
    return snippet_of([Passage(text)], wanted, longest)


def snippet_of(passages: Sequence[Passage], wanted: Collection[str], longest: int = LONGEST) -> Snippet:
    """The same of an item's passages. What is from within a call or its result comes after the call's label."""
    text, places = _joined(passages)
    wanted = frozenset(wanted)
    spans = _spans(text, wanted)
    labelled = {place: _terms_of(_spans(place.label or "", wanted)) for place in places}

    def kinds(span: _Span) -> int:
        """How many of the terms are shown when the part begins here."""
        first, last = span.start, span.start + longest - BEFORE
        near = spans[bisect_left(spans, first, key=_start) : bisect_left(spans, last, key=_start)]
        return len(_terms_of(near) | labelled[_place_of(span, places)])

    best = max(spans, key=kinds, default=None)
    first, label = 0, ""
    if best is not None and len(text) > longest:
        first, place = _word_start(text, max(0, best.start - BEFORE)), _place_of(best, places)
        if place.label and place.labelled < first:
            near = place.labelled == place.start >= first - LABEL
            label, first = ("", place.start) if near else (place.label, max(first, place.start))
    last = _word_end(text, first + longest - len(label))
    head = "… " if first and first not in {place.start for place in places} else ""
    head, tail = f"{label} {head}" if label else head, " …" if last < len(text) else ""
    marks = (
        *((begin, end) for begin, end, _ in _spans(label, wanted)),
        *(
            (begin - first + len(head), end - first + len(head))
            for begin, end, _ in spans
            if first <= begin and end <= last
        ),
    )
    return Snippet(head + text[first:last] + tail, marks)


class _Place(NamedTuple):
    """Where a passage begins, and the label of its call with the place where that stands."""

    start: int
    label: str | None
    labelled: int


def _joined(passages: Sequence[Passage]) -> tuple[str, list[_Place]]:
    """The passages as one line, and where each begins."""
    calls: dict[str | None, tuple[str, int]] = {}
    places, texts, start = [], [], 0
    for passage in passages:
        text = " ".join(passage.text[: max(0, READ - start)].split())
        if not text:
            continue
        if passage.call is not None and passage.label is not None:
            calls[passage.call] = passage.label, start
        places.append(_Place(start, *calls.get(passage.call, (None, 0))))
        texts.append(text)
        start += len(text) + 1
    return " ".join(texts), places


def _spans(text: str, wanted: frozenset[str]) -> list[_Span]:
    """The words that one of the terms stands for, and these terms."""
    forms = {word: wanted.intersection(terms(word)) for word in set(_WORD.findall(text))}
    return [
        _Span(word.start(), word.end(), found)
        for word in _WORD.finditer(text)
        if (found := forms[word.group()])
    ]


def _terms_of(spans: Iterable[_Span]) -> frozenset[str]:
    return frozenset[str]().union(*(span.terms for span in spans))


def _place_of(span: _Span, places: Sequence[_Place]) -> _Place:
    """The passage that a word stands in."""
    return places[bisect_right(places, span.start, key=_start) - 1]


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
