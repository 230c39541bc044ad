"""What watching costs an append: CPU time of the client, with nobody watching, with metrics, with spans.

`python -m benchmarks.telemetry` prints it. The cases take turns in short stretches, so that a noisy moment hits all,
and CPU time is compared, not the clock.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from prometheus_client import CollectorRegistry

from backstory import ContextStore, collect_metrics, core, stop_metrics
from backstory.domain.guards import NO_GUARD
from backstory.infrastructure import appending, observing, traces
from backstory.session import Session
from benchmarks.messages import MESSAGES
from benchmarks.server import fresh_database, running_server

STRETCH = 20


@contextmanager
def unhooked() -> Iterator[None]:
    """As if there were nothing to look at."""

    def append(connection, stream, events, *, guard=NO_GUARD, epoch=None, key=None, kind=None,
               root=appending.NO_ROOT, meanwhile=None, one_by_one=False):  # type: ignore[no-untyped-def]  # fmt: skip
        return appending._appended(
            connection, stream, events, guard, epoch, key, kind, root, meanwhile, one_by_one
        )

    hooked, core.append = core.append, append  # type: ignore[attr-defined]
    try:
        yield
    finally:
        core.append = hooked  # type: ignore[attr-defined]


@contextmanager
def off() -> Iterator[None]:
    yield


@contextmanager
def metrics() -> Iterator[None]:
    registry = collect_metrics(CollectorRegistry())
    try:
        yield
    finally:
        stop_metrics(registry)


@contextmanager
def spans() -> Iterator[None]:
    from opentelemetry.sdk.trace import TracerProvider

    watcher = traces.Spans(TracerProvider())
    observing.watch(watcher)
    try:
        yield
    finally:
        observing.unwatch(watcher)


CASES = {"no hook at all": unhooked, "nobody watches": off, "metrics": metrics, "spans": spans}


def microseconds(session: Session) -> float:
    """CPU time of this process for one append."""
    began = time.process_time()
    for text in MESSAGES[:STRETCH]:
        session.message(text)
    return (time.process_time() - began) / STRETCH * 1e6


def compare(url: str, rounds: int) -> dict[str, tuple[float, float]]:
    """By case: the median of the CPU time, and of its ratio to nobody watching in the same round."""
    found: dict[str, list[float]] = {name: [] for name in CASES}
    with ContextStore.open(url) as store:
        session = store.start()
        microseconds(session)
        for _ in range(rounds):
            for name, case in CASES.items():
                with case():
                    found[name].append(microseconds(session))
    usual = found["nobody watches"]
    return {
        name: (median(values), median(value / base for value, base in zip(values, usual, strict=True)))
        for name, values in found.items()
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--quick", action="store_true", help="50 rounds instead of 300")
    rounds = 50 if arguments.parse_args().quick else 300
    with running_server() as url:
        for name, (cost, ratio) in compare(fresh_database(url), rounds).items():
            print(f"{name:16} {cost:7.1f} µs of CPU an append   × {ratio:.3f}")


if __name__ == "__main__":
    main()
