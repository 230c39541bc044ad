"""Tools for what outlives a session, and for decisions."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from backstory.domain.access import Action
from backstory.domain.memory.values import MemoryKind
from backstory.interfaces.documents.memory import MemoryWrittenDocument, RecallPageDocument
from backstory.interfaces.documents.sessions import WrittenDocument
from backstory.interfaces.documents.states import DecisionsDocument, RecordedDecisionDocument
from backstory.interfaces.mcp.door import Asked, Door
from backstory.interfaces.mcp.tools.parameters import After, Limit, ProjectName, Query, SessionName


class MemoryTools:
    """Tools that read and write what a project knows and what a session decided."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def recall(
        self,
        asked: Asked,
        query: Query,
        project: ProjectName = None,
        as_of: Annotated[
            datetime | None, Field(description="What was known at this time, by default now.")
        ] = None,
        limit: Limit = 10,
        after: After = None,
    ) -> RecallPageDocument:
        """Find what the project remembers from all its sessions, best first, with the sources."""
        record = as_of is None and self._door.may(asked, Action.APPEND)
        page = self._door.open_project(asked, project).recall(
            query, as_of=as_of, limit=limit, after=after, record=record
        )
        return RecallPageDocument.model_validate(page)

    def remember(
        self,
        asked: Asked,
        text: Annotated[str, Field(description="What to remember, in a few whole sentences.")],
        kind: Annotated[MemoryKind, Field(description="Its kind.")] = "note",
        title: Annotated[str | None, Field(description="A title in few words.")] = None,
        entities: Annotated[list[str], Field(description="The people, files, tools that it is about.")] = [],  # noqa: B006
        project: ProjectName = None,
    ) -> MemoryWrittenDocument:
        """Remember something for all sessions of the project. It is kept as a model's words."""
        opened = self._door.open_project(asked, project, Action.APPEND)
        memory = opened.remember(text, kind=kind, title=title, entities=entities)
        return MemoryWrittenDocument(project=opened.name, memory=memory, version=memory)

    def record_decision(
        self,
        asked: Asked,
        decision: Annotated[str, Field(description="The decision, in one sentence.")],
        rationale: Annotated[str | None, Field(description="The reason for it.")] = None,
        alternatives_rejected: Annotated[
            list[str], Field(description="What was considered and rejected.")
        ] = [],  # noqa: B006
        session: SessionName = None,
    ) -> WrittenDocument:
        """Record a decision in the session. It stays in every later context or is found by a query."""
        opened = self._door.open_session(asked, session, Action.APPEND)
        version = opened.decide(decision, rationale=rationale, alternatives_rejected=alternatives_rejected)
        return WrittenDocument(session=opened.id, version=version)

    def list_decisions(
        self,
        asked: Asked,
        session: SessionName = None,
        before: Annotated[int | None, Field(ge=1, description="The `next` of the page before.")] = None,
        limit: Limit = 20,
    ) -> DecisionsDocument:
        """List the session's decisions with their reasons, the newest first."""
        found = self._door.open_session(asked, session).decisions.recorded(before=before, limit=limit)
        return DecisionsDocument(
            decisions=[RecordedDecisionDocument.model_validate(one) for one in found],
            next=found[-1].item if len(found) == limit else None,
        )
