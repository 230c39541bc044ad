"""The sentences of a text, by their places in it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST_SENTENCE = 600
"""A longer run without a full stop is cut here: data, not a sentence."""

WRAPPED = 60
"""A line of at least this length that the next line continues was wrapped by an editor."""

_MARKER = re.compile(r"[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)]|\[[ x]\])[ \t]{1,8}")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]{1,8}")
_CLOSING = r"\"'”’)\]*_"
_STOP = re.compile(rf"(?P<mark>[.!?;…]{{1,8}}(?=[\s{_CLOSING}]|$)|[。！？])[{_CLOSING}]{{0,4}}")
_FACTORIAL = re.compile(r"\d! (?=[a-z=×*/+)-])")
_ABBREVIATIONS = frozenset(
    ("e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "no", "fig", "mr", "mrs", "ms", "dr", "st")
)


class Sentence(NamedTuple):
    """A sentence, or a part of one up to a semicolon."""

    start: int
    end: int
    mark: str
    """The mark it ends with: ".", "!", "?", ";", "…" or nothing."""
    block: int
    """The paragraph, list entry or heading that it belongs to, counted from 0."""
    kind: str
    """The sort of that block: "heading", "entry" or "paragraph"."""


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, without list markers and the blanks around them. A semicolon ends one."""
    for number, (start, end, kind) in enumerate(_blocks(text)):
        begin = start
        for stop in _stops(text, start, end):
            yield from _trimmed(text, begin, stop.end("mark"), stop["mark"], number, kind)
            begin = stop.end("mark")
        yield from _trimmed(text, begin, end, "", number, kind)


def line_sentences(line: str) -> list[str]:
    """The sentences of one line, each with the quotes and brackets that close it. A semicolon ends none."""
    found, begin = [], 0
    for stop in _stops(line, 0, len(line)):
        if stop["mark"] != ";":
            found.append(line[begin : stop.end()])
            begin = stop.end()
    found.append(line[begin:])
    return [sentence.strip() for sentence in found if sentence.strip()]


def _stops(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The marks that end a sentence. The dot of an abbreviation does not, nor a factorial: "3! equals 6"."""
    begin = start
    for match in _STOP.finditer(text, start, end):
        before = text[max(begin, match.start() - 8) : match.start()].split()
        if match["mark"] == "." and before and before[-1].lstrip("(").lower() in _ABBREVIATIONS:
            continue
        if match["mark"] == "!" and _FACTORIAL.match(text, match.start() - 1):
            continue
        yield match
        begin = match.end()


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Paragraphs, list entries and headings. Lines that an editor wrapped are joined."""
    place, start, end, kind, previous = 0, 0, 0, "", ""
    for line in text.splitlines(keepends=True):
        begin, place = place, place + len(line)
        bare = line.strip()
        heading = _HEADING.match(line)
        marker = None if heading else _MARKER.match(line)
        continues = kind in ("paragraph", "entry") and (len(previous) >= WRAPPED or bare[:1].islower())
        if bare and continues and not heading and not marker and not bare.startswith("|"):
            end = place
        else:
            if kind:
                yield start, end, kind
            opened = heading or marker
            start, end = begin + (opened.end() if opened else 0), place
            kind = "" if not bare else "heading" if heading else "entry" if marker else "paragraph"
        previous = bare
    if kind:
        yield start, end, kind


def _trimmed(text: str, start: int, end: int, mark: str, block: int, kind: str) -> Iterator[Sentence]:
    end = min(end, start + LONGEST_SENTENCE)
    sentence = text[start:end]
    start += len(sentence) - len(sentence.lstrip(" \t\r\n\"'”)*_"))
    end -= len(sentence) - len(sentence.rstrip())
    if end > start:
        yield Sentence(start, end, "?" if "?" in mark or "？" in mark else mark[-1:], block, kind)
