"""What a check holds at once does not grow with the session."""

import tracemalloc

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore

KB = 2**10
GROUP = 256 * KB


@pytest.fixture(autouse=True)
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backstory.application.integrity.evidence.GROUP_BYTES", GROUP)


def test_contents_are_held_a_few_at_a_time(store: ContextStore) -> None:
    """4 MB of them."""
    session = store.start()
    with session.atomic() as tx:
        for number in range(32):
            tx.items.save("dump", bytes([number]) * 128 * KB, media_type="application/octet-stream")
    assert _peak(session) < 5 * GROUP


def test_shared_bytes_are_read_once(store: ContextStore) -> None:
    """Together they would be 8 MB."""
    session = store.start()
    with session.atomic() as tx:
        for _ in range(64):
            tx.items.save("dump", b"x" * 128 * KB, media_type="application/octet-stream")
    assert session.verify().contents == 64
    assert _peak(session) < 5 * GROUP


def test_branches_and_snapshots_are_not_held_together(store: ContextStore) -> None:
    """A state has 300 items here. 30 branches went on from one, and each has a snapshot."""
    session = store.start()
    with session.atomic() as tx:
        for number in range(300):
            tx.items.save("note", f"note {number}")
    one = _peak(session)
    for _ in range(30):
        session.message("on a branch that is left")
        session.backtrack(session.version - 1, "again")
    assert _peak(session) < 2 * one


def _peak(session: Session) -> int:
    """The most bytes that were held at once while verifying."""
    assert session.verify().ok
    tracemalloc.start()
    try:
        session.verify()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
