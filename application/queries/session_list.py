"""The list of sessions: their rows, derived titles, writers, and primary files."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.domain.entities.addresses import as_address
from backstory.domain.entities.names import scan
from backstory.domain.errors import InvalidInput
from backstory.domain.events import UPKEEP
from backstory.domain.policies.window import zone_of
from backstory.domain.records import Place
from backstory.domain.text.markdown import outside_code
from backstory.domain.text.titles import derived_title
from backstory.domain.values import LARGEST, from_microseconds, microseconds
from backstory.infrastructure.postgres.queries import query
from backstory.projections.base_rows import item_counts

if TYPE_CHECKING:
    from backstory.application.session import Session

SESSIONS_AT_ONCE = 100
FIRST_EVENTS = 200
"""First events that are searched for a user's message, to derive a title."""
NEWEST_EVENTS = 50
"""Newest events that are read for writers and files. Without a bound, a list would cost as much as the histories of
its sessions."""
FOCUS_EVENTS = 1000
"""Newest events that are searched for a file focus."""
NEWEST_TEXTS = 3
LONGEST_TEXT = 500
"""Bytes of each text that are read."""
PRIMARY_FILES = 5
_PLACE = re.compile(r"(-?\d{1,20})-(-?\d{1,20})-([0-9a-f]{32})")


class SessionSummary(NamedTuple):
    """One line of a list of sessions. Its times are those at which events occurred: an imported session keeps its own.
    Without a title of its own a session is called by what its user first asked for, and `titled` is false. `agents`
    wrote its newest events; `primary_files` are those in focus, else those that its newest messages mention most."""

    id: UUID
    version: int
    started_at: datetime
    last_activity: datetime
    title: str | None
    status: str
    project: str | None
    tags: tuple[str, ...]
    messages: int
    decisions: int
    tokens: int
    token_limit: int | None
    epoch: int
    titled: bool
    agents: tuple[str, ...]
    primary_files: tuple[str, ...]
    usage: float | None
    """The share of the main window's limit; None for a window that has none."""
    zone: str
    """The main window's zone by the session's policy."""
    cost_usd: float
    """The cost of the calls of models that it recorded, those with a known price, on every branch."""
    place: str
    """Its place in the list: passed as `after`, the list goes on behind it."""


_Order = tuple[datetime, datetime, UUID]


