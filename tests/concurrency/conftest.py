import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import BranchMoved
from tests.waiting import until

PROCESSES = 8


@pytest.fixture(scope="session")
def processes() -> Iterator[ProcessPoolExecutor]:
    """Eight processes that were not forked from this one."""
    with ProcessPoolExecutor(PROCESSES, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture
def busy(url: str) -> Callable[..., AbstractContextManager[None]]:
    """Threads that write to a session as fast as they can, for as long as the block lasts."""

    @contextmanager
    def writing(session: Session, threads: int = 8) -> Iterator[None]:
        done = threading.Event()
        failed: list[BaseException] = []
        with ContextStore.open(url, pool_size=threads, migrate=False) as store:

            def write(number: int) -> None:
                mine = store.session(session.id)
                try:
                    while not done.is_set():
                        with suppress(BranchMoved):
                            mine.refresh().message(f"from {number}")
                except BaseException as error:
                    if not done.is_set():
                        failed.append(error)

            writers = [threading.Thread(target=write, args=(number,)) for number in range(threads)]
            before = session.version
            for writer in writers:
                writer.start()
            try:
                until(lambda: failed or session.version >= before + threads)
                yield
            finally:
                done.set()
                for writer in writers:
                    writer.join()
        assert not failed

    return writing
