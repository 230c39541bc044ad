"""Names as only code spells them: file paths, and identifiers with an underscore or a capital inside.

Prose is looked through by `entities`, which knows kinds of things; results of tools are mostly code and listings, where
what matters later is what can be asked for again by its name."""

import re
from collections.abc import Iterator
from typing import NamedTuple

SHORTEST = 4
"""Characters of an identifier: `i_d` and the like say nothing about memory."""

# Bounded, so that every character is looked at a bounded number of times.
_PATH = re.compile(
    r"(?<![\w/.:~-])(?:~|\.{1,2})?/?(?:[\w.+@-]{1,100}/){1,30}[\w.+@-]{1,100}"
    r"|(?<![\w/.:-])/[\w.+@-]{2,100}(?![\w/])"
    r"|(?<![\w/.-])[\w-]{1,80}\.[a-z][a-z0-9]{0,4}(?![\w/(]|\.\w)"
)
_WORD = re.compile(r"[A-Za-z_]\w{2,100}")
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


def _found(text: str) -> Iterator[tuple[int, Name]]:
    covered = list(text)
    for match in _PATH.finditer(text):
        path = match[0].rstrip(".,-+")
        if _NUMBERS.fullmatch(path) or len(path) < SHORTEST:
            continue
        yield match.start(), Name("path", path)
        covered[match.start() : match.end()] = " " * len(match[0])
    for match in _WORD.finditer("".join(covered)):
        word = match[0]
        if len(word) >= SHORTEST and (_SNAKE.search(word) or _HUMPS.search(word)):
            yield match.start(), Name("identifier", word)
