"""Five simulated days of one session: 100,000 events, checked before every call, and nothing done by hand.

Times are those that the work would have taken (`occurred_at`). What is looked at: whether any call was sent more than
the window's limit, whether every decision is still in the record, whether memory grows, and whether calls get slower.

A call is `before_call` and the `context` that is sent then, a thousand of them are timed together, and none is left
out: not the first ones with their cold caches and empty window, nor those that summarize. What the client's processor
spent on them is told beside what the clock on the wall says, since others may be busy on the same machine.

The first few hundred calls find a window that is not yet full, and nothing to do about it. So the last thousand are
also set beside the first thousand calls of a full window, those after the first that took something out.

Between the first thousand and the last lie minutes in which the machine may have become slower or faster by a third. So
the last thousand are lived through in turns with a first thousand that is done again: a new process begins then, with a
session and a store of its own, and does what the long session did when it began. Both have the same minutes, and what
the age of the session or of its process costs shows all the same.
"""

import gc
import random
import resource
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import mean
from typing import NamedTuple

from backstory import ContextStore, Session
from backstory.domain.policies.assembly import LONG_HISTORY

EVENTS, QUICK_EVENTS = 100_000, 5_000
DAYS = 5
LIMIT = 32_000
BEGAN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
DECIDES_EVERY = 50
"""Calls between two decisions."""
KEEPS_ALL = ("checkpoint", "alert")
"""What a check does that takes nothing out of the window."""
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


class Thousand(NamedTuple):
    """Milliseconds a call, the mean of a thousand."""

    check: float
    """Of `before_call` alone, by the clock."""
    check_processor: float
    """What the client's processor spent on it."""
    whole: float
    """With the context, by the clock."""
    whole_processor: float
    loop: float
    """Processor time of a loop that is always the same: how fast the machine just was."""

    @property
    def in_loops(self) -> float:
        """How many of these loops `before_call` took."""
        return self.check_processor / self.loop

    @classmethod
    def of(cls, calls: "Iterable[Thousand]") -> "Thousand":
        return cls(*(mean(column) for column in zip(*calls, strict=True)))

    def beside(self, other: "Thousand") -> "Thousand":
        """How many times as long as the other."""
        return Thousand(*(mine / theirs for mine, theirs in zip(self, other, strict=True)))


class Timings:
    """What calls took. Of those between the first thousand and the last only the means are kept: their number must not
    show as memory."""

    def __init__(self, thousand: int) -> None:
        self._last: deque[Thousand] = deque(maxlen=thousand)
        self._calls = 0
        self._full: list[Thousand] = []
        self.thousands: list[Thousand] = []
        """Of each thousand calls, one after the other."""
        self.first_full: Thousand | None = None
        """Of the first thousand calls of a full window."""

    def add(self, took: Thousand, *, full: bool) -> None:
        self._last.append(took)
        self._calls += 1
        size = self._last.maxlen or 1
        if self._calls % size == 0:
            self.thousands.append(Thousand.of(self._last))
        if full and self.first_full is None:
            self._full.append(took)
            if len(self._full) == size:
                self.first_full = Thousand.of(self._full)
                self._full.clear()

    @property
    def last(self) -> Thousand:
        """Of the last thousand calls, wherever a thousand was full."""
        return Thousand.of(self._last)


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
    memory: tuple[int, ...]
    """Megabytes after each tenth."""
    timings: Timings
    in_turns: tuple[Thousand, Thousand]
    """Of the first thousand calls of a process that began at the end, and of the last thousand, taken in turns."""
    actions: dict[str, int]
    """What the checks did, by kind."""
    seconds: float


