"""Origins of items, and how far each is trusted."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Literal, get_args

from backstory.domain.errors import InvalidInput

Origin = Literal["user", "model", "internal_tool", "external_tool", "document", "import"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)
PROGRAM: Origin = "internal_tool"
"""Of a message: a program wrote it, whatever role it has."""


class Trust(IntEnum):
    """How far an item is trusted. What is made from several items is trusted as far as the least trusted of them."""

    UNTRUSTED = 0
    """From outside: a web page, a file, another tool's record."""
    DERIVED = 1
    """From the model, or from a tool that works on the caller's own data."""
    TRUSTED = 2
    """From the user, or confirmed by a person or a second independent source."""

    @property
    def word(self) -> str:
        """Its name, as documents and commands show it."""
        return self.name.lower()


TRUST_OF_ORIGIN: dict[Origin, Trust] = {
    "user": Trust.TRUSTED,
    "model": Trust.DERIVED,
    "internal_tool": Trust.DERIVED,
    "external_tool": Trust.UNTRUSTED,
    "document": Trust.UNTRUSTED,
    "import": Trust.UNTRUSTED,
}
TRUST_OF_IMPORTED = Trust.DERIVED
"""The most that an item of an imported transcript is trusted: any program may have written the file."""

_ORIGIN_OF_ROLE: dict[str, Origin] = {
    "user": "user",
    "system": "user",
    "agent": "model",
    "tool": "external_tool",
}
_ORIGIN_OF_TYPE: dict[str, Origin] = {
    "system_prompt": "user",
    "error": "external_tool",
    "test_result": "external_tool",
    "document": "document",
    "prd_section": "document",
}


def default_origin(type_: str, role: str | None = None, path: str | None = None) -> Origin:
    """The origin of an item whose writer does not say it: by the role of a message, else by the item's type. What was
    saved from a path is a document. An exchange begins with the model's calls, and gets its tool's origin with the
    results."""
    if role is not None:
        return _ORIGIN_OF_ROLE[role]
    if path is not None:
        return "document"
    return _ORIGIN_OF_TYPE.get(type_, "model")


def checked_origin(origin: object) -> Origin:
    """An origin that is known."""
    for known in ORIGINS:
        if origin == known:
            return known
    raise InvalidInput("origin", f"must be one of {', '.join(ORIGINS)}, got {origin!r}")


def least_trust(trusts: Iterable[Trust], of: Trust) -> Trust:
    """The trust of something with trust `of` by itself that was made from items with these."""
    return min((of, *trusts))


def less_trusted(origin: Origin, added: Origin) -> Origin:
    """The origin of an item that has grown: that of its less trusted part, or of the later of two equal ones."""
    return added if TRUST_OF_ORIGIN[added] <= TRUST_OF_ORIGIN[origin] else origin
