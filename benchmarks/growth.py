"""Whether anything gets slower as a session grows: appends, the state now, the state at any version."""

import random
import time
from collections.abc import Callable
from statistics import median

from backstory import ContextStore
from backstory.session import Session
from benchmarks.messages import MESSAGES

LIVE = 1500


def grown_session(store: ContextStore, events: int, live: int) -> Session:
    """A session of so many events, with so many items live at its end and throughout its later part."""
    session = store.start(limit=2_000_000)
    ids: list[int] = []
    version = 1
    while version < events:
        batch = min(500, events - version)
        leave = ids[: max(0, len(ids) + batch - live)]
        with session.atomic() as tx:
            if leave:
                tx.remove(*leave)
            for number in range(batch - bool(leave)):
                tx.message(MESSAGES[(version + number) % len(MESSAGES)])
        ids = ids[len(leave) :] + list(range(version + 1 + bool(leave), version + 1 + batch))
        version += batch
    return session


def p50(work: Callable[[], object], times: int) -> float:
    """The median of some calls, in milliseconds."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return median(taken)


def growth(url: str, rounds: int) -> dict[str, tuple[float, float]]:
    """For each operation, milliseconds in the short session and in the long one, taken in turns."""
    with ContextStore.open(url) as store:
        tiny = grown_session(store, 100, LIVE)
        short = grown_session(store, 1_700, LIVE)
        long = grown_session(store, 100_000, LIVE)
        dice = random.Random(7)
        for session, newest in ((short, 1_700), (long, 100_000)):
            assert len(session.state.items) >= LIVE - 500
            session.at(dice.randint(1_600, newest))
        found: dict[str, list[tuple[float, float]]] = {"append": [], "state": [], "at(any version)": []}
        for _ in range(rounds):
            found["append"].append(
                (p50(lambda: tiny.message("x" * 540), 60), p50(lambda: long.message("x" * 540), 60))
            )
            found["state"].append((p50(lambda: short.state, 20), p50(lambda: long.state, 20)))
            found["at(any version)"].append(
                (
                    p50(lambda: short.at(dice.randint(1_000, 1_700)), 20),
                    p50(lambda: long.at(dice.randint(1_000, 100_000)), 20),
                )
            )
        return {
            name: (median(pair[0] for pair in pairs), median(pair[1] for pair in pairs))
            for name, pairs in found.items()
        }
