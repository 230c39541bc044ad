"""How long after its commit an event is with a reader in another process: of the feed, and of one session's tail."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple
from uuid import UUID

from backstory.store import ContextStore

ROOT = Path(__file__).parents[1]
BETWEEN = 0.05
"""Seconds between two events of the one that is measured."""
WRITERS = 4


class Latency(NamedTuple):
    """Milliseconds from the append's return to the reader."""

    p50: float
    p99: float


def latencies(url: str, samples: int) -> dict[str, Latency]:
    """By reader and load: one session is written to every now and then, alone or beside others in a process of their
    own who write as fast as they can."""
    found: dict[str, Latency] = {}
    for load in ("idle", "under load"):
        for reader in ("feed", "tail"):
            found[f"{reader}, {load}"] = _measured(url, reader, samples, busy=load != "idle")
    return found


def _measured(url: str, reader: str, samples: int, *, busy: bool) -> Latency:
    with ContextStore.open(url) as store:
        session = store.start()
        reading = _begun("read", url, reader, str(session.id), str(samples + 1))
        writing = _begun("load", url) if busy else None
        try:
            assert reading.stdout is not None
            assert reading.stdout.readline() == "ready\n"
            returned: dict[int, int] = {}
            for _ in range(samples):
                time.sleep(BETWEEN)
                version = session.message(
                    "a message of an ordinary length, such as agents write all day long"
                )
                returned[version] = time.monotonic_ns()
            lines = reading.communicate(timeout=120)[0].splitlines()
        finally:
            reading.kill()
            if writing is not None:
                writing.kill()
                writing.wait()
    met = {int(version): int(at) for version, at in (line.split() for line in lines)}
    # A reader in another process may have it before the writer has its answer.
    took = sorted(max(0, met[version] - at) / 1e6 for version, at in returned.items())
    cuts = quantiles(took, n=100, method="inclusive")
    return Latency(cuts[49], cuts[98])


def _begun(role: str, *words: str) -> "subprocess.Popen[str]":
    code = f"import sys; from benchmarks.feed_latency import {role}; {role}(*sys.argv[1:])"
    return subprocess.Popen([sys.executable, "-c", code, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True)


def read(url: str, reader: str, session: str, events: str) -> None:
    """A reader, in a process of its own: prints each event's version and when it met it."""
    with ContextStore.open(url) as store:
        id, met = UUID(session), []
        if reader == "tail":
            with store.session(id).tail(after=1) as tail:
                print("ready", flush=True)
                for event in tail:
                    met.append((event.version, time.monotonic_ns()))
                    if len(met) == int(events) - 1:
                        break
        else:
            with store.feed(after=store.feed_status().position, follow=True) as feed:
                print("ready", flush=True)
                for entry in feed:
                    if entry.session == id and entry.version > 1:
                        met.append((entry.version, time.monotonic_ns()))
                        if len(met) == int(events) - 1:
                            break
    for version, at in met:
        print(version, at)


def load(url: str) -> None:
    """Writers who do not pause, until they are killed."""
    with ContextStore.open(url) as store:

        def write() -> None:
            session = store.start()
            while True:
                session.message("a message of an ordinary length, such as agents write all day long")

        threads = [threading.Thread(target=write, daemon=True) for _ in range(WRITERS)]
        for thread in threads:
            thread.start()
        threads[0].join()
