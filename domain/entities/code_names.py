"""Names as only code spells them: file paths, and identifiers with an underscore or a capital inside.

Prose is looked through by `entities`, which knows kinds of things; results of tools are mostly code and listings, where
what matters later is what can be asked for again by its name."""

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

SHORTEST = 4
"""Characters of an identifier: `i_d` and the like say nothing about memory."""

# Bounded, so that every character is looked at a bounded number of times.
_PATH = re.compile(
    r"(?<![\w/.:~-])(?:~|\.{1,2})?/?(?:[\w.+@-]{1,100}/){1,30}[\w.+@-]{1,100}"
    r"|(?<![\w/.:-])/[\w.+@-]{2,100}(?![\w/])"
    r"|(?<![\w/.-])[\w-]{1,80}\.[a-z][a-z0-9]{0,4}(?![\w/(]|\.\w)"
)
# Candidates for a path: runs of the characters that stand in one or must not stand before one, with a "/" or a "." in
# them. Most of a text is not read any closer.
_RUN = re.compile(r"(?<![\w+@~:-])[\w+@~:-]*+[./][\w.+@/~:-]*+")
_WORD = re.compile(r"([A-Za-z_]\w{2,100})")
_QUALIFIED = re.compile(r"(?<![\w.])[A-Za-z_]\w{0,100}(?:\.[A-Za-z_]\w{1,100}){0,4}")
_SNAKE = re.compile(r"[A-Za-z0-9]_+[A-Za-z0-9]")
_HUMPS = re.compile(r"[a-z0-9][A-Z]")
_NUMBERS = re.compile(r"[\d./+-]+")


class Name(NamedTuple):
    """A name that a text uses: a `path` or an `identifier`."""

    kind: str
    text: str


def names_in(text: str) -> dict[Name, None]:
    """The names in a text, each once, in their order. What stands within a path counts as the path."""
    return dict.fromkeys(mentions_in(text))


def mentions_in(text: str) -> list[Name]:
    """The names in a text in their order, as often as they stand there."""
    return [name for _, name in sorted(_found(text))]


def qualified_names_in(text: str) -> list[str]:
    """The paths and identifiers in a text in their order, as often as they stand there; an identifier together with
    what qualifies it, as `json.dumps`."""
    paths = list(_paths(text))
    found = [(start, path) for start, _, path in paths]
    for match in _QUALIFIED.finditer(_without(text, paths)):
        name = match[0]
        if len(name) >= SHORTEST and ("." in name or _is_identifier(name)):
            found.append((match.start(), name))
    return [name for _, name in sorted(found)]


def _found(text: str) -> Iterator[tuple[int, Name]]:
    paths = list(_paths(text))
    for start, _, path in paths:
        yield start, Name("path", path)
    parts = _WORD.split(_without(text, paths))
    words = parts[1::2]
    names = {word: Name("identifier", word) for word in set(words) if _is_identifier(word)}
    if names:
        starts = list(accumulate(map(len, parts)))[:-1:2]
        for start, word in zip(starts, words, strict=True):
            if word in names:
                yield start, names[word]


def _paths(text: str) -> Iterator[tuple[int, int, str]]:
    for run in _RUN.finditer(text):
        # One character more, since a bracket after it makes a call of a name with a dot.
        for match in _PATH.finditer(text, run.start(), run.end() + 1):
            path = match[0].rstrip(".,-+")
            if len(path) >= SHORTEST and not _NUMBERS.fullmatch(path):
                yield match.start(), match.end(), path


def _without(text: str, paths: list[tuple[int, int, str]]) -> str:
    """The text with blanks in the place of paths."""
    pieces: list[str] = []
    place = 0
    for start, end, _ in paths:
        pieces += (text[place:start], " " * (end - start))
        place = end
    return "".join((*pieces, text[place:]))


def _is_identifier(word: str) -> bool:
    if len(word) < SHORTEST:
        return False
    return ("_" in word and _SNAKE.search(word) is not None) or (
        not word.islower() and _HUMPS.search(word) is not None
    )
