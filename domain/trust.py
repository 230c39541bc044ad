"""Origins of items, and how far each is trusted."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Literal

Origin = Literal["user", "model", "internal_tool", "external_tool", "document", "import"]


class Trust(IntEnum):
    """How far an item is trusted. What is made from several items is trusted as far as the least trusted of them."""

    UNTRUSTED = 0
    """From outside: a web page, a file, another tool's record."""
    DERIVED = 1
    """From the model, or from a tool that works on the caller's own data."""
    TRUSTED = 2
    """From the user, or confirmed by a person or a second independent source."""


TRUST_OF_ORIGIN: dict[Origin, Trust] = {
    "user": Trust.TRUSTED,
    "model": Trust.DERIVED,
    "internal_tool": Trust.DERIVED,
    "external_tool": Trust.UNTRUSTED,
    "document": Trust.UNTRUSTED,
    "import": Trust.UNTRUSTED,
}


def least_trust(trusts: Iterable[Trust], of: Trust) -> Trust:
    """The trust of something with trust `of` by itself that was made from items with these."""
    return min((of, *trusts))
