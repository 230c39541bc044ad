"""Five simulated days of one session: 100,000 events, checked before every call, and nothing done by hand.

Times are those that the work would have taken (`occurred_at`). What is looked at: whether any call was sent more than
the window's limit, whether every decision is still in the record, whether memory grows, and whether calls get slower.
"""

import gc
import random
import resource
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import NamedTuple

from backstory import ContextStore, Session
from backstory.domain.policies.assembly import LONG_HISTORY

EVENTS, QUICK_EVENTS = 100_000, 5_000
DAYS = 5
LIMIT = 32_000
BEGAN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
DECIDES_EVERY = 50
"""Calls between two decisions."""
_WORDS = (
    "token",
    "session",
    "ledger",
    "cursor",
    "batch",
    "stream",
    "offset",
    "replica",
    "snapshot",
    "index",
    "cache",
    "queue",
    "retry",
    "window",
    "budget",
    "parser",
)


class Days(NamedTuple):
    """What five days came to."""

    events: int
    calls: int
    most_sent: int
    limit: int
    over: int
    """Calls that were sent more than the limit."""
    decisions_made: int
    decisions_in_record: int
    memory_start: int
    """Megabytes after the first tenth."""
    memory_end: int
    first: float
    """Milliseconds a call, median of the first thousand."""
    last: float
    """The same of the last thousand."""
    actions: dict[str, int]
    """What the checks did, by kind."""

    @property
    def slower(self) -> float:
        return self.last / self.first


def five_days(url: str, events: int = EVENTS, report: Callable[[str], None] = print) -> Days:
    """Lives through them."""
    step = timedelta(days=DAYS) / events
    dice = random.Random(5)
    with ContextStore.open(url) as store:
        session = store.start(title="Five days", limit=LIMIT)
        session.set_system_prompt("You are a careful engineer.")
        session.add_constraint("Every error names the field that broke a rule.")
        taken: list[float] = []
        actions: dict[str, int] = {}
        most, over, made, memory = 0, 0, 0, 0
        version, told = session.version, 0
        while version < events:
            at = BEGAN + version * step
            turn = session.occurred(at)
            _work(turn, len(taken), dice)
            if len(taken) % DECIDES_EVERY == 0:
                turn.decide(f"Keep part_{made} as it is", rationale=_prose(dice, 12))
                made += 1
            began = time.perf_counter()
            check = turn.before_call()
            context = turn.context(policy=LONG_HISTORY, as_of=at)
            taken.append((time.perf_counter() - began) * 1000)
            for action in check.actions:
                actions[action] = actions.get(action, 0) + 1
            sent = max(context.tokens, check.tokens)
            most, over = max(most, sent), over + (sent > LIMIT)
            turn.message(f"I changed part_{len(taken)}. {_prose(dice, 30)}", role="agent")
            version = session.version
            if version * 10 // events > told:
                told = version * 10 // events
                memory = memory or _megabytes()
                report(
                    f"{version:,} events, {len(taken):,} calls, {_megabytes()} MB, last call {taken[-1]:.0f} ms"
                )
        part = min(1000, len(taken) // 3)
        return Days(
            events=version,
            calls=len(taken),
            most_sent=most,
            limit=LIMIT,
            over=over,
            decisions_made=made,
            decisions_in_record=_decisions(session),
            memory_start=memory,
            memory_end=_megabytes(),
            first=median(taken[:part]),
            last=median(taken[-part:]),
            actions=dict(sorted(actions.items())),
        )


def _work(turn: Session, number: int, dice: random.Random) -> None:
    """A question now and then, and a tool that is called and answers: mostly a little, sometimes a lot."""
    if number % 4 == 0:
        turn.message(f"Now look at src/part_{number}.py. {_prose(dice, 20)}")
    call = f"call_{number}"
    turn.tool_call("read", {"path": f"src/part_{number}.py"}, call_id=call)
    turn.tool_result(call, _prose(dice, dice.choice((20, 60, 200, 200, 1500))))


def _prose(dice: random.Random, words: int) -> str:
    return " ".join(dice.choices(_WORDS, k=words))


def _decisions(session: Session) -> int:
    """All that can be read back, page by page."""
    found, before = 0, None
    while page := session.decisions(before=before, limit=200):
        found += len(page)
        before = page[-1].id
    return found


def _megabytes() -> int:
    """What the process holds now, not what it once held."""
    gc.collect()
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize() // 2**20
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 2**10
