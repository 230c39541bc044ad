"""Decisions with their texts, of one session and of all sessions of a project."""

import re
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import Bytes
from backstory.application.queries.event_contents import contents_of
from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput
from backstory.domain.events import DecisionConfirmed, DecisionRecorded, Event
from backstory.domain.values import LARGEST, Priority, version_number, whole_number
from backstory.infrastructure.postgres.queries import query

_PLACE = re.compile(r"([0-9a-f]{32})-(\d{1,10})")


class RecordedDecision(NamedTuple):
    """A decision, as the log holds it. Erased texts are None."""

    session: UUID
    item: int
    at: datetime
    """The time of the decision."""
    text: str | None
    rationale: str | None
    alternatives_rejected: tuple[str | None, ...]
    impact: tuple[str | None, ...]
    priority: str
    decided_by: str | None
    recorded_by: str | None
    noticed: int | None
    """The candidate that it was, where it was noticed in a message and confirmed."""

    @property
    def place(self) -> str:
        """Its place in a project's list: passed as `after`, the list goes on behind it."""
        return f"{self.session.hex}-{self.item}"


def session_decisions(
    runtime: Runtime, session: UUID, *, before: int | None, limit: int
) -> list[RecordedDecision]:
    """The decisions of a session's current branch, the newest first."""
    newest = LARGEST if before is None else version_number("before", before)
    whole_number("limit", limit, minimum=1, maximum=LARGEST)
    rows = runtime.database.read(lambda c: c.execute(query("decisions"), (session, newest, limit)).fetchall())
    return _records(runtime, session, [row[0] for row in rows])


def project_decisions(
    runtime: Runtime, project: str, *, after: str | None, limit: int
) -> list[RecordedDecision]:
    """The decisions of the current branches of all sessions of a project, the newest first. What a fork has from its
    parent is told by the parent."""
    whole_number("limit", limit, minimum=1, maximum=LARGEST)
    session, item = (None, None) if after is None else _place(after)
    wanted = {"project": project, "session": session, "item": item, "limit": limit}
    rows = runtime.database.read(lambda c: c.execute(query("project_decisions"), wanted).fetchall())
    by_session: dict[UUID, list[int]] = {}
    for stream, decision in rows:
        by_session.setdefault(stream, []).append(decision)
    found = {
        (record.session, record.item): record
        for stream, decisions in by_session.items()
        for record in _records(runtime, stream, decisions)
    }
    return [found[stream, decision] for stream, decision in rows]


def _place(after: str) -> tuple[UUID, int]:
    found = _PLACE.fullmatch(after) if isinstance(after, str) else None
    if found is None or int(found[2]) > LARGEST:
        raise InvalidInput("after", "must be the `place` of a decision in a list")
    return UUID(hex=found[1]), int(found[2])


def _records(runtime: Runtime, session: UUID, decisions: list[int]) -> list[RecordedDecision]:
    if not decisions:
        return []
    reader = ContentReader.on_branch(runtime, session, runtime.require_head(session).version)
    events, contents = reader.events_and_bytes(decisions)
    return [_record(session, events[version], contents) for version in decisions if version in events]


def _record(session: UUID, event: Event, contents: Bytes) -> RecordedDecision:
    texts = {content.field: content.text for content in contents_of(event, contents)}
    body = event.body
    recorded = body if isinstance(body, DecisionRecorded) else None
    return RecordedDecision(
        session=session,
        item=event.version,
        at=event.occurred_at,
        text=texts.get("text"),
        rationale=texts.get("rationale"),
        alternatives_rejected=tuple(
            text for name, text in texts.items() if name.startswith("alternatives_rejected.")
        ),
        impact=tuple(text for name, text in texts.items() if name.startswith("impact.")),
        priority=(recorded.priority if recorded else Priority.MEDIUM).value,
        decided_by=getattr(body, "decided_by", None),
        recorded_by=recorded.recorded_by if recorded else None,
        noticed=body.candidate if isinstance(body, DecisionConfirmed) else None,
    )
