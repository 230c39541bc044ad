"""What writers in processes of their own do. Each opens a store of its own, as another program would."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import BranchMoved


@contextmanager
def opened(url: str, session: UUID) -> Iterator[Session]:
    with ContextStore.open(url, pool_size=2, migrate=False) as store:
        yield store.session(session)


def say(url: str, session: UUID, who: int, count: int) -> list[int]:
    """Messages, one after the other: their versions."""
    with opened(url, session) as mine:
        return [mine.by(f"writer-{who}").message(f"{who}: {number}") for number in range(count)]


def say_on_any_branch(url: str, session: UUID, who: int, count: int) -> int:
    """Messages, by a writer who accepts every backtrack: how many of them there were."""
    moved = 0
    with opened(url, session) as mine:
        for number in range(count):
            while True:
                try:
                    mine.message(f"{who}: {number}")
                    break
                except BranchMoved:
                    moved += 1
                    mine.refresh()
    return moved


def count_up(url: str, session: UUID, times: int) -> int:
    """Adds to a number that stands in the state, by reading it and writing the next one."""
    with opened(url, session) as mine:
        for _ in range(times):
            mine.atomically(lambda tx: tx.progress.set_phase(str(int(tx.state.phase or 0) + 1)))
    return times
