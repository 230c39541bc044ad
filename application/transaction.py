"""Several changes that are committed together or not at all."""

from dataclasses import dataclass, field, replace
from functools import partial
from types import TracebackType
from typing import Any, Self

from backstory.application.handle import SessionHandle
from backstory.application.tiers.update import update_session
from backstory.application.writer import Writer
from backstory.application.writing.append import PlacedRequests, decide_and_append
from backstory.application.writing.requests import Request
from backstory.domain.commands import work
from backstory.domain.errors import InvalidInput
from backstory.domain.state import ContextState
from backstory.infrastructure.postgres.append import Appended

MOST_CHANGES = 32767
"""An event's place in its append is a smallint."""


@dataclass(slots=True)
class Queue:
    """The changes of one transaction. All views of the transaction share it."""

    requests: list[Request] = field(default_factory=list)
    state: ContextState | None = None
    appended: Appended | None = None


class QueueHandle(SessionHandle):
    """Collects writes until the transaction commits. A write returns a negative ticket."""

    queue: Queue

    @classmethod
    def on(cls, session: SessionHandle) -> Self:
        """An empty queue, in the epoch that the session was last seen in."""
        handle = cls(session.runtime, session.id, replace(session.opened), session.provenance)
        handle.queue = Queue()
        return handle

    def with_(self, **changes: Any) -> Self:
        if "key" in changes:
            raise InvalidInput("key", "belongs to the whole transaction: session.once(key).atomic()")
        return super().with_(**changes)

    def submit(self, request: Request) -> int:
        self.require_open()
        if len(self.queue.requests) == MOST_CHANGES:
            raise InvalidInput("transaction", f"must have at most {MOST_CHANGES} changes")
        self.queue.requests.append(request)
        return -len(self.queue.requests)

    def append_after(self, placed: PlacedRequests) -> int:
        raise InvalidInput(
            "assembly", "is recorded with its answer, and that by the session, not in a transaction"
        )

    def require_open(self) -> None:
        """Refuses a transaction that has been committed."""
        if self.queue.appended is not None:
            raise InvalidInput("transaction", "has been committed; begin another")


class Transaction(Writer):
    """Collects changes; they are decided and appended when the block ends without an error.

    Nothing is written before that. A write returns a negative ticket instead of a version; after the block
    `version_of(ticket)` returns the version. Changes are decided again when others wrote meanwhile. A block that read
    `state` was decided by the caller's own code, so `VersionConflict` is raised instead.
    """

    _handle: QueueHandle

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()

    @property
    def state(self) -> ContextState:
        """The state the block is decided on: read once, and the same throughout."""
        queue = self._handle.queue
        if queue.state is None:
            queue.state = self._runtime.reader.state(self._id)
        return queue.state.copy()

    def version_of(self, ticket: int) -> int:
        """The version of a write, by the ticket that it returned."""
        queue = self._handle.queue
        if queue.appended is None:
            raise InvalidInput("ticket", "has no version before the transaction is committed")
        if not isinstance(ticket, int) or not -len(queue.requests) <= ticket <= -1:
            raise InvalidInput("ticket", f"must be one that a write of this block returned, got {ticket!r}")
        return queue.appended.first_version - ticket - 1

    def commit(self) -> None:
        """Appends the collected changes. Called when the block ends. Completed tasks change scores, so the tiers are
        brought up to date."""
        self._handle.require_open()
        queue = self._handle.queue
        if not queue.requests:
            return
        queue.appended = decide_and_append(
            self._runtime,
            self._id,
            queue.requests,
            epoch=self._handle.epoch,
            key=self._handle.key,
            read_at=None if queue.state is None else queue.state.version,
        )
        if any(_completes_task(request) for request in queue.requests):
            update_session(self._runtime, self._id, None, self._handle.provenance)


def _completes_task(request: Request) -> bool:
    return isinstance(request.command, partial) and request.command.func is work.complete_task
