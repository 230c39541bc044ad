"""What the library's cases need where they number a stream's events from 0.

A version is an event's place in its stream: 1, 2, 3, … with no gap. That is the design, and the recorders
hold to it: an event that does not follow the head is an IntegrityError, so one at version 0 is refused. Some
of the library's cases begin streams at 0 although their own `INITIAL_VERSION` is 1. For those, and only in
these tests, the recorder under test is wrapped so that a stream which begins at 0 is kept one version higher
and read back one lower.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from eventsourcing.persistence import AggregateRecorder, Notification, StoredEvent

E = TypeVar("E", bound=StoredEvent)


class FromZero(AggregateRecorder):
    """Mixed into a recorder, in front of it."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._shifted: set[UUID | str] = set()

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        self._shifted.update(event.originator_id for event in stored_events if event.originator_version == 0)
        return super().insert_events([self._moved(event, 1) for event in stored_events], **kwargs)  # type: ignore[safe-super]

    def select_events(self, originator_id: UUID | str, **bounds: Any) -> Sequence[StoredEvent]:
        found = super().select_events(originator_id, **bounds)  # type: ignore[safe-super]
        return [self._moved(event, -1) for event in found]

    def select_notifications(self, *args: Any, **kwargs: Any) -> Sequence[Notification]:
        found = super().select_notifications(*args, **kwargs)  # type: ignore[misc]
        return [self._moved(notification, -1) for notification in found]

    def _moved(self, event: E, by: int) -> E:
        if event.originator_id not in self._shifted:
            return event
        return replace(event, originator_version=event.originator_version + by)
