"""Decisions of a session: listed, confirmed, dismissed."""

import builtins
from typing import NamedTuple

from backstory.application.contents.reader import ContentReader
from backstory.application.queries.decision_records import RecordedDecision, session_decisions
from backstory.application.queries.read_models import read_decisions
from backstory.application.writing.decisions import DecisionWriter
from backstory.domain.errors import InvalidInput
from backstory.domain.events import DecisionNoticed
from backstory.domain.records import Item
from backstory.domain.values import LARGEST, whole_number
from backstory.infrastructure.postgres.standby import reads_only


class CandidateDecision(NamedTuple):
    """A decision that a message seems to say. Erased texts are None."""

    id: int
    text: str | None
    rationale: str | None
    decided_by: str | None
    noticed_in: int
    """The message."""


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

    @reads_only
    def recorded(self, *, before: int | None = None, limit: int = 50) -> builtins.list[RecordedDecision]:
        """The same decisions with their texts, priorities and who decided."""
        return session_decisions(self._runtime, self._id, before=before, limit=limit)

    @reads_only
    def candidates(self) -> builtins.list[CandidateDecision]:
        """The newest decisions that were noticed in messages and wait to be confirmed or dismissed, oldest first."""
        state = self._handle.state()
        reader = ContentReader.on_branch(self._runtime, self._id, state.version)
        events = reader.events(candidate.id for candidate in state.candidates)
        texts = reader.texts(
            (version, ref.part)
            for version, event in events.items()
            if isinstance(event.body, DecisionNoticed)
            for ref in (event.body.text, event.body.rationale)
            if ref is not None
        )
        found = []
        for candidate in state.candidates:
            body = events[candidate.id].body
            assert isinstance(body, DecisionNoticed)
            why = None if body.rationale is None else texts.get((candidate.id, body.rationale.part))
            text = texts.get((candidate.id, body.text.part))
            found.append(
                CandidateDecision(candidate.id, text, why, candidate.decided_by, candidate.noticed_in)
            )
        return found
