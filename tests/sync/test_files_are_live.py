"""With a folder set, a worker writes the files of sessions as they change, and a session's end writes them at once."""

import logging
from pathlib import Path

import pytest

from backstory import Worker
from backstory.application.feed.projection_runner import ProjectionRunner
from backstory.application.files.live import FilesProjection
from backstory.application.jobs.projections import hosted_projections
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import ProjectionFailed
from tests.waiting import until


@pytest.fixture
def live(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKSTORY_SYNC_DIR", str(directory))
    return directory


@pytest.fixture
def runner(store: ContextStore, directory: Path) -> ProjectionRunner:
    return ProjectionRunner(store, [FilesProjection(store, directory)])


def history(directory: Path, session: Session) -> str:
    path = directory / f"context/sessions/{session.id}/recent_history.jsonl"
    return path.read_text() if path.exists() else ""


def test_without_a_folder_there_is_no_projection(store: ContextStore) -> None:
    assert "files" not in {one.name for one in hosted_projections(store)}
    assert "files" not in {one.name for one in store.projections()}


def test_a_worker_writes_what_changes(store: ContextStore, session: Session, live: Path) -> None:
    with Worker(store, jobs=[], projections=True):
        until(lambda: "Let's implement JWT auth" in history(live, session))
        session.message("Which port?")
        until(lambda: "Which port?" in history(live, session))
    assert ("files", 0) in [(one.name, one.behind) for one in store.projections()]


def test_only_sessions_that_changed_are_read_again(
    store: ContextStore, session: Session, directory: Path, runner: ProjectionRunner
) -> None:
    other = store.start(title="Other")
    other.message("hello")
    runner.catch_up()
    (projection,) = runner._projections.values()
    assert isinstance(projection, FilesProjection)
    before = dict(projection._rendered)
    session.message("Which port?")
    runner.catch_up()
    after = projection._rendered
    assert after[other.id] is before[other.id]
    assert after[session.id] is not before[session.id]
    fresh = store.sync(directory)
    assert (fresh.written, fresh.removed) == ((), ())


def test_a_text_erased_where_a_fork_began_vanishes(
    store: ContextStore, session: Session, directory: Path, runner: ProjectionRunner
) -> None:
    secret = session.message("the number is 555-0100")
    fork = session.fork()
    runner.catch_up()
    assert "555-0100" in history(directory, fork)
    session.erase(secret, "personal data")
    runner.catch_up()
    assert "555-0100" not in history(directory, fork)


def test_a_purged_session_does_not_stop_it(
    store: ContextStore, session: Session, directory: Path, runner: ProjectionRunner
) -> None:
    gone = store.start()
    gone.message("hello")
    store.purge(gone.id, without_export=True)
    (done,) = runner.catch_up()
    assert (done.behind, done.set_aside) == (0, 0)
    assert "JWT" in history(directory, session)


class TestAFolderThatCannotBeWritten:
    @pytest.fixture
    def blocked(self, directory: Path) -> Path:
        directory.write_text("a file")
        return directory

    def test_nothing_is_set_aside_and_it_goes_on_later(
        self, store: ContextStore, session: Session, blocked: Path, runner: ProjectionRunner
    ) -> None:
        with runner:
            until(lambda: "must be a folder" in (runner.status()[0].error or ""))
            blocked.unlink()
            until(lambda: runner.status()[0].behind == 0)
            assert (runner.status()[0].error, runner.status()[0].set_aside) == (None, 0)
        assert "JWT" in history(blocked, session)

    def test_one_run_says_so(self, session: Session, blocked: Path, runner: ProjectionRunner) -> None:
        with pytest.raises(ProjectionFailed, match="files: directory: must be a folder"):
            runner.catch_up()

    def test_a_session_ends_all_the_same(
        self, session: Session, live: Path, blocked: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.WARNING):
            session.end()
        assert session.state.status == "ended"
        assert "are not written" in caplog.text


@pytest.mark.parametrize("end", ["end", "/context archive", "facilitator end session"])
def test_the_end_of_a_session_writes_its_files(session: Session, live: Path, end: str) -> None:
    if end == "end":
        session.end()
    else:
        assert session.command(end).ok
    assert '"status": "ended"' in (live / f"context/sessions/{session.id}/metadata.json").read_text()


def test_all_decisions_stand_in_the_log(store: ContextStore, directory: Path) -> None:
    session = store.start(project="shop")
    planner = session.by("planner")
    first = planner.decide("Use option 0")
    with session.atomic() as tx:
        for number in range(1, 60):
            tx.by("planner").decide(f"Use option {number}")
    store.sync(directory)
    notes = (directory / "memory/shop/planner-notes.md").read_text()
    log = notes.partition("## Key decisions log")[2].partition("##")[0].strip().splitlines()
    assert len(log) == 60
    assert f"DEC-{first}: Use option 0." in log[0]
