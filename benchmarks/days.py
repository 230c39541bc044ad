"""Five simulated days of one session: 100,000 events, with `before_call` and a context before every model call.

The last thousand calls are timed in turns with the first thousand of a new session in a new process. Minutes lie
between the first and the last call, and the speed of a shared machine changes meanwhile; in turns, both have the same
minutes.
"""

import gc
import random
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import mean

from backstory import ContextStore, Session
from benchmarks.goals import Row, ratio

EVENTS, QUICK_EVENTS = 100_000, 5_000
DAYS = 5
LIMIT = 32_000
BEGAN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
DECIDES_EVERY = 50
"""Calls between two decisions."""
_WORD_TEXT = (
    "token session ledger cursor batch stream offset replica snapshot index cache queue retry window "
    "budget parser"
)
_WORDS = _WORD_TEXT.split()


def days_rows(url: str, *, quick: bool) -> Iterator[Row]:
    events = QUICK_EVENTS if quick else EVENTS
    step = timedelta(days=DAYS) / events
    thousand = min(1_000, events // 20)
    with ContextStore.open(url) as store:
        life = _Life(store, step)
        memory: list[int] = []
        while events - life.version > thousand * life.version / max(life.calls, 1):
            life.call()
            if life.version * 10 // events > len(memory):
                memory.append(_megabytes())
        first, last = [], []
        with _new_process(url, step) as call_there:
            while life.version < events:
                last.append(life.call())
                first.append(call_there())
        memory.append(_megabytes())
        recorded = _decisions(life.session)
    name = f"five days, {life.version:,} events"
    most = f"{life.most_sent:,} of {LIMIT:,} tokens in {life.calls:,} calls"
    yield Row(f"{name}: most tokens sent", most, "never over", life.most_sent <= LIMIT)
    decisions = f"{recorded:,} of {life.decided:,}"
    yield Row(f"{name}: decisions in the record", decisions, "all", recorded >= life.decided)
    flat = max(memory) <= 1.1 * memory[0]
    yield Row(f"{name}: memory", f"{memory[0]} to {max(memory)} MB", "flat: ≤ 1.1 ×", flat)
    detail = f"{mean(last):.1f} ms, {mean(first):.1f} ms in a new session"
    yield ratio(f"{name}: last {len(last):,} calls against the first", mean(last) / mean(first), 1.5, detail)


@contextmanager
def _new_process(url: str, step: timedelta) -> Iterator[Callable[[], float]]:
    """A session in a process of its own. Each call of the yielded function makes its next model call."""
    processes = get_context("spawn")
    here, there = processes.Pipe()
    process = processes.Process(target=_answer, args=(url, step, there), daemon=True)
    process.start()
    there.close()

    def call() -> float:
        here.send(True)
        return float(here.recv())

    try:
        yield call
    finally:
        here.send(False)
        process.join()


def _answer(url: str, step: timedelta, asked: Connection) -> None:
    with ContextStore.open(url) as store:
        life = _Life(store, step)
        while asked.recv():
            asked.send(life.call())


class _Life:
    """One session at work. The same work for every one that begins."""

    def __init__(self, store: ContextStore, step: timedelta) -> None:
        self.session = store.start(title="Five days", limit=LIMIT)
        self.session.set_system_prompt("You are a careful engineer.")
        self.session.work.add_constraint("Every error names the field that broke a rule.")
        self._step = step
        self._dice = random.Random(5)
        self.version = self.session.version
        self.calls = self.most_sent = self.decided = 0

    def call(self) -> float:
        """Some work and the model call after it. Returns the milliseconds of `before_call` and `context`."""
        dice, at = self._dice, BEGAN + self.version * self._step
        turn = self.session.occurred(at)
        _work(turn, self.calls, dice)
        if self.calls % DECIDES_EVERY == 0:
            turn.decide(f"Keep part_{self.decided} as it is", rationale=_prose(dice, 12))
            self.decided += 1
        began = time.perf_counter()
        check = turn.before_call()
        context = turn.context(as_of=at)
        taken = time.perf_counter() - began
        self.calls += 1
        self.most_sent = max(self.most_sent, context.tokens, check.tokens)
        turn.message(f"I changed part_{self.calls}. {_prose(dice, 30)}", role="agent")
        self.version = self.session.version
        return taken * 1000


def _work(turn: Session, number: int, dice: random.Random) -> None:
    """A question now and then, and a tool exchange whose result is mostly short and sometimes long."""
    if number % 4 == 0:
        turn.message(f"Now look at src/part_{number}.py. {_prose(dice, 20)}")
    call = f"call_{number}"
    turn.tool_call("read", {"path": f"src/part_{number}.py"}, call_id=call)
    turn.tool_result(call, _prose(dice, dice.choice((20, 60, 200, 200, 1500))))


def _prose(dice: random.Random, words: int) -> str:
    return " ".join(dice.choices(_WORDS, k=words))


def _decisions(session: Session) -> int:
    found, before = 0, None
    while page := session.decisions.list(before=before, limit=200):
        found += len(page)
        before = page[-1].id
    return found


def _megabytes() -> int:
    """The memory that the process holds now."""
    gc.collect()
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize() // 2**20
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 2**10
