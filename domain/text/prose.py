"""What of a text is said by its writer: code fences and quotations set aside, the rest cut into sentences.

Everything here keeps places: a character stands where it stood in the text. Every step looks at each character a
bounded number of times, so the time follows the length of the text whatever the text is.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

READ = 20_000
"""How many characters of a text are looked at. A longer one is a log or a file, not something said."""

LONGEST_SENTENCE = 600
"""A longer run without a full stop is cut here: data, not a sentence."""

WRAPPED = 60
"""A line at least this long that the next one goes on from was wrapped by an editor."""

_BLANKS = str.maketrans(dict.fromkeys('\t\n\r!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~–—“”', " "))
_FENCES = ("```", "~~~")
_QUOTED = re.compile(r'"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»')
_MARKER = re.compile(r"[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)]|\[[ x]\])[ \t]{1,8}")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]{1,8}")
_STOP = re.compile(r"[.!?;]{1,8}(?=[\s\"'”’)\]*_]|$)")
_ABBREVIATIONS = ("e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "no", "fig", "mr", "ms", "dr")


class Sentence(NamedTuple):
    """A sentence or a part of one up to a semicolon, by its place in the text."""

    start: int
    end: int
    mark: str
    """What it ends with: ".", "!", "?", ";" or nothing."""
    block: int
    """The paragraph, list entry or heading that it belongs to, counted from 0."""
    kind: str
    """What the block is: "heading", "entry" or "paragraph"."""


def own_words(text: str) -> str:
    """The text in lower case, with code fences and quoted lines blanked. As long as the text."""
    lowered = text.lower().replace("’", "'")
    if len(lowered) != len(text):  # a few letters have a longer lower case
        lowered = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
        lowered = lowered.replace("’", "'")
    if "```" not in lowered and "~~~" not in lowered and ">" not in lowered:
        return lowered
    return "".join(_own_lines(lowered))


def outside_code(text: str) -> str:
    """The text as it is, with code fences blanked. As long as the text."""
    if "```" not in text and "~~~" not in text:
        return text
    return "".join(_own_lines(text, quotations=False))


def inside_code(text: str) -> str:
    """The text as it is, with all but code fences blanked. As long as the text."""
    lines = zip(text.splitlines(keepends=True), _own_lines(text, quotations=False), strict=True)
    return "".join(_blanked(line) if line == said else line for line, said in lines).replace("\r", " ")


def quotations(text: str) -> list[tuple[int, int]]:
    """The places of what stands in double quotes, within one line each."""
    if '"' not in text and "“" not in text and "«" not in text:
        return []
    return [match.span() for match in _QUOTED.finditer(text)]


def words(text: str) -> list[str]:
    """The words of a text in lower case, apostrophes included."""
    return text.translate(_BLANKS).split()


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text that `own_words` gave, without list markers and the blanks around them."""
    for number, (start, end, kind) in enumerate(_blocks(text)):
        begin = start
        for match in _STOP.finditer(text, start, end):
            if _is_abbreviation(text, begin, match.start()):
                continue
            yield from _trimmed(text, begin, match.end(), match[0], number, kind)
            begin = match.end()
        yield from _trimmed(text, begin, end, "", number, kind)


def _own_lines(text: str, quotations: bool = True) -> Iterator[str]:
    fence = None
    for line in text.splitlines(keepends=True):
        bare = line.lstrip(" \t")
        if fence is not None:
            closes = bare.startswith(fence)
            yield _blanked(line)
            fence = None if closes else fence
        elif bare.startswith(_FENCES):
            # A fence that is opened and closed on one line is inline code.
            fence = None if bare.rstrip().endswith(bare[:3]) and len(bare.rstrip()) > 3 else bare[:3]
            yield _blanked(line)
        elif quotations and bare.startswith(">"):
            yield _blanked(line)
        else:
            yield line


def _blanked(line: str) -> str:
    bare = line.rstrip("\r\n")
    return " " * len(bare) + line[len(bare) :]


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Paragraphs, list entries and headings: lines that an editor wrapped are put together again."""
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


def _is_abbreviation(text: str, begin: int, stop: int) -> bool:
    before = text[max(begin, stop - 8) : stop].split()
    return text[stop] == "." and before != [] and before[-1].lstrip("(") in _ABBREVIATIONS


def _trimmed(text: str, start: int, end: int, mark: str, block: int, kind: str) -> Iterator[Sentence]:
    end = min(end, start + LONGEST_SENTENCE)
    said = text[start:end]
    start += len(said) - len(said.lstrip(" \t\r\n\"'”)*_"))
    end -= len(said) - len(said.rstrip())
    if end > start:
        last = "?" if "?" in mark else mark[-1:]
        yield Sentence(start, end, last, block, kind)
