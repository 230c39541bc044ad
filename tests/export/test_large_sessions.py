"""However long a session is, it is exported, audited, imported and verified in little memory."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from backstory import ContextStore, audit_export
from backstory.application.session import Session
from backstory.domain.log.guards import NO_GUARD
from backstory.infrastructure.postgres.append import PendingEvent
from tests.properties import usually

T = TypeVar("T")
LENGTHS = usually((500, 2_000, 4_000), (500, 2_000, 6_000))
CONTENTS = usually(56, 80)
SIZE = 2**20
MOST = 48 * 2**20
"""Less than the contents have together: the groups that are held at a time, and their encodings."""


def within_memory(work: Callable[[], T]) -> T:
    result, peak = measured(work)
    assert peak < MOST, f"{peak / 2**20:.0f} MiB"
    return result


def measured(work: Callable[[], T]) -> tuple[T, int]:
    """What the work gives, and the most bytes that Python held for it."""
    tracemalloc.start()
    try:
        return work(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_its_length_takes_next_to_none(new_database: Callable[[], str], tmp_path: Path) -> None:
    """Eight bytes an event are held of a file. An item that has left every window is not held at all."""
    file = tmp_path / "long.jsonl"
    peaks: list[tuple[int, ...]] = []
    with ContextStore.open(new_database()) as store, ContextStore.open(new_database()) as other:
        for events in LENGTHS:
            session = store.start()
            for _ in range(0, events, 500):
                append_outside_windows(store, session, 500)
            _, exporting = measured(lambda: store.export(session.id, file, overwrite=True))  # noqa: B023
            _, auditing = measured(lambda: audit_export(file))
            _, importing = measured(lambda: other.import_file(file))
            _, verifying = measured(session.verify)
            peaks.append((exporting, auditing, importing, verifying))
    for short, long in zip(peaks[1], peaks[2], strict=True):
        assert long - short < 200 * (LENGTHS[2] - LENGTHS[1]), peaks


def append_outside_windows(store: ContextStore, session: Session, count: int) -> None:
    effects = '{"brings":{"type":"note","tokens":1,"importance":0.5,"tier":"WARM","windows":[]}}'
    events = [PendingEvent("acme:noted", 1, b"{}", effects) for _ in range(count)]
    store._runtime.append(session.id, events, guard=NO_GUARD, epoch=None)


@pytest.mark.slow
def test_its_size_takes_no_memory(new_database: Callable[[], str], tmp_path: Path) -> None:
    file = tmp_path / "large.jsonl"
    with ContextStore.open(new_database()) as store:
        session = store.start()
        for number in range(CONTENTS):
            data = os.urandom(SIZE) if number % 2 else os.urandom(SIZE // 2).hex().encode()
            session.items.save("artifact", data, media_type="application/octet-stream")
        done = within_memory(lambda: store.export(session.id, file))
        chain = session.verify().chain
    assert done.bytes > CONTENTS * SIZE
    assert within_memory(lambda: audit_export(file)).ok
    with ContextStore.open(new_database()) as store:
        within_memory(lambda: store.import_file(file))
        assert within_memory(store.session(session.id).verify).require().chain == chain
