"""The conditions of a request, and its result."""

from uuid import UUID

from backstory.domain.errors import VersionConflict
from backstory.domain.log.guards import Guard
from backstory.infrastructure.postgres.append import Appended


class Conditions:
    """The version that a stream must be at for the first write of a request, and the newest write that it made."""

    def __init__(self) -> None:
        self.stream: UUID | None = None
        self.expected: int | None = None
        self.written: dict[UUID, Appended] = {}

    def guard(self, stream: UUID, guard: Guard) -> Guard:
        """The guard of a write, and the condition. It is met once: what the request writes next follows its own
        event."""
        expected = self.expected
        if expected is None or stream != self.stream or stream in self.written:
            return guard
        if guard.expected not in (None, expected):
            raise VersionConflict(
                f"the session is at version {guard.expected}, not where this append expected it."
            )
        return guard._replace(expected=expected)

    def note(self, stream: UUID, done: Appended) -> None:
        """Notes a write, or what was written by an earlier request under the same key."""
        self.written[stream] = done
