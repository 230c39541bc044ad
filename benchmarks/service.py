"""The service beside the library in the same run: appends and contexts of 1, 16 and 64 clients, and 100 who follow."""

import asyncio
import json
import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

import httpx

import backstory
from backstory import ContextStore, Session
from benchmarks.goals import Row
from benchmarks.messages import MESSAGES

CLIENTS = (1, 16, 64)
CALLS = 320
"""Calls of all clients together, in each round."""
HISTORY = 100
BUDGET = 8_000
MOST_MORE = 5.0
"""Milliseconds that one client may wait longer than in process."""
FOLLOWERS = 100
EVENTS_A_SECOND = 20


class Timed(NamedTuple):
    """The calls of a round: milliseconds of each, and how many there were a second."""

    milliseconds: list[float]
    rate: float


def service_rows(url: str, rounds: int, *, quick: bool) -> Iterable[Row]:
    calls = CALLS // (2 if quick else 1)
    with (
        ContextStore.open(url, pool_size=16) as inside,
        serving(url) as address,
        backstory.connect(address, pool_size=max(CLIENTS)) as outside,
    ):
        for what, prepare, call in (("append", _empty, _append), ("context", _filled, _context)):
            for clients in CLIENTS:
                yield _compared(what, clients, inside, outside, prepare, call, calls, rounds)
        yield _followed(outside, address, seconds=10 if quick else 30)


def _compared(
    what: str,
    clients: int,
    inside: ContextStore,
    outside: ContextStore,
    prepare: Callable[[ContextStore], Session],
    call: Callable[[Session, int], object],
    calls: int,
    rounds: int,
) -> Row:
    """One row: the two take turns, each client on a session of its own."""
    found: dict[str, list[Timed]] = {"inside": [], "outside": []}
    for _ in range(rounds):
        for name, store in (("inside", inside), ("outside", outside)):
            sessions = [prepare(store) for _ in range(clients)]
            found[name].append(_timed(sessions, call, max(1, calls // clients)))
    here, there = _summary(found["inside"]), _summary(found["outside"])
    more = there.p50 - here.p50
    return Row(
        f"{what}, {clients} client{'s' * (clients > 1)}",
        f"over HTTP {there}; in process {here}",
        f"p50 ≤ in process + {MOST_MORE:g} ms" if clients == 1 else "–",
        more <= MOST_MORE if clients == 1 else None,
    )


class _Summary(NamedTuple):
    p50: float
    p95: float
    p99: float
    rate: float

    def __str__(self) -> str:
        return f"p50 {self.p50:.1f}, p95 {self.p95:.1f}, p99 {self.p99:.1f} ms, {self.rate:,.0f}/s"


def _summary(rounds: list[Timed]) -> _Summary:
    each = quantiles([one for timed in rounds for one in timed.milliseconds], n=100)
    return _Summary(each[49], each[94], each[98], median(timed.rate for timed in rounds))


def _timed(sessions: list[Session], call: Callable[[Session, int], object], each: int) -> Timed:
    taken: list[float] = []
    start = threading.Barrier(len(sessions) + 1)

    def work(session: Session) -> None:
        call(session, 0)
        start.wait()
        for number in range(1, each + 1):
            began = time.perf_counter()
            call(session, number)
            taken.append(1000 * (time.perf_counter() - began))

    threads = [threading.Thread(target=work, args=(session,)) for session in sessions]
    for thread in threads:
        thread.start()
    start.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    return Timed(taken, len(taken) / (time.perf_counter() - began))


def _empty(store: ContextStore) -> Session:
    return store.start()


def _filled(store: ContextStore) -> Session:
    session = store.start()
    with session.atomic() as tx:
        for number in range(HISTORY):
            tx.message(MESSAGES[number])
    return session


def _append(session: Session, number: int) -> object:
    return session.message(MESSAGES[number])


def _context(session: Session, number: int) -> object:
    return session.context(BUDGET)


def _followed(store: ContextStore, address: str, seconds: int) -> Row:
    """A writer at a steady pace, alone and then with many who follow. The followers are a process of their own."""
    session, alone = store.start(), store.start()
    events = EVENTS_A_SECOND * seconds
    before = _paced(alone, events)
    context = multiprocessing.get_context("spawn")
    ready, missed = context.Event(), context.Queue()
    followers = context.Process(
        target=_follow, args=(f"{address}/api/v1/sessions/{session.id}/live", events, ready, missed)
    )
    followers.start()
    ready.wait(60)
    during = _paced(session, events)
    lost = missed.get(timeout=120)
    followers.join()
    return Row(
        f"{FOLLOWERS} live clients of one session, {EVENTS_A_SECOND} events/s for {seconds} s",
        f"{lost} of {FOLLOWERS * events:,} events missed; append p50 {median(during):.1f} ms, "
        f"{median(before):.1f} ms without them",
        "none missed",
        lost == 0,
    )


def _paced(session: Session, events: int) -> list[float]:
    taken = []
    begin = time.perf_counter()
    for number in range(events):
        time.sleep(max(0.0, begin + number / EVENTS_A_SECOND - time.perf_counter()))
        began = time.perf_counter()
        session.message(MESSAGES[number % len(MESSAGES)])
        taken.append(1000 * (time.perf_counter() - began))
    return taken


def _follow(address: str, events: int, ready: Any, missed: Any) -> None:
    """Follows until the last event has come, and tells how many did not."""
    last = events + 1

    async def one(client: httpx.AsyncClient, connected: asyncio.Semaphore) -> int:
        found: set[int] = set()
        async with client.stream("GET", address, params={"after": 1, "upto": last}) as answer:
            connected.release()
            async for line in answer.aiter_lines():
                if line.startswith("id:"):
                    found.add(int(line[3:]))
        return events - len(found)

    async def all_of_them() -> int:
        connected = asyncio.Semaphore(0)
        limits = httpx.Limits(max_connections=FOLLOWERS)
        async with httpx.AsyncClient(limits=limits, timeout=60) as client:
            following = [asyncio.create_task(one(client, connected)) for _ in range(FOLLOWERS)]
            for _ in following:
                await connected.acquire()
            ready.set()
            return sum(await asyncio.gather(*following))

    missed.put(asyncio.run(all_of_them()))


@contextmanager
def serving(url: str) -> Iterator[str]:
    program = Path(sys.executable).parent / "backstory"
    command = [program, "--url", url, "serve", "--port", "0", "--json", "--no-worker"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.terminate()
