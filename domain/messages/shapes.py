"""Shapes: what is left of a provider's block or message once its contents have gone into parts.

A shape is the block itself with the values that became part data emptied in place. Filling them in again
gives the block back, with its unknown keys, its nulls and its order of keys. Most blocks have the usual shape
of their kind, which is known and not stored; any other is kept in the part's or the message's extras.
"""

import re
from dataclasses import replace
from typing import Any

from backstory.domain.errors import InvalidMessage
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.values import dumps, loads

TEXT = "text/plain"
JSON = "application/json"
URL = "text/uri-list"
OPAQUE = "application/octet-stream"

# Media types of bytes that stand for themselves. Text and JSON are left out: part data with those types is
# read as text or as a whole block, so bytes that only claim them must not be mixed up with it.
_BINARY = re.compile(r"(?!text/)(?!application/json$)[a-z]+/[a-z0-9.+-]+")

Shape = dict[str, Any]


def unusual(shape: Shape, usual: Shape | None) -> bytes | None:
    """The shape as extras, or None where it is the usual one."""
    kept = dumps(shape)
    return None if usual is not None and kept == dumps(usual) else kept


def shaped(part: Part, shape: Shape, usual: Shape | None) -> Part:
    return replace(part, extras=unusual(shape, usual))


def shape_in(holder: Part | Message) -> Shape:
    """The shape kept in extras; empty where none is kept."""
    found = loads(holder.extras) if holder.extras else {}
    return found if isinstance(found, dict) else {}


def whole(kind: str, block: Any) -> Part:
    """A part that keeps a block as it came, for blocks that are unknown or hold nothing to take out."""
    return Part(kind, dumps(block), JSON)


def is_whole(part: Part) -> bool:
    return part.kind == "json" or (part.media_type == JSON and part.kind in ("image", "document", "audio"))


def is_binary(media_type: str) -> bool:
    return _BINARY.fullmatch(media_type) is not None


def text_of(part: Part) -> str:
    return part.data.decode(errors="replace")


def refuse_repeated_calls(parts: list[Part], field: str) -> None:
    """A result names its call by id alone, so one message must not use an id for two calls."""
    seen: set[str] = set()
    for part in parts:
        if part.kind == "tool_use" and part.call_id is not None:
            if part.call_id in seen:
                raise InvalidMessage(field, f"uses the tool call id {part.call_id!r} twice")
            seen.add(part.call_id)
