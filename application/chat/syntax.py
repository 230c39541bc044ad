"""The syntax of commands.

A command is a name, then a blank or a line break, then a text up to the end. Blanks around the text are removed; line
breaks and quotes stay. One pair of double quotes around the whole text is removed. Names ignore case and may have `-`
for `_`. `facilitator …` may start with a slash. Only the options in the table are recognized, written `--title=Login`
or `--title="Add login"`; in quotes, `\\"` is a quote and `\\\\` a backslash.
"""

import re
from typing import NamedTuple

from backstory.domain.context_document.commands import OFFERS, Offer
from backstory.domain.errors import InvalidInput

FACILITATOR = "facilitator"
MOST_WORDS = 3
"""The most words of a command's name."""
_NAME = re.compile(r"/[A-Za-z][\w-]*(?=\s|\Z)")
_FACILITATOR = re.compile(rf"/?{FACILITATOR}(?=\s|\Z)", re.IGNORECASE)
_WORD = re.compile(r"\s*(\S+)")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"|“([^“”]*)”', re.DOTALL)
_ESCAPED = re.compile(r'\\(["\\])')
_BECAUSE = re.compile(r"\s+because\s+", re.IGNORECASE)


class Parsed(NamedTuple):
    """A parsed command with its text; or the typed name of an unknown command, and its first words."""

    offer: Offer | None
    typed: str
    argument: str


def is_command(text: str) -> bool:
    """Whether a text is a command: it begins with a slash and a name, or with `facilitator`."""
    return isinstance(text, str) and bool(_begins(text.strip()))


def _begins(text: str) -> "re.Match[str] | None":
    return _FACILITATOR.match(text) or _NAME.match(text)


def parse_command(text: str) -> Parsed:
    """Parses a command. InvalidInput if the text is none."""
    if not isinstance(text, str):
        raise InvalidInput("command", f"must be text, got {type(text).__name__}")
    said = text.strip()
    if not _begins(said):
        raise InvalidInput("command", f"must begin with a slash and a name, or with {FACILITATOR!r}")
    for offer in sorted(OFFERS, key=lambda offer: -len(words_of(offer.command))):
        end = _end_of(words_of(offer.command), said)
        if end is not None:
            return Parsed(offer, offer.command, said[end:].strip())
    return Parsed(None, _typed(said), " ".join(said.split()[:MOST_WORDS]))


def words_of(command: str) -> list[str]:
    """The words of a command's name, without its slash."""
    return command.removeprefix("/").split()


def _end_of(words: list[str], said: str) -> int | None:
    """The end of a command's name in a text, or None if the text does not begin with it."""
    place = 1 if said.startswith("/") else 0
    for word in words:
        found = _WORD.match(said, place)
        if found is None or _normal(found[1]) != word:
            return None
        place = found.end()
    return place


def _normal(word: str) -> str:
    return word.lower().replace("-", "_")


def _typed(said: str) -> str:
    """The typed name: one word, or two if the first begins a group of commands."""
    words = said.split()
    first = _normal(words[0].removeprefix("/"))
    group = any(words_of(offer.command)[0] == first and " " in offer.command for offer in OFFERS)
    return " ".join(words[:2] if group else words[:1])


def unquoted(text: str) -> str:
    """The text without a pair of double quotes around it."""
    found = _QUOTED.fullmatch(text)
    return text if found is None else _said(found).strip()


def _said(found: "re.Match[str]") -> str:
    return found[2] if found[1] is None else _ESCAPED.sub(r"\1", found[1])


def split_quoted(text: str) -> tuple[str, str] | None:
    """The quoted text at the beginning, and the rest. None if the text does not begin with a quote."""
    found = _QUOTED.match(text)
    return None if found is None else (_said(found).strip(), unquoted(text[found.end() :].strip()))


def split_words(text: str) -> tuple[str, ...]:
    """The words of a text. What is in quotes is one word."""
    found = re.finditer(rf"{_QUOTED.pattern}|(\S+)", text, re.DOTALL)
    return tuple(match[3] or _said(match) for match in found)


def split_because(text: str) -> tuple[str, str | None]:
    """A statement and its reason, split at the first `because`, or written as `"statement" reason`."""
    if (apart := split_quoted(text)) is not None:
        statement, reason = apart
        reason = re.sub(r"\Abecause\s+", "", reason, flags=re.IGNORECASE)
        return statement, unquoted(reason) or None
    parts = _BECAUSE.split(text, maxsplit=1)
    return parts[0].strip(), unquoted(parts[1].strip()) if len(parts) > 1 and parts[1].strip() else None


def options_of(text: str, known: tuple[str, ...]) -> dict[str, str]:
    """The options in a text. Anything else is refused."""
    found: dict[str, str] = {}
    place = 0
    while place < len(text):
        option = re.compile(r"\s*--([A-Za-z][\w-]*)(?:=|\s+)").match(text, place)
        name = option[1].lower() if option else None
        if option is None or name not in known:
            expected = ", ".join(f"--{one}=…" for one in known)
            raise InvalidInput(
                "command", f"must have nothing after it but {expected}, got {text[place:].strip()!r}"
            )
        if name in found:
            raise InvalidInput(name, "must be given once")
        quotes = _QUOTED.match(text, option.end())
        value = quotes or re.compile(r"(?:(?!\s--[A-Za-z]).)*", re.DOTALL).match(text, option.end())
        assert value is not None
        found[name] = (_said(quotes) if quotes else value[0]).strip()
        if not found[name]:
            raise InvalidInput(name, "must not be empty")
        place = value.end()
    return found
