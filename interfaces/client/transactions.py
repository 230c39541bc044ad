"""Changes that are committed together: collected here, sent as one request."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from backstory.application.transaction import MOST_CHANGES, Transaction
from backstory.application.writing.checkpoints import CheckpointWriter
from backstory.application.writing.decisions import DecisionWriter
from backstory.application.writing.details import DetailWriter
from backstory.application.writing.items import ItemWriter
from backstory.application.writing.progress import ProgressWriter
from backstory.application.writing.requests import Provenance
from backstory.application.writing.window import WindowWriter
from backstory.application.writing.work import WorkWriter
from backstory.domain.errors import InvalidInput
from backstory.domain.state import ContextState
from backstory.interfaces.client.calls import over_http
from backstory.interfaces.client.handle import RemoteHandle
from backstory.interfaces.client.results import value_of

VIEWS = ("by", "once", "occurred", "caused_by", "of_origin")
OWN_EVENTS = "an event of your own type has effects and contents that only the library can check."


@dataclass(slots=True)
class RemoteQueue:
    """The changes of one transaction. All views of the transaction share it."""

    operations: list[dict[str, Any]] = field(default_factory=list)
    state: ContextState | None = None
    versions: list[int] | None = None


class RemoteQueueHandle(RemoteHandle):
    """Collects writes until the transaction commits. A write returns a negative ticket."""

    queue: RemoteQueue

    @classmethod
    def on(cls, session: RemoteHandle) -> Self:
        """An empty queue, in the epoch that the session was last seen in."""
        opened = replace(session.opened)
        handle = cls(session.connection, session.path, session.id, opened, session.provenance)
        handle.queue = RemoteQueue()
        return handle

    def with_(self, **changes: Any) -> Self:
        if "key" in changes:
            raise InvalidInput("key", "belongs to the whole transaction: session.once(key).atomic()")
        return super().with_(**changes)

    def apply(self, verb: str, path: str, body: Mapping[str, Any]) -> int:
        self.require_open()
        if len(self.queue.operations) == MOST_CHANGES:
            raise InvalidInput("transaction", f"must have at most {MOST_CHANGES} changes")
        self.queue.operations.append({"do": verb, **_told(self.provenance), **body})
        return -len(self.queue.operations)

    def require_open(self) -> None:
        """Refuses a transaction that has been committed."""
        if self.queue.versions is not None:
            raise InvalidInput("transaction", "has been committed; begin another")


def _told(provenance: Provenance) -> dict[str, Any]:
    """Who made one of the changes, when and why."""
    at = provenance.occurred_at
    told = {
        "actor": provenance.actor,
        "occurred_at": None if at is None else at.isoformat(),
        "cause": provenance.cause,
        "origin": provenance.origin,
    }
    return {name: value for name, value in told.items() if value is not None}


@over_http("items")
class RemoteItemWriter(ItemWriter):
    """See ItemWriter."""


@over_http("decisions")
class RemoteDecisionWriter(DecisionWriter):
    """See DecisionWriter."""


@over_http("work")
class RemoteWorkWriter(WorkWriter):
    """See WorkWriter."""


@over_http("progress")
class RemoteProgressWriter(ProgressWriter):
    """See ProgressWriter."""


@over_http("details")
class RemoteDetailWriter(DetailWriter):
    """See DetailWriter."""


@over_http("window")
class RemoteWindowWriter(WindowWriter):
    """See WindowWriter."""


@over_http("checkpoints")
class RemoteCheckpointWriter(CheckpointWriter):
    """See CheckpointWriter."""


@over_http(local=VIEWS, absent={"record": OWN_EVENTS})
class RemoteTransaction(Transaction):
    """See Transaction. Its changes are checked when it is committed."""

    _handle: RemoteQueueHandle  # type: ignore[assignment]

    @cached_property
    def items(self) -> ItemWriter:
        return RemoteItemWriter(self._handle)

    @cached_property
    def decisions(self) -> DecisionWriter:
        return RemoteDecisionWriter(self._handle)

    @cached_property
    def work(self) -> WorkWriter:
        return RemoteWorkWriter(self._handle)

    @cached_property
    def progress(self) -> ProgressWriter:
        return RemoteProgressWriter(self._handle)

    @cached_property
    def details(self) -> DetailWriter:
        return RemoteDetailWriter(self._handle)

    @cached_property
    def window(self) -> WindowWriter:
        return RemoteWindowWriter(self._handle)

    @cached_property
    def checkpoints(self) -> CheckpointWriter:
        return RemoteCheckpointWriter(self._handle)

    @property
    def state(self) -> ContextState:
        queue = self._handle.queue
        if queue.state is None:
            state: ContextState = value_of(ContextState, self._handle.read("/state/data").document)
            queue.state = state
        return queue.state.copy()

    def version_of(self, ticket: int) -> int:
        queue = self._handle.queue
        if queue.versions is None:
            raise InvalidInput("ticket", "has no version before the transaction is committed")
        if not isinstance(ticket, int) or not -len(queue.operations) <= ticket <= -1:
            raise InvalidInput("ticket", f"must be one that a write of this block returned, got {ticket!r}")
        return queue.versions[-ticket - 1]

    def commit(self) -> None:
        self._handle.require_open()
        queue = self._handle.queue
        if not queue.operations:
            return
        answer = self._handle.post(
            "/atomic",
            {"operations": queue.operations},
            expected=None if queue.state is None else queue.state.version,
        )
        queue.versions = answer.document["versions"]
