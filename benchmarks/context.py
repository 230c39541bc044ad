"""What `context()` costs in a long session."""

import time
from statistics import median

from backstory import ContextStore
from backstory.session import Session
from benchmarks.growth import LIVE, grown_session
from benchmarks.messages import MESSAGES

BUDGETS = (8_000, 100_000)
# The short session cannot be shorter and hold as many live items as the long one.
SHORT, LONG = 1_700, 100_000
QUICK_LONG = 10_000


def context_growth(url: str, rounds: int, long_events: int = LONG) -> dict[int, tuple[float, float]]:
    """For each budget, milliseconds (p50) in the short session and in the long one, taken in turns."""
    with ContextStore.open(url) as store:
        sessions = [grown_session(store, events, LIVE) for events in (SHORT, long_events)]
        found: dict[int, list[tuple[float, ...]]] = {budget: [] for budget in BUDGETS}
        for session in sessions:
            _p50(session, BUDGETS[0], 3)
        for _ in range(rounds):
            for budget in BUDGETS:
                found[budget].append(tuple(_p50(session, budget, 15) for session in sessions))
        return {
            budget: (median(pair[0] for pair in pairs), median(pair[1] for pair in pairs))
            for budget, pairs in found.items()
        }


def _p50(session: Session, budget: int, times: int) -> float:
    """As in an agent's loop: each call comes after something new was said, which is not timed."""
    taken = []
    for number in range(times):
        session.message(MESSAGES[number])
        began = time.perf_counter()
        session.context(budget, format="openai")
        taken.append((time.perf_counter() - began) * 1000)
    return median(taken)
