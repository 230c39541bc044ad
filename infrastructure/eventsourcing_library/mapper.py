"""Between records and values: the library's mapper, over our stable names and bytes instead of Python paths."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from eventsourcing.persistence import Mapper, StoredEvent, Transcoder

from backstory.domain.events import Event
from backstory.domain.log.chain import Envelope
from backstory.domain.state import ContextState


@dataclass(frozen=True)
class StoredRow(StoredEvent):
    """A stored event with the rest of its envelope."""

    schema_version: int
    recorded_at: datetime
    occurred_at: datetime | None
    epoch: int
    cause: int | None
    actor: str | None
    caller: str | None
    effects: str | None
    chain: bytes
    position: int

    @classmethod
    def of(cls, columns: Iterable[Any]) -> "StoredRow":
        """A row of a query. What the constructor does, without setting each field apart: a replay makes hundreds."""
        row = cls.__new__(cls)
        row.__dict__.update(zip(_COLUMNS, columns, strict=True))
        return row

    @property
    def stream(self) -> UUID:
        assert isinstance(self.originator_id, UUID)
        return self.originator_id

    @property
    def envelope(self) -> Envelope:
        return Envelope(
            self.stream,
            self.originator_version,
            self.topic,
            self.schema_version,
            self.recorded_at,
            self.occurred_at,
            self.epoch,
            self.cause,
            self.actor,
            self.caller,
            self.effects,
            self.state,
        )


_COLUMNS = tuple(one.name for one in fields(StoredRow))


class EventMapper(Mapper[UUID]):
    """Reads events from stored rows: upcast when old, carried as they are when unknown."""

    def to_domain_event(self, stored_event: StoredEvent) -> Event:
        assert isinstance(stored_event, StoredRow)
        return stored_event.envelope.event()


@dataclass(frozen=True)
class StateSnapshot:
    """A state as the library's repository meets it: an event that says everything at once."""

    originator_id: UUID
    originator_version: int
    state: ContextState


class SnapshotMapper(Mapper[UUID]):
    """Reads and writes states."""

    TOPIC = "snapshot"

    def to_stored_event(self, domain_event: StateSnapshot) -> StoredEvent:  # type: ignore[override]
        state = domain_event.state
        return StoredEvent(state.stream, state.version, self.TOPIC, state.encode())

    def to_domain_event(self, stored_event: StoredEvent) -> StateSnapshot:
        assert isinstance(stored_event.originator_id, UUID)
        state = ContextState.decode(stored_event.state)
        return StateSnapshot(stored_event.originator_id, stored_event.originator_version, state)


class NoTranscoder(Transcoder):
    """The mappers above encode by themselves."""

    def encode(self, obj: object) -> bytes:
        raise TypeError("values are encoded by their mapper")

    def decode(self, data: bytes) -> object:
        raise TypeError("values are decoded by their mapper")
