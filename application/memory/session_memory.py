"""The memory of a session's project, from within the session."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from backstory.application.archive.archive import Archived, Archiver, Verdict
from backstory.application.handle import SessionPart
from backstory.application.memory.project import Project
from backstory.application.memory.recall import RecallPage
from backstory.application.memory.streams import project_handle
from backstory.domain.errors import Refused
from backstory.domain.memory.values import Source
from backstory.domain.values import label, listed


class SessionMemory(SessionPart):
    """The memory of the session's project: `session.memory`."""

    def remember(
        self,
        text: str,
        *,
        items: Sequence[int] = (),
        kind: str = "note",
        title: str | None = None,
        details: Mapping[str, Any] | None = None,
        entities: Sequence[str] = (),
        agent: str | None = None,
        importance: float | None = None,
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        key: str | None = None,
        supersedes: Sequence[int] = (),
        keep_secrets: bool = False,
    ) -> int:
        """Records a memory of the project, with this session and these items of it as its source: see
        `Project.remember`."""
        self._handle.require_items("items", items)
        return self.project.remember(
            text,
            kind=kind,
            title=title,
            details=details,
            entities=entities,
            agent=agent,
            importance=importance,
            valid_from=valid_from,
            valid_until=valid_until,
            sources=[Source(session=self._id, items=tuple(items))],
            key=key,
            supersedes=supersedes,
            keep_secrets=keep_secrets,
        )

    def supersede(self, /, memory: int, text: str, *, items: Sequence[int] = (), **fields: Any) -> int:
        """Records a memory in place of one that no longer holds, with this session as its source."""
        self._handle.require_items("items", items)
        sources = [Source(session=self._id, items=tuple(items))]
        return self.project.supersede(memory, text, sources=sources, **fields)

    def forget(
        self, memory: int, why: str | None = None, *, by: int | None = None, agent: str | None = None
    ) -> int:
        """Marks a memory of the project as one that no longer holds: see `Project.forget`."""
        return self.project.forget(memory, why, by=by, agent=agent)

    def archive(self, title: str | None = None, *, items: Sequence[int] = ()) -> Archived:
        """Makes memories of what none were made of yet: a fragment of every hundred messages and of the rest, and what
        was recorded or is noticed there as a decision, a lesson, a preference or a fact. With `items`, one fragment of
        these alone. A project does this by itself, too: see `MemoryPolicy`."""
        if title is not None:
            label("title", title)
        return Archiver(self._handle, "asked").archive(title, listed("items", items))

    def should_archive(self) -> Verdict:
        """Whether what was not made into memory yet becomes a fragment by the project's policy."""
        return Archiver(self._handle, "asked").verdict()

    def recall(
        self,
        query: str,
        *,
        kinds: Collection[str] = (),
        agent: str | None = None,
        entity: str | None = None,
        tier: str | None = None,
        since: datetime | None = None,
        before: datetime | None = None,
        as_of: datetime | None = None,
        past: bool = False,
        quarantined: bool = False,
        limit: int = 20,
        after: str | None = None,
        record: bool = True,
    ) -> RecallPage:
        """Finds memories of the project, from whichever session: see `Project.recall`."""
        return self.project.recall(
            query,
            kinds=kinds,
            agent=agent,
            entity=entity,
            tier=tier,
            since=since,
            before=before,
            as_of=as_of,
            past=past,
            quarantined=quarantined,
            limit=limit,
            after=after,
            record=record,
        )

    @property
    def project(self) -> Project:
        """The session's project, written to by whoever writes here. Refused where it belongs to none."""
        with self._runtime.reader.borrow(self._id) as state:
            name = state.labels.get("project")
        if name is None:
            raise Refused(
                "the session belongs to no project: start it with one, or call `details.set_project`."
            )
        handle = project_handle(self._runtime, name)
        # A cause is a version of this session, not of the project.
        handle.provenance = replace(self._handle.provenance, cause=None)
        return Project(handle, name)
