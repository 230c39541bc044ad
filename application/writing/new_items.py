"""The items that writes bring: their tokens, their first importance, their windows."""

from collections.abc import Sequence
from typing import Any

from backstory.application.handle import SessionHandle
from backstory.domain.commands import facts
from backstory.domain.effects import NewItem
from backstory.domain.messages.contents import Part, text_bytes
from backstory.domain.policies.importance import DEFAULT_IMPORTANCE
from backstory.domain.records import Item
from backstory.domain.trust import (
    TRUST_OF_IMPORTED,
    TRUST_OF_ORIGIN,
    Origin,
    Trust,
    default_origin,
    least_trust,
)
from backstory.domain.values import MAIN_WINDOW, label, listed
from backstory.infrastructure.llm.tokens import count_parts

WEIGHED = ("message", "tool_exchange")
"""The types whose first importance depends on their text."""
LONGEST_READ = 4 * DEFAULT_IMPORTANCE.read
"""In bytes: no character has more than four."""


def counted_item(
    handle: SessionHandle,
    type_: str,
    parts: Sequence[Part],
    importance: float | None,
    windows: Sequence[str],
    references: Sequence[int] = (),
    path: str | None = None,
    origin: Origin | None = None,
    **fields: Any,
) -> NewItem:
    """The item of a content, counted in the encoding of each window it goes to. `references` are items of the session,
    and what refers to them in other words than a user's own is trusted no further than they are."""
    related = listed("references", references)
    sources = handle.require_items("references", related)
    origin = origin or handle.provenance.origin or default_origin(type_, fields.get("role"), path)
    named = tuple(label("windows", window) for window in listed("windows", windows))
    encoding = handle.encoding(named)
    parts = handle.screen.parts(parts)
    others = {handle.encoding([window]) for window in named} - {encoding}
    return facts.new_item(
        type_,
        tokens=count_parts(parts, encoding),
        encoding=encoding,
        importance=importance,
        text=said_text(parts) if importance is None and type_ in WEIGHED else None,
        windows=named,
        agent=handle.actor,
        references=related,
        origin=origin,
        trust=_lowered(handle, origin, [] if origin == "user" else sources),
        recounts={other: count_parts(parts, other) for other in others},
        **fields,
    )


def text_item(
    handle: SessionHandle,
    type_: str,
    texts: Sequence[str],
    importance: float | None = None,
    windows: Sequence[str] = (MAIN_WINDOW,),
    **fields: Any,
) -> NewItem:
    """An item made of texts."""
    parts = [Part("text", text_bytes("text", text)) for text in texts if text]
    return counted_item(handle, type_, parts, importance, windows, **fields)


def _lowered(handle: SessionHandle, origin: Origin, sources: Sequence[Item]) -> Trust | None:
    """The trust of a new item; None where it is that of its origin."""
    own = TRUST_OF_ORIGIN[origin]
    trusts = [Trust(source.trust) for source in sources]
    trust = least_trust([*trusts, TRUST_OF_IMPORTED] if handle.provenance.imported else trusts, own)
    return None if trust == own else trust


def said_text(parts: Sequence[Part]) -> str:
    """The beginning of what the parts say in words: as much as the importance policy reads."""
    said = b"\n".join(part.data[:LONGEST_READ] for part in parts if part.kind == "text")
    # A character that the cut went through is left out.
    return said[:LONGEST_READ].decode(errors="ignore")
