"""Several changes that are committed together or not at all."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self
from uuid import UUID

from backstory.application.context.reproduce import assembled_tokens
from backstory.application.context.result import Context
from backstory.application.queries.read_models import require_items
from backstory.application.runtime import Runtime
from backstory.application.writing.requests import Provenance, Request
from backstory.application.writing.writer import Writer
from backstory.domain.errors import InvalidInput
from backstory.domain.state import ContextState
from backstory.infrastructure.postgres.append import Appended

MOST_CHANGES = 32767
"""An event's place in its append is a smallint."""


class Transaction(Writer):
    """Collects changes; they are decided and appended when the block ends without an error.

    Nothing is written before that, so a write returns no version yet but a negative ticket, which no item can have;
    after the block `version_of(ticket)` tells the version. Changes are decided anew when others wrote meanwhile. A
    block that looked at `state` was decided by the caller's own code, so then `VersionConflict` is raised instead.
    """

    def __init__(
        self, runtime: Runtime, stream: UUID, epoch: int, encodings: dict[str, str], said: Provenance
    ) -> None:
        self._runtime = runtime
        self._stream = stream
        self._epoch = epoch
        self._encodings = encodings
        self._provenance = said
        self._requests: list[Request] = []
        self._reads: list[ContextState] = []
        self._results: list[Appended] = []

    @property
    def state(self) -> ContextState:
        """The state the block is decided on: read once, and the same throughout."""
        if not self._reads:
            self._reads.append(self._runtime.reader.state(self._stream))
        return self._reads[0].copy()

    def version_of(self, ticket: int) -> int:
        """The version that a write of this block has got."""
        if not self._results:
            raise InvalidInput("ticket", "has no version before the transaction is committed")
        if not isinstance(ticket, int) or not -len(self._requests) <= ticket <= -1:
            raise InvalidInput("ticket", f"must be one that a write of this block returned, got {ticket!r}")
        return self._results[0].first_version - ticket - 1

    def commit(self) -> None:
        """Appends what was collected. Called when the block ends."""
        if self._results:
            raise InvalidInput("transaction", "has been committed; begin another")
        if not self._requests:
            return
        read_at = self._reads[0].version if self._reads else None
        done = self._runtime.decide_and_append(
            self._stream, self._requests, epoch=self._epoch, key=self._provenance.key, read_at=read_at
        )
        self._results.append(done)

    def _submit(self, request: Request) -> int:
        if self._results:
            raise InvalidInput("transaction", "has been committed; begin another")
        if len(self._requests) == MOST_CHANGES:
            raise InvalidInput("transaction", f"must have at most {MOST_CHANGES} changes")
        self._requests.append(request)
        return -len(self._requests)

    def _require_items(self, ids: Sequence[int]) -> None:
        require_items(self._runtime, self._stream, ids)

    def _assembled_tokens(self, assembly: Context | int) -> int:
        return assembled_tokens(self._runtime, self._stream, assembly)

    def _said(self, **changes: Any) -> Self:
        if "key" in changes:
            raise InvalidInput("key", "belongs to the whole transaction: session.once(key).atomic()")
        view = object.__new__(type(self))
        view.__dict__.update(self.__dict__, _provenance=replace(self._provenance, **changes))
        return view
