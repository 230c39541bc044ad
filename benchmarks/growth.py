"""The state at any version, in a short session and in a long one."""

import random
import time
from statistics import median

from backstory import ContextStore, Session
from benchmarks.goals import Row, ratio
from benchmarks.messages import MESSAGES

SHORT, LONG = 1_000, 100_000
LIVE = 500
"""Items in the window, in both sessions: what is read must differ in history alone."""
BATCH = 250


def any_version_row(url: str, rounds: int) -> Row:
    with ContextStore.open(url) as store:
        sessions = [(_grown(store, events), events) for events in (SHORT, LONG)]
        dice = random.Random(7)
        found: list[list[float]] = [[], []]
        for _ in range(1 + rounds):
            for (session, events), taken in zip(sessions, found, strict=True):
                taken.append(median(_milliseconds(session, dice.randint(LIVE, events)) for _ in range(30)))
    # The first round fills caches and plans.
    short, long = (median(taken[1:]) for taken in found)
    detail = f"{long:.1f} ms, {short:.1f} ms at {SHORT:,}"
    return ratio(f"at(any version) at {LONG:,} events", long / short, 1.5, detail)


def _milliseconds(session: Session, version: int) -> float:
    began = time.perf_counter()
    session.at(version)
    return (time.perf_counter() - began) * 1000


def _grown(store: ContextStore, events: int) -> Session:
    """A session of this many events, whose window holds about `LIVE` items once it is full."""
    session = store.start(limit=2_000_000)
    ids: list[int] = []
    version = 1
    while version < events:
        batch = min(BATCH, events - version)
        leave = ids[: max(0, len(ids) + batch - LIVE)]
        with session.atomic() as tx:
            if leave:
                tx.items.remove(*leave)
            for number in range(batch - bool(leave)):
                tx.message(MESSAGES[(version + number) % len(MESSAGES)])
        ids = ids[len(leave) :] + list(range(version + 1 + bool(leave), version + 1 + batch))
        version += batch
    return session
