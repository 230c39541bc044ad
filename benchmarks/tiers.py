"""What tiers cost: an update where little is due beside one that weighs everything, look-ups, flash saves, diffs."""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import median
from typing import NamedTuple
from uuid import UUID, uuid4

import psycopg

from backstory import ContextStore, Session
from backstory.domain.commands.tiers import reassign_tiers
from backstory.domain.guards import NO_GUARD
from backstory.domain.policies.tiers import DEFAULT_TIERS, Weighed
from backstory.domain.values import microseconds
from backstory.drafts import Draft
from backstory.infrastructure.appending import append
from backstory.requests import Provenance, Request
from benchmarks.growth import p50

NOW = datetime(2026, 11, 9, 12, tzinfo=UTC)
EACH = 1_000
"""Items of a session."""
DUE = 1_000
"""Items that have to move, in sessions with ten of them each."""
DUE_IN_ONE = 10
ROUNDS = 3
IMPORTANCE = 0.9


class Recompute(NamedTuple):
    items: int
    due: float
    """Seconds of an update, with a thousand items to move."""
    everything: float
    """Seconds of one that reads and weighs every item, and moves as many."""
    nothing: float
    """Seconds of an update with nothing due."""


class Handling(NamedTuple):
    look_up: float
    """Milliseconds, p50: the HOT items of a session of a thousand, without what they say."""
    load: float
    """Milliseconds, p50: the same with what they say, and the access counted."""
    flash_save: float
    """Milliseconds, median: of a thousand items."""
    diff: float
    """Milliseconds, p50: a working set of a thousand items, of which ten are new."""


def recompute(url: str, sessions: int) -> Recompute:
    """Medians of alternating rounds. The items of each round's thousand were brought so that they cool in it."""
    with ContextStore.open(url) as store:
        streams = _filled(store, sessions, url)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("vacuum analyze backstory.items")
        ours, theirs, idle = [], [], []
        for number in range(ROUNDS):
            early, late = _moment(2 * number), _moment(2 * number + 1)
            ours.append(_seconds(DUE, partial(_update, store, early)))
            idle.append(_seconds(0, partial(_update, store, early)))
            theirs.append(_seconds(DUE, partial(_weigh_everything, store, streams, late)))
        return Recompute(sessions * EACH, median(ours), median(theirs), median(idle))


def due_at_once(url: str, counts: Sequence[int] = (1_000, 10_000)) -> list[float]:
    """Seconds of an update in which so many items of one session have to move, each in a session of its own."""
    taken = []
    with ContextStore.open(url) as store:
        cooling = DEFAULT_TIERS.next_crossing(IMPORTANCE, 0, 0, "HOT")
        assert cooling is not None
        # The first one of a process also makes plans and connections.
        for number, count in enumerate((counts[0], *counts)):
            moment = _moment(number)
            session = store.start()
            _save(session, moment - timedelta(microseconds=cooling, minutes=5), count)
            taken.append(_seconds(count, partial(_update, store, moment)))
    return taken[1:]


def handling(url: str) -> Handling:
    with ContextStore.open(url) as store:
        session = store.start()
        _save(session, datetime.now(UTC), EACH - 50, importance=0.3)
        _save(session, datetime.now(UTC), 50, importance=1.0)
        working = store.start()
        _save(working, datetime.now(UTC), EACH, importance=1.0)
        items = working.agent("coder").context_diff({}).load
        known = {item.id: item.digest for item in items}
        new = list(known)[::100]
        diff = p50(lambda: _diff(working, {i: d for i, d in known.items() if i not in new}, len(new)), 50)
        saves = []
        for _ in range(5):
            crowded = store.start(limit=1_000_000)
            _save(crowded, datetime.now(UTC), EACH - 50, importance=0.3)
            _save(crowded, datetime.now(UTC), 50, importance=1.0)
            # Whoever saves has worked in the session: its state is at hand.
            assert crowded.state.tokens
            began = time.perf_counter()
            done = crowded.flash_save()
            saves.append((time.perf_counter() - began) * 1000)
            assert done.items_archived == EACH - 50, done
        return Handling(
            p50(lambda: session.tier_items("HOT"), 200),
            p50(lambda: session.load("HOT"), 50),
            median(saves),
            diff,
        )


