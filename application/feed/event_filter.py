"""The events that a reader asked for."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple, Self

from backstory.domain.events import Event
from backstory.domain.values import aware, label, listed


class EventFilter(NamedTuple):
    """Events of some types, by an actor, in a span of time. Times are those at which events occurred; `since` belongs
    to the span and `until` does not."""

    types: tuple[str, ...] = ()
    actor: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @classmethod
    def of(
        cls, types: Collection[str], actor: str | None, since: datetime | None, until: datetime | None
    ) -> Self:
        """A filter of these values, checked."""
        return cls(
            tuple(label("types", type_) for type_ in listed("types", types)),
            None if actor is None else label("actor", actor),
            aware("since", since),
            aware("until", until),
        )

    def includes(self, event: Event) -> bool:
        """Whether the event was asked for."""
        return (
            (not self.types or event.type in self.types)
            and (self.actor is None or event.actor == self.actor)
            and (self.since is None or event.occurred_at >= self.since)
            and (self.until is None or event.occurred_at < self.until)
        )
