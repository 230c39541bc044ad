"""What every write shares: who says it, when and why, and how a change is put together."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from backstory.application.handle import SessionHandle
from backstory.application.runtime import Runtime
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Decider, Provenance
from backstory.domain.commands import facts
from backstory.domain.effects import NewItem
from backstory.domain.events.base import Change
from backstory.domain.log.guards import NO_GUARD, Guard
from backstory.domain.messages.contents import Part, text_bytes
from backstory.domain.policies.importance import DEFAULT_IMPORTANCE
from backstory.domain.values import (
    DEFAULT_ENCODING,
    MAIN_WINDOW,
    aware,
    label,
    listed,
    version_number,
)
from backstory.infrastructure.llm.tokens import count_parts

WEIGHED = ("message", "tool_exchange")
"""The types whose text has a say in their first importance."""
LONGEST_READ = 4 * DEFAULT_IMPORTANCE.read
"""In bytes: no character has more than four."""


class WriterBase:
    """Somewhere to write, and what is said of each write."""

    def __init__(self, handle: SessionHandle) -> None:
        self._handle = handle

    @property
    def _runtime(self) -> Runtime:
        return self._handle.runtime

    @property
    def _provenance(self) -> Provenance:
        return self._handle.provenance

    @property
    def id(self) -> UUID:
        """The session's id."""
        return self._handle.id

    @property
    def epoch(self) -> int:
        """The number of backtracks when this handle last looked."""
        return self._handle.epoch

    def _with(self, **changes: Any) -> Self:
        return type(self)(self._handle.with_(**changes))

    def by(self, actor: str) -> Self:
        """The same, said by this agent or person."""
        return self._with(actor=label("actor", actor))

    def once(self, key: str) -> Self:
        """The same, under an idempotency key: asked again, it answers with the first result."""
        return self._with(key=label("key", key))

    def occurred(self, at: datetime) -> Self:
        """The same, for something that happened at another time than now."""
        return self._with(occurred_at=aware("occurred_at", at))

    def caused_by(self, version: int) -> Self:
        """The same, as a consequence of an earlier event."""
        return self._with(cause=version_number("cause", version))

    def _write(self, bundle: ContentBundle, change: Change, guard: Guard = NO_GUARD) -> int:
        return self._handle.write(bundle, change, guard)

    def _command(self, bundle: ContentBundle, decider: Decider) -> int:
        return self._handle.command(bundle, decider)

    def _encoding(self, windows: Sequence[str] = (MAIN_WINDOW,)) -> str:
        return self._handle.encoding(windows)

    def _counted_item(
        self,
        type_: str,
        parts: Sequence[Part],
        importance: float | None,
        windows: Sequence[str],
        **fields: Any,
    ) -> NewItem:
        """The item of a content, counted in the encoding of each window it goes to."""
        named = tuple(label("windows", window) for window in listed("windows", windows))
        encoding = self._encoding(named)
        others = {self._encoding([window]) for window in named} - {encoding}
        return facts.new_item(
            type_,
            tokens=count_parts(parts, encoding),
            encoding=encoding,
            importance=importance,
            text=said_text(parts) if importance is None and type_ in WEIGHED else None,
            windows=named,
            agent=self._provenance.actor,
            recounts={other: count_parts(parts, other) for other in others},
            **fields,
        )

    def _text_item(
        self,
        type_: str,
        texts: Sequence[str],
        importance: float | None = None,
        windows: Sequence[str] = (MAIN_WINDOW,),
        **fields: Any,
    ) -> NewItem:
        """An item made of texts."""
        parts = [Part("text", text_bytes("text", text)) for text in texts if text]
        return self._counted_item(type_, parts, importance, windows, **fields)


def said_text(parts: Sequence[Part]) -> str:
    """The beginning of what the parts say in words: as much as the importance policy reads."""
    said = b"\n".join(part.data[:LONGEST_READ] for part in parts if part.kind == "text")
    # A character that the cut went through is left out.
    return said[:LONGEST_READ].decode(errors="ignore")


def named_encoding(encoding: str) -> str | None:
    return None if encoding == DEFAULT_ENCODING else encoding