def _diff(session: Session, known: dict[int, str], loaded: int) -> None:
    found = session.context_diff(known)
    assert (len(found.load), found.unload) == (loaded, ())


def _moment(round_: int) -> datetime:
    return NOW + timedelta(minutes=10 * (round_ + 1))


def _filled(store: ContextStore, sessions: int, url: str) -> list[UUID]:
    """Sessions whose items cool hours from now, but for ten in each of some that cool in one of the rounds. Those and
    one other are written as any session is; the rest are copies of that one, since a million writes take long."""
    cooling = DEFAULT_TIERS.next_crossing(IMPORTANCE, 0, 0, "HOT")
    assert cooling is not None
    lasting = timedelta(microseconds=cooling)
    carriers = DUE // DUE_IN_ONE
    assert sessions > carriers
    streams = []
    for number in range(carriers + 1):
        session = store.start()
        streams.append(session.id)
        rest = EACH
        if number < carriers:
            for round_ in range(2 * ROUNDS):
                _save(session, _moment(round_) - lasting - timedelta(minutes=5), DUE_IN_ONE)
            rest -= 2 * ROUNDS * DUE_IN_ONE
        _save(session, NOW, rest)
    copies = [uuid4() for _ in range(sessions - len(streams))]
    with psycopg.connect(url, autocommit=True) as connection:
        for table in ("streams", "items"):
            columns = ", ".join(
                row[0]
                for row in connection.execute(
                    "select attname from pg_attribute where attrelid = %s::regclass and attnum > 1 "
                    "and not attisdropped order by attnum",
                    (f"backstory.{table}",),
                )
            )
            connection.execute(
                f"insert into backstory.{table} (stream_id, {columns}) select copy, {columns} "
                f"from unnest(%s::uuid[]) as copies (copy), backstory.{table} where stream_id = %s".encode(),
                (copies, streams[-1]),
            )
    return streams + copies


def _save(session: Session, at: datetime, count: int, importance: float = IMPORTANCE) -> None:
    with session.occurred(at).atomic() as tx:
        for number in range(count):
            tx.save("note", f"note {number}", importance=importance)


def _update(store: ContextStore, as_of: datetime) -> int:
    return store.update_tiers(as_of).moved


def _seconds(moved: int, work: Callable[[], int]) -> float:
    began = time.perf_counter()
    found = work()
    taken = time.perf_counter() - began
    assert found == moved, (found, moved)
    return taken


def _weigh_everything(store: ContextStore, streams: list[UUID], as_of: datetime) -> int:
    """An update that does not know what is due: reads every live item, weighs it, and says what moved."""
    moved, at = 0, microseconds(as_of)
    database = store._core.database
    for batch in _batches(streams, 50):
        with database.connection() as connection, connection.transaction():
            weighed: dict[UUID, list[Weighed]] = {}
            rows = connection.execute(
                "select stream_id, item, importance, accesses, touched_at, tier from backstory.items "
                "where stream_id = any (%s) and windows <> '{}'",
                (batch,),
                binary=True,
            )
            for stream, item, importance, accesses, touched, tier in rows:
                weighed.setdefault(stream, []).append(
                    Weighed(item, importance, accesses, microseconds(touched), tier)
                )
            for stream, found in weighed.items():
                moves = DEFAULT_TIERS.moves(found, at)
                if moves:
                    change = reassign_tiers(moves=moves, policy=DEFAULT_TIERS, as_of=as_of)
                    pending = Request(Draft(), change, Provenance(occurred_at=as_of)).pending(change)
                    append(connection, stream, [pending], guard=NO_GUARD, epoch=None)
                    moved += len(moves)
    return moved


def _batches(streams: list[UUID], size: int) -> Iterator[list[UUID]]:
    for first in range(0, len(streams), size):
        yield streams[first : first + size]
