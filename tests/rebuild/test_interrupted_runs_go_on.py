"""A rebuild of all sessions that was interrupted goes on where it ended."""

from collections.abc import Callable, Iterator

import psycopg
import pytest

from backstory.application.rebuild import progress as rebuild_progress, rebuild, session_rebuild
from backstory.application.store import ContextStore
from backstory.domain.errors import Refused

SESSIONS = 6


@pytest.fixture
def store(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ContextStore]:
    monkeypatch.setattr(rebuild_progress, "NOTED_EVERY", 0.0)
    with ContextStore.open(database) as store:
        for number in range(SESSIONS):
            store.start().message(f"message {number}")
        yield store


class Interrupted(Exception):
    pass


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch, store: ContextStore) -> Callable[[int], None]:
    """Runs a rebuild that ends in the middle, after so many sessions."""

    def run(sessions: int) -> None:
        done = []

        def progress(*_: int) -> None:
            done.append(1)
            if len(done) == sessions:
                raise Interrupted

        with pytest.raises(Interrupted):
            store.rebuild_projections(progress=progress)

    return run


def test_only_what_is_left_is_done(store: ContextStore, interrupt: Callable[[int], None]) -> None:
    interrupt(2)
    reports: list[tuple[int, int]] = []
    rebuilt = store.rebuild_projections(progress=lambda *report: reports.append(report))
    assert (rebuilt.done_before, rebuilt.sessions) == (2, SESSIONS - 2)
    assert reports[0] == (6, 2 * SESSIONS), "the bar goes on too"
    assert reports[-1] == (2 * SESSIONS, 2 * SESSIONS)
    again = store.rebuild_projections()
    assert (again.done_before, again.sessions) == (0, SESSIONS), "a run that has ended is not gone on with"


def test_interrupted_twice(store: ContextStore, interrupt: Callable[[int], None]) -> None:
    interrupt(2)
    interrupt(3)
    rebuilt = store.rebuild_projections()
    assert (rebuilt.done_before, rebuilt.sessions) == (5, 1)


def test_a_run_may_begin_afresh(store: ContextStore, interrupt: Callable[[int], None]) -> None:
    interrupt(2)
    rebuilt = store.rebuild_projections(afresh=True)
    assert (rebuilt.done_before, rebuilt.sessions) == (0, SESSIONS)


def test_named_sessions_are_done_whatever_was_before(
    store: ContextStore, interrupt: Callable[[int], None]
) -> None:
    interrupt(2)
    first = min(session.id for session in store.sessions())
    assert store.rebuild_projections([first]).sessions == 1
    assert store.rebuild_projections().done_before == 2


def test_sessions_that_began_meanwhile_are_among_what_is_left(
    store: ContextStore, interrupt: Callable[[int], None]
) -> None:
    interrupt(2)
    store.start()
    assert store.rebuild_projections().sessions == SESSIONS - 1


def test_a_session_that_could_not_be_done_is_not_passed_over(
    store: ContextStore, interrupt: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = sorted(session.id for session in store.sessions())[1]
    run = session_rebuild.SessionRebuild.run

    def run_unless_busy(self: session_rebuild.SessionRebuild) -> object:
        if self.stream == busy:
            raise psycopg.errors.LockNotAvailable
        return run(self)

    with monkeypatch.context() as patched:
        patched.setattr(session_rebuild.SessionRebuild, "run", run_unless_busy)
        interrupt(4)
    assert store.rebuild_projections().done_before == 1


def test_one_run_at_a_time(store: ContextStore, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(20268)")
        with monkeypatch.context() as impatient:
            impatient.setattr(rebuild, "LOCK_WAIT", 0.0)
            with pytest.raises(Refused, match="another rebuild of all read models is under way"):
                store.rebuild_projections()
    assert store.rebuild_projections().sessions == SESSIONS


def test_the_list_tells_when_all_were_rebuilt(store: ContextStore, interrupt: Callable[[int], None]) -> None:
    interrupt(2)
    assert {one.rebuilt_at for one in store.projections()} == {None}
    store.rebuild_projections()
    assert all(one.rebuilt_at is not None for one in store.projections() if one.kind == "inline")


def test_a_lost_connection_is_made_anew(
    store: ContextStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild, "RECONNECT_PAUSE", 0.01)
    run = session_rebuild.SessionRebuild.run
    cut = []

    def run_and_be_cut_off(self: session_rebuild.SessionRebuild) -> object:
        if len(cut) < 2 and len(done) == 3:
            pid = self.draft.connection.info.backend_pid
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute("select pg_terminate_backend(%s, 10000)", (pid,))
            cut.append(pid)
        found = run(self)
        done.append(self.stream)
        return found

    done: list[object] = []
    monkeypatch.setattr(session_rebuild.SessionRebuild, "run", run_and_be_cut_off)
    assert store.rebuild_projections().sessions == SESSIONS
    assert len(cut) == 2
    assert len(done) == SESSIONS
