"""Decisions of a session: listed, confirmed, dismissed."""

import builtins

from backstory.application.queries.read_models import read_decisions
from backstory.application.writing.decisions import DecisionWriter
from backstory.domain.errors import InvalidInput
from backstory.domain.records import Item
from backstory.domain.values import LARGEST, whole_number
from backstory.infrastructure.postgres.standby import reads_only


class SessionDecisions(DecisionWriter):
    """Decisions of a session: `session.decisions`."""

    @reads_only
    def list(self, *, before: int | None = None, limit: int = 50) -> builtins.list[Item]:
        """Decisions of the current branch, the newest first, also those that the state no longer holds; `before` a
        version to page on."""
        if limit < 1:
            raise InvalidInput("limit", f"must be at least 1, got {limit}")
        newest = LARGEST if before is None else whole_number("before", before)
        return read_decisions(self._runtime, self._id, newest, limit)
