"""Tiers brought up to date: in one session, or in every open one that has something due.

What is due is read while the session's lock is held, and the event is appended before it is given back. So any number
of workers may run at once: each item is moved once, and nothing that was accessed meanwhile is moved by mistake.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from backstory.application.runtime import Runtime
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request
from backstory.domain.commands.tiers import reassign_tiers
from backstory.domain.errors import SessionBusy
from backstory.domain.log.guards import NO_GUARD
from backstory.domain.policies.tiers import Move, TieredItem, TierPolicy, tier_policy_of
from backstory.domain.values import LARGEST, aware, microseconds
from backstory.infrastructure.postgres.locks import lock_stream
from backstory.infrastructure.postgres.queries import query

TOGETHER = 50
"""Sessions that one transaction updates. Their writers wait for it, some tens of milliseconds."""

Progress = Callable[[int, int], None]


class TierUpdate(NamedTuple):
    """The result of an update in one session. Without a move there is no event."""

    as_of: datetime
    version: int | None
    """The version of the event."""
    moves: tuple[Move, ...]


class TiersUpdated(NamedTuple):
    """The result of an update of the whole store."""

    as_of: datetime
    sessions: int
    """Sessions with due items."""
    updated: int
    """Sessions in which an item moved."""
    moved: int
    """Items that are in another tier now."""
    busy: int
    """Sessions whose lock was not free in time; their turn comes with the next run."""


def update_session(runtime: Runtime, stream: UUID, as_of: datetime | None, said: Provenance) -> TierUpdate:
    """Brings one session up to date, whether it is open or not."""
    at = aware("as_of", as_of) or said.occurred_at or datetime.now(UTC)
    run = _Run(runtime, at, Provenance(said.actor, said.occurred_at if as_of is None else at))
    if not runtime.database.read(lambda c: run.moves(c, [stream])).get(stream):
        return TierUpdate(at, None, ())
    (done,) = runtime.database.repeat(lambda c: run.update(c, [stream], wait=True), certain=True).values()
    return done


def update_store(runtime: Runtime, as_of: datetime | None, progress: Progress | None = None) -> TiersUpdated:
    """Brings every open session up to date that has something due. What is not due costs nothing."""
    at = aware("as_of", as_of) or datetime.now(UTC)
    run = _Run(runtime, at, Provenance(occurred_at=None if as_of is None else at))
    wanted = {"minute": minute_of(at)}
    due = [
        row[0] for row in runtime.database.read(lambda c: c.execute(query("due_streams"), wanted).fetchall())
    ]
    done: dict[UUID, TierUpdate] = {}
    for first in range(0, len(due), TOGETHER):
        batch = due[first : first + TOGETHER]
        done |= runtime.database.repeat(partial(run.update, streams=batch), certain=True)
        if progress is not None:
            progress(len(done), len(due))
    busy = 0
    for stream in due:
        if stream not in done:
            # Somebody wrote to it just then, or another worker is at it.
            try:
                done |= runtime.database.repeat(
                    partial(run.update, streams=[stream], wait=True), certain=True
                )
            except SessionBusy:
                busy += 1
            if progress is not None:
                progress(len(done) + busy, len(due))
    moved = [len(update.moves) for update in done.values() if update.moves]
    return TiersUpdated(at, len(due), len(moved), sum(moved), busy)


def minute_of(at: datetime) -> int:
    """The minute since 1970 by which the read model keeps what is due."""
    return min(LARGEST, microseconds(at) // 60_000_000)


class _Run(NamedTuple):
    """One update: for which moment, and by whom."""

    runtime: Runtime
    as_of: datetime
    said: Provenance

    def update(
        self, connection: psycopg.Connection, streams: Sequence[UUID], *, wait: bool = False
    ) -> dict[UUID, TierUpdate]:
        """Updates those of the sessions whose lock is free or, if told to, waits for it."""
        done: dict[UUID, TierUpdate] = {}
        with connection.transaction():
            held = list(streams)
            if wait:
                connection.execute(query("limit_lock_wait"))
                for stream in streams:
                    lock_stream(connection, stream)
            else:
                held = [row[0] for row in connection.execute(query("lock_free_streams"), (held,))]
            for stream, (policy, moves) in self.moves(connection, held).items():
                change = reassign_tiers(moves=moves, policy=policy, as_of=self.as_of)
                pending = Request(ContentBundle(), change, self.said).pending(change)
                version = self.runtime.append_on(
                    connection, stream, [pending], guard=NO_GUARD, epoch=None
                ).last_version
                done[stream] = TierUpdate(self.as_of, version, tuple(moves))
        if done:
            self.runtime.database.announcer.appended()
        return {stream: done.get(stream) or TierUpdate(self.as_of, None, ()) for stream in held}

    def moves(
        self, connection: psycopg.Connection, streams: Sequence[UUID]
    ) -> dict[UUID, tuple[TierPolicy, list[Move]]]:
        """The sessions with items to move, and those moves."""
        wanted = {"streams": list(streams), "minute": minute_of(self.as_of)}
        weighed: dict[UUID, list[TieredItem]] = {}
        rows: list[Any] = connection.execute(query("due_items"), wanted, binary=True).fetchall()
        for stream, item, importance, accesses, touched, tier in rows:
            one = TieredItem(item, importance, accesses, microseconds(touched), tier)
            weighed.setdefault(stream, []).append(one)
        if not weighed:
            return {}
        found = {}
        at = microseconds(self.as_of)
        for stream, labels in connection.execute(query("stream_labels"), (list(weighed),)).fetchall():
            policy = tier_policy_of(labels)
            if moves := policy.moves(weighed[stream], at):
                found[stream] = (policy, moves)
        return found
