"""What `context()` costs in a long session, and how much of a prompt stays the same from one call to the next."""

import json
import time
from statistics import mean, median
from typing import NamedTuple

from backstory import ContextStore
from backstory.context import Context
from backstory.domain.assembly.layout_2 import CONTEXT_OPENS
from backstory.session import Session
from benchmarks.growth import LIVE, grown_session
from benchmarks.messages import MESSAGES

BUDGETS = (8_000, 100_000)
# The short session cannot be shorter and hold as many live items as the long one.
SHORT, LONG = 1_700, 100_000
QUICK_LONG = 10_000
CALLS = 40


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


class Prefix(NamedTuple):
    """Over calls between which only messages were added."""

    share: float
    """The mean share of the earlier prompt that the next one begins with."""
    whole: float
    """In how many calls that was all of it."""


def stable_prefix(url: str, budget: int = BUDGETS[0]) -> Prefix:
    """Turns of two messages. What stands after the conversation is rebuilt each time and not counted."""
    with ContextStore.open(url) as store:
        session = store.start(limit=200_000)
        session.message("You are a careful engineer.", role="system")
        for text in MESSAGES[:200]:
            session.message(text)
        shares = []
        earlier = session.context(budget, format="openai")
        for number in range(CALLS):
            session.message(MESSAGES[200 + number], role="agent")
            session.message(MESSAGES[500 + number])
            later = session.context(budget, format="openai")
            shares.append(_shared(earlier, later))
            earlier = later
        return Prefix(mean(shares), sum(share == 1 for share in shares) / CALLS)


def _shared(earlier: Context, later: Context) -> float:
    steady = _without_tail(earlier)
    pairs = enumerate(zip(steady, later.data, strict=False))
    differs = next(
        (place for place, (one, other) in pairs if one != other), min(len(steady), len(later.data))
    )
    return differs / len(steady)


def _without_tail(context: Context) -> bytes:
    """The prompt's bytes up to the message that shows the state, which is the last one."""
    last = context.messages[-1]
    if not str(last["content"]).startswith(CONTEXT_OPENS):
        return context.data.removesuffix(b"]")
    tail = json.dumps(last, ensure_ascii=False, separators=(",", ":")).encode()
    assert context.data.endswith(tail + b"]")
    return context.data[: -len(tail) - 2]
