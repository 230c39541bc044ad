"""What is looked through: the branches of one session, or of all sessions of a project with its memory."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.application.search.visible import Piece, Scope
from backstory.domain.log.lineage import BranchPoint, VersionRange, first_own_version, lineage
from backstory.domain.values import microseconds
from backstory.infrastructure.postgres.queries import query


def session_scope(
    runtime: Runtime, stream: UUID, version: int, *, abandoned: bool = False, quarantined: bool = False
) -> Scope:
    """What leads to a version of a session; with `abandoned`, also the branches that were left up to there, and with
    `quarantined`, also what is in quarantine now."""
    live = runtime.reader.lineage(stream, version)
    hidden: frozenset[int] = frozenset()
    if not quarantined:
        with runtime.reader.borrow(stream) as newest:
            hidden = frozenset(newest.quarantined)
    if not abandoned:
        return Scope(stream, [Piece(range_, True) for range_ in live], hidden)
    return Scope(stream, [*_parted(runtime.reader.log_of(stream, version), live)], hidden)


def store_scopes(
    runtime: Runtime,
    project: str | None,
    sessions: Sequence[UUID] | None,
    *,
    abandoned: bool = False,
    quarantined: bool = False,
) -> list[Scope]:
    """The sessions of a project and its memory, or all of both, or these sessions, as they are now, oldest first. What
    several have in common is looked through once: where it was recorded or, if that session is not among these, in the
    oldest fork. What is in quarantine there or where it was recorded is not looked through unless `quarantined`."""
    parameters = {
        "project": project,
        "projects": runtime.projects,
        "streams": None if sessions is None else list(sessions),
    }
    rows = runtime.database.read(lambda c: c.execute(query("streams_to_search"), parameters).fetchall())
    heads: dict[UUID, int] = {stream: version for stream, version, _ in rows}
    for session in sessions or ():
        if session not in heads:
            runtime.require_head(session)
    points: dict[UUID, list[BranchPoint]] = {stream: [] for stream in heads}
    found = runtime.database.read(
        lambda c: c.execute(query("branch_points_of_all"), (list(heads),)).fetchall()
    )
    for stream, *point in found:
        points[stream].append(BranchPoint._make(point))

    def points_of(stream: UUID) -> list[BranchPoint]:
        if stream not in points:
            points[stream] = runtime.log.branch_points(stream)
        return points[stream]

    live: dict[UUID, list[VersionRange]] = {stream: [] for stream in heads}
    seen_in = {stream: stream for stream in heads}
    for session, version in heads.items():
        for range_ in lineage(session, version, points_of):
            live.setdefault(range_.stream, []).append(range_)
            seen_in.setdefault(range_.stream, session)
    projects: dict[UUID, str | None] = {stream: project for stream, _, project in rows}
    shut_away = {} if quarantined else _quarantined(runtime, {*live, *heads})
    scopes = []
    for stream, ranges in live.items():
        ranges = [*_joined(ranges)]
        whole = ranges
        if abandoned and stream in heads:
            whole = [VersionRange(stream, first_own_version(points_of(stream), stream), heads[stream])]
        name = projects.get(stream)
        hidden = {*shut_away.get(stream, ()), *shut_away.get(seen_in[stream], ())}
        if name is not None and not abandoned:
            hidden.update(past_memories(runtime, stream))
        scopes.append(Scope(seen_in[stream], [*_parted(whole, ranges)], frozenset(hidden), name))
    return scopes


def _quarantined(runtime: Runtime, streams: Iterable[UUID]) -> dict[UUID, list[int]]:
    """By stream, the items in quarantine."""
    found: dict[UUID, list[int]] = {}
    rows = runtime.database.read(lambda c: c.execute(query("items_in_quarantine"), ([*streams],)).fetchall())
    for stream, item in rows:
        found.setdefault(stream, []).append(item)
    return found


def past_memories(runtime: Runtime, project: UUID) -> list[int]:
    """The memories of a project that do not hold now."""
    now = microseconds(datetime.now(UTC))
    with runtime.reader.borrow(project) as state:
        return [id for id, note in state.memories.items() if not note.holds_at(now)]


def _parted(whole: Iterable[VersionRange], live: Sequence[VersionRange]) -> Iterator[Piece]:
    """Ranges, cut where they begin or cease to be live."""
    for range_ in whole:
        first = range_.first
        for lasting in live:
            if lasting.stream != range_.stream or lasting.last < first or lasting.first > range_.last:
                continue
            if lasting.first > first:
                yield Piece(range_._replace(first=first, last=lasting.first - 1), False)
            last = min(lasting.last, range_.last)
            yield Piece(range_._replace(first=max(first, lasting.first), last=last), True)
            first = last + 1
        if first <= range_.last:
            yield Piece(range_._replace(first=first), False)


def _joined(ranges: Iterable[VersionRange]) -> Iterator[VersionRange]:
    """Ranges of one stream without overlaps, in the order of their versions."""
    last: VersionRange | None = None
    for range_ in sorted(ranges):
        if last is not None and range_.first <= last.last + 1:
            last = last._replace(last=max(last.last, range_.last))
            continue
        if last is not None:
            yield last
        last = range_
    if last is not None:
        yield last