class SessionFilter(NamedTuple):
    """The sessions that a list holds. `since` and `until` bound the last activity; `actor` and `types` name an event
    that the session recorded."""

    project: str | None = None
    status: str | None = None
    tag: str | None = None
    ids: tuple[UUID, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    actor: str | None = None
    types: tuple[str, ...] = ()
    after: "_Order | None" = None
    """The place that the list goes on behind."""

    def includes(self, row: "_Row") -> bool:
        """Whether the session was last active when it should have been."""
        active = row.order[0]
        return (
            (self.since is None or active >= self.since)
            and (self.until is None or active < self.until)
            and (self.after is None or row.order < self.after)
        )


class _Row(NamedTuple):
    """A row of the query `sessions`."""

    session: UUID
    recorded_at: datetime
    active_at: datetime
    version: int
    started_at: datetime
    summary: dict[str, Any]
    epoch: int
    title: bytes | None
    tokens: int | None
    token_limit: int | None

    @property
    def order(self) -> _Order:
        # Activity in the future, as simulations have it, counts from when it was recorded.
        return min(self.active_at, self.recorded_at), self.recorded_at, self.session

    @property
    def title_place(self) -> Place | None:
        title = self.summary["labels"].get("title")
        return (title["version"], title["part"]) if title else None


class _Glimpse(NamedTuple):
    """Details of one session: its title, or one derived from the user's first message; the writers of its newest
    events; the files in focus, else those mentioned most in its newest messages."""

    title: str | None = None
    titled: bool = False
    agents: tuple[str, ...] = ()
    primary_files: tuple[str, ...] = ()
    cost_usd: float = 0.0


def place_of(order: _Order) -> str:
    """A place in the list as callers pass it on."""
    active, recorded, session = order
    return f"{microseconds(active)}-{microseconds(recorded)}-{session.hex}"


def read_place(after: str) -> _Order:
    """The place that `place_of` made."""
    found = _PLACE.fullmatch(after) if isinstance(after, str) else None
    try:
        if found is None:
            raise ValueError
        return from_microseconds(int(found[1])), from_microseconds(int(found[2])), UUID(hex=found[3])
    except (ValueError, OverflowError):
        raise InvalidInput("after", "must be the `place` of a session in a list") from None


def read_sessions(runtime: Runtime, wanted: SessionFilter, limit: int) -> list[SessionSummary]:
    """Sessions, the most recently active first."""
    rows = _most_active(runtime, wanted, limit)
    glimpses = _read_glimpses(runtime, rows)
    return [_summary(row, glimpses[row.session]) for row in rows]


def read_session(runtime: Runtime, id: UUID) -> SessionSummary:
    """The entry of one session in the list."""
    (summary,) = read_sessions(runtime, SessionFilter(ids=(id,)), 1)
    return summary


def summary_of(session: "Session") -> SessionSummary:
    """The same of a session that is open."""
    return read_session(session._runtime, session.id)


def _most_active(runtime: Runtime, wanted: SessionFilter, limit: int) -> list[_Row]:
    """The rows of the most recently active sessions. The database knows their order by the time of recording; imported
    sessions were active before that, so pages are read until no session that follows can be among the first."""
    found: list[_Row] = []
    page = max(limit, SESSIONS_AT_ONCE)
    parameters: dict[str, Any] = wanted._asdict() | {"types": list(wanted.types) or None, "upkeep": [*UPKEEP]}
    del parameters["after"]
    parameters["projects"] = runtime.projects
    parameters["ids"] = None if wanted.ids is None else list(wanted.ids)
    parameters |= {"recorded": datetime.max.replace(tzinfo=UTC), "session": UUID(int=2**128 - 1)}
    while True:
        rows = _page(runtime, parameters | {"page": page})
        found = sorted([*found, *filter(wanted.includes, rows)], key=lambda row: row.order)[-limit:]
        if len(rows) < page:
            break
        last = rows[-1].recorded_at
        if (len(found) == limit and last < found[0].order[0]) or (wanted.since and last < wanted.since):
            break
        parameters |= {"recorded": last, "session": rows[-1].session}
        page = min(2 * page, LARGEST)
    return found[::-1]


def _page(runtime: Runtime, parameters: dict[str, Any]) -> list[_Row]:
    rows = runtime.database.read(lambda c: c.execute(query("sessions"), parameters).fetchall())
    return [_Row._make(row) for row in rows]


def _summary(row: _Row, glimpse: _Glimpse) -> SessionSummary:
    labels, counts = row.summary["labels"], item_counts(row.summary)
    usage = (row.tokens or 0) / row.token_limit if row.token_limit else None
    return SessionSummary(
        id=row.session,
        version=row.version,
        started_at=row.started_at,
        last_activity=row.active_at,
        title=glimpse.title,
        status=labels.get("status", "open"),
        project=labels.get("project"),
        tags=tuple(labels.get("tags", ())),
        messages=counts.get("message", 0) + counts.get("tool_exchange", 0),
        decisions=counts.get("decision", 0),
        tokens=row.tokens or 0,
        token_limit=row.token_limit,
        epoch=row.epoch,
        titled=glimpse.titled,
        agents=glimpse.agents,
        primary_files=glimpse.primary_files,
        usage=usage,
        zone=zone_of(labels, usage or 0.0),
        cost_usd=glimpse.cost_usd,
        place=place_of(row.order),
    )


def _read_glimpses(runtime: Runtime, sessions: Sequence[_Row]) -> dict[UUID, _Glimpse]:
    """Details of each session, in one query."""
    if not sessions:
        return {}
    away = [(row.session, row.title_place) for row in sessions if row.title is None and row.title_place]
    wanted = {
        "ids": [row.session for row in sessions],
        "titled": [session for session, _ in away],
        "title_versions": [place[0] for _, place in away],
        "title_parts": [place[1] for _, place in away],
        "untitled": [row.session for row in sessions if row.title is None],
        "first": FIRST_EVENTS,
        "newest": NEWEST_EVENTS,
        "focused": FOCUS_EVENTS,
        "texts": NEWEST_TEXTS,
        "longest": LONGEST_TEXT,
    }
    rows = runtime.database.read(lambda c: c.execute(query("session_glimpses"), wanted).fetchall())
    given = {row.session: row.title for row in sessions}
    return {row[0]: _glimpse(given[row[0]], *row[1:]) for row in rows}


def _glimpse(
    own: bytes | None,
    inherited: bytes | None,
    asked: bytes | None,
    writers: list[str] | None,
    focus: bytes | None,
    texts: list[bytes | None] | None,
    cost: float | None,
) -> _Glimpse:
    given = own if own is not None else inherited
    if given is not None:
        title: str | None = given.decode(errors="replace")
    else:
        title = None if asked is None else derived_title(asked.decode(errors="ignore"))
    files = _focused(focus) or _mentioned([text for text in (*(texts or ()), asked) if text is not None])
    return _Glimpse(title, given is not None, tuple(writers or ()), files, cost or 0.0)


def _focused(payload: bytes | None) -> tuple[str, ...]:
    try:
        files = json.loads(payload or b"{}").get("files", ())
    except (ValueError, AttributeError):
        return ()
    return tuple(str(file) for file in files)[:PRIMARY_FILES]


def _mentioned(texts: Sequence[bytes]) -> tuple[str, ...]:
    # A scan and not a whole extraction: only files are wanted, and a list has many sessions.
    said = outside_code("\n".join(text.decode(errors="ignore") for text in texts))
    counts = Counter(found.name for found in scan(said) if as_address(said, found).kind == "file")
    return tuple(name for name, _ in counts.most_common(PRIMARY_FILES))
