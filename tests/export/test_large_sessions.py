"""However long a session is, it is exported, audited and imported in little memory."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from backstory import ContextStore, audit_export

T = TypeVar("T")
CONTENTS = 80
SIZE = 2**20
MOST = 48 * 2**20
"""Less than the contents have together: the groups that are held at a time, and their encodings."""


def within_memory(work: Callable[[], T]) -> T:
    tracemalloc.start()
    try:
        result = work()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MOST, f"{peak / 2**20:.0f} MiB"
    return result


@pytest.mark.slow
def test_its_size_takes_no_memory(new_database: Callable[[], str], tmp_path: Path) -> None:
    file = tmp_path / "large.jsonl"
    with ContextStore.open(new_database()) as store:
        session = store.start()
        for number in range(CONTENTS):
            data = os.urandom(SIZE) if number % 2 else os.urandom(SIZE // 2).hex().encode()
            session.save("artifact", data, media_type="application/octet-stream")
        done = within_memory(lambda: store.export(session.id, file))
        chain = session.verify().chain
    assert done.bytes > CONTENTS * SIZE
    assert within_memory(lambda: audit_export(file)).ok
    with ContextStore.open(new_database()) as store:
        within_memory(lambda: store.import_file(file))
        assert within_memory(store.session(session.id).verify).require().chain == chain
