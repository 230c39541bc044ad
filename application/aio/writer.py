"""The writes that AsyncSession and AsyncTransaction have in common."""

from datetime import datetime
from functools import cached_property
from typing import Any, Self, TypeVar
from uuid import UUID

from backstory.application.aio.calls import Offloading, awaited
from backstory.application.aio.writes import (
    AsyncCheckpointWriter,
    AsyncDecisionWriter,
    AsyncDetailWriter,
    AsyncItemWriter,
    AsyncProgressWriter,
    AsyncWindowWriter,
    AsyncWorkWriter,
)
from backstory.application.writer import Writer
from backstory.domain.trust import Origin

Writing = TypeVar("Writing", bound=Writer)


class AsyncWriter(Offloading[Writing]):
    """See Writer."""

    @property
    def id(self) -> UUID:
        """The session's id."""
        return self._inner.id

    @cached_property
    def items(self) -> AsyncItemWriter:
        """See Writer.items."""
        return AsyncItemWriter(self._inner.items, self._threads)

    @cached_property
    def decisions(self) -> AsyncDecisionWriter:
        """See Writer.decisions."""
        return AsyncDecisionWriter(self._inner.decisions, self._threads)

    @cached_property
    def work(self) -> AsyncWorkWriter:
        """See Writer.work."""
        return AsyncWorkWriter(self._inner.work, self._threads)

    @cached_property
    def progress(self) -> AsyncProgressWriter:
        """See Writer.progress."""
        return AsyncProgressWriter(self._inner.progress, self._threads)

    @cached_property
    def details(self) -> AsyncDetailWriter:
        """See Writer.details."""
        return AsyncDetailWriter(self._inner.details, self._threads)

    @cached_property
    def window(self) -> AsyncWindowWriter:
        """See Writer.window."""
        return AsyncWindowWriter(self._inner.window, self._threads)

    @cached_property
    def checkpoints(self) -> AsyncCheckpointWriter:
        """See Writer.checkpoints."""
        return AsyncCheckpointWriter(self._inner.checkpoints, self._threads)

    def by(self, actor: str) -> Self:
        """See Writer.by."""
        return self._view(self._inner.by(actor))

    def once(self, key: str) -> Self:
        """See Writer.once."""
        return self._view(self._inner.once(key))

    def occurred(self, at: datetime) -> Self:
        """See Writer.occurred."""
        return self._view(self._inner.occurred(at))

    def caused_by(self, version: int) -> Self:
        """See Writer.caused_by."""
        return self._view(self._inner.caused_by(version))

    def of_origin(self, origin: Origin) -> Self:
        """See Writer.of_origin."""
        return self._view(self._inner.of_origin(origin))

    def _view(self, inner: Any) -> Self:
        return type(self)(inner, self._threads)

    message = awaited(Writer.message)
    tool_call = awaited(Writer.tool_call)
    tool_result = awaited(Writer.tool_result)
    model_called = awaited(Writer.model_called)
    set_system_prompt = awaited(Writer.set_system_prompt)
    decide = awaited(Writer.decide)
    record = awaited(Writer.record)
    end = awaited(Writer.end)
    resume = awaited(Writer.resume)