def five_days(url: str, events: int = EVENTS, report: Callable[[str], None] = print) -> Days:
    """Lives through them."""
    step = timedelta(days=DAYS) / events
    thousand = min(1000, events // 20)
    started = time.perf_counter()
    with ContextStore.open(url) as store:
        life = _Life(store, step)
        timings = Timings(thousand)
        memory: list[int] = []
        while events - life.version > thousand * life.version / max(life.calls, 1):
            full = life.full
            timings.add(life.call(), full=full)
            if life.version * 10 // events > len(memory):
                memory.append(_megabytes())
                newest = timings.last
                report(
                    f"{life.version:,} events, {life.calls:,} calls, {memory[-1]} MB; the last thousand: before_call "
                    f"{newest.check:.2f} ms, with its context {newest.whole:.2f} ms"
                )
        first: list[Thousand] = []
        last: list[Thousand] = []
        with _beginner(url, step) as begins:
            while life.version < events:
                last.append(life.call())
                timings.add(last[-1], full=True)
                first.append(begins())
        memory.append(_megabytes())
        return Days(
            events=life.version,
            calls=life.calls,
            most_sent=life.most_sent,
            limit=LIMIT,
            over=life.over,
            decisions_made=life.decided,
            decisions_in_record=_decisions(life.session),
            memory=tuple(memory),
            timings=timings,
            in_turns=(Thousand.of(first), Thousand.of(last)),
            actions=dict(sorted(life.actions.items())),
            seconds=time.perf_counter() - started,
        )


@contextmanager
def _beginner(url: str, step: timedelta) -> Iterator[Callable[[], Thousand]]:
    """A new process with a life of its own: each time it is called, it does its next call and tells what that took."""
    processes = get_context("spawn")
    here, there = processes.Pipe()
    process = processes.Process(target=_begin, args=(url, step, there), daemon=True)
    process.start()
    there.close()

    def call() -> Thousand:
        here.send(True)
        return Thousand(*here.recv())

    try:
        yield call
    finally:
        here.send(False)
        process.join()


def _begin(url: str, step: timedelta, asked: Connection) -> None:
    with ContextStore.open(url) as store:
        life = _Life(store, step)
        while asked.recv():
            asked.send(tuple(life.call()))


class _Life:
    """One session at work. The same for every one that begins."""

    def __init__(self, store: ContextStore, step: timedelta) -> None:
        self.session = store.start(title="Five days", limit=LIMIT)
        self.session.set_system_prompt("You are a careful engineer.")
        self.session.add_constraint("Every error names the field that broke a rule.")
        self._step = step
        self._dice = random.Random(5)
        self.version = self.session.version
        self.calls = self.most_sent = self.over = self.decided = 0
        self.full = False
        """Whether a check has taken something out of the window yet."""
        self.actions: dict[str, int] = {}

    def call(self) -> Thousand:
        """Some work, and the call after it."""
        dice, at = self._dice, BEGAN + self.version * self._step
        turn = self.session.occurred(at)
        _work(turn, self.calls, dice)
        if self.calls % DECIDES_EVERY == 0:
            turn.decide(f"Keep part_{self.decided} as it is", rationale=_prose(dice, 12))
            self.decided += 1
        loop = _loop()
        busy, began = time.process_time(), time.perf_counter()
        check = turn.before_call()
        checked, check_spent = time.perf_counter(), time.process_time() - busy
        context = turn.context(policy=LONG_HISTORY, as_of=at)
        ended = time.perf_counter()
        spent = time.process_time() - busy
        self.calls += 1
        self.full = self.full or any(action not in KEEPS_ALL for action in check.actions)
        for action in check.actions:
            self.actions[action] = self.actions.get(action, 0) + 1
        sent = max(context.tokens, check.tokens)
        self.most_sent, self.over = max(self.most_sent, sent), self.over + (sent > LIMIT)
        turn.message(f"I changed part_{self.calls}. {_prose(dice, 30)}", role="agent")
        self.version = self.session.version
        return Thousand(*(each * 1000 for each in (checked - began, check_spent, ended - began, spent, loop)))


def _work(turn: Session, number: int, dice: random.Random) -> None:
    """A question now and then, and a tool that is called and answers: mostly a little, sometimes a lot."""
    if number % 4 == 0:
        turn.message(f"Now look at src/part_{number}.py. {_prose(dice, 20)}")
    call = f"call_{number}"
    turn.tool_call("read", {"path": f"src/part_{number}.py"}, call_id=call)
    turn.tool_result(call, _prose(dice, dice.choice((20, 60, 200, 200, 1500))))


def _loop() -> float:
    """Seconds of the processor for a fifth of a millisecond's work. Others on the same machine change its speed by half
    within minutes, which shows in processor time too."""
    began = time.process_time()
    found: dict[int, int] = {}
    for number in range(2_500):
        found[number & 63] = found.get(number & 31, 1) & 3
    return time.process_time() - began


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
