"""Files follow the sessions: changed ones are replaced, others left alone, what was erased vanishes."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import ContextInvalid, InvalidInput, UnknownSession

NEEDLE = "555-0100"


def everything(directory: Path) -> str:
    return "".join(path.read_text() for path in sorted(directory.rglob("*")) if path.is_file())


def test_nothing_is_written_twice(store: ContextStore, session: Session, directory: Path) -> None:
    first = store.sync(directory, [session.id])
    times = {path: path.stat().st_mtime_ns for path in first.written}
    again = store.sync(directory, [session.id])
    assert (again.written, again.removed, again.unchanged) == ((), (), len(first.written))
    assert {path: path.stat().st_mtime_ns for path in first.written} == times


def test_on_every_form_of_the_store(any_store: Any, directory: Path) -> None:
    session = any_store.start(title="Any")
    session.message("hello")
    done = any_store.sync(directory, [session.id])
    assert done.sessions == (session.id,)
    assert "hello" in everything(directory)


def test_only_what_changed_is_written(store: ContextStore, session: Session, directory: Path) -> None:
    other = store.start(title="Other")
    store.sync(directory)
    session.work.add_constraint("One more")
    done = store.sync(directory)
    assert not any(str(other.id) in str(path) for path in done.written)
    assert any(path.name == "hot_context.json" for path in done.written)


def test_erased_contents_vanish(store: ContextStore, session: Session, directory: Path) -> None:
    items = [
        session.message(f"Call {NEEDLE}"),
        session.work.set_goal(f"Goal {NEEDLE}"),
        session.decide(f"Decision {NEEDLE}", rationale=NEEDLE),
        session.work.add_constraint(f"Rule {NEEDLE}"),
        session.work.add_action(f"Do {NEEDLE}"),
        session.work.ask(f"Ask {NEEDLE}"),
        session.items.save("lesson", f"Lesson {NEEDLE}"),
        session.progress.error(f"Error {NEEDLE}"),
    ]
    store.sync(directory)
    assert everything(directory).count(NEEDLE) > len(items)
    for item in items:
        session.erase(item, "personal")
    store.sync(directory, [])
    assert NEEDLE not in everything(directory)


def test_sessions_that_are_there_already_are_kept_up_to_date(
    store: ContextStore, session: Session, directory: Path
) -> None:
    store.sync(directory, [session.id])
    session.message("something new")
    other = store.start(title="Other")
    done = store.sync(directory, [other.id])
    assert set(done.sessions) == {session.id, other.id}
    assert "something new" in everything(directory)


def test_files_of_one_that_is_no_longer_active_move(
    store: ContextStore, session: Session, directory: Path
) -> None:
    store.sync(directory, [session.id])
    assert not (directory / "context/context-history").exists()
    other = store.start()
    store.sync(directory, [other.id])
    history = directory / "context/context-history"
    assert [path.name for path in history.iterdir()] == [
        f"session-{session.state.started_at:%Y-%m-%d}-{session.id.hex[-12:]}.json"
    ]


def test_a_cleared_history_is_removed(store: ContextStore, directory: Path) -> None:
    session = store.start()
    session.message("hello")
    path = directory / f"context/sessions/{session.id}/recent_history.jsonl"
    store.sync(directory)
    assert path.exists()
    session.window.clear()
    assert path in store.sync(directory).removed
    assert not path.exists()


def test_files_of_others_are_left_alone(store: ContextStore, session: Session, directory: Path) -> None:
    (directory / "memory/shop").mkdir(parents=True)
    (directory / "context/context-history").mkdir(parents=True)
    mine = [
        directory / "memory/my-notes.md",
        directory / "memory/shop/my-notes.md",
        directory / "context/context-history/mine.json",
        directory / "README",
    ]
    for path in mine:
        path.write_text("mine")
    store.sync(directory)
    store.sync(directory)
    assert [path.read_text() for path in mine] == ["mine"] * 4


def test_private_items_are_for_their_agent(store: ContextStore, session: Session, directory: Path) -> None:
    session.by("quaid").items.save("lesson", "A secret lesson", name="secret name", summary="secret summary")
    gone = session.by("quaid").items.save("code", "x", name="secret gone")
    session.items.remove(gone)
    session.by("boss").items.save("lesson", "Not for quaid")
    store.sync(directory)
    assert "secret" not in everything(directory)
    store.sync(directory, agent="quaid")
    for text in ("A secret lesson", "secret name", "secret summary", "secret gone"):
        assert text in everything(directory)
    assert "Not for quaid" not in everything(directory)
    store.sync(directory)
    assert "secret" not in everything(directory)


def test_the_tokens_of_what_is_shown_add_up(store: ContextStore, session: Session, directory: Path) -> None:
    import json

    from backstory.domain.context_document.rules import check_context

    session.by("quaid").items.save("lesson", "A secret lesson")
    store.sync(directory)
    check_context(json.loads((directory / "context/current-context.json").read_text()))


def test_syncs_at_once_leave_whole_files(store: ContextStore, session: Session, directory: Path) -> None:
    def write(number: int) -> None:
        session.message(f"message {number}")
        store.sync(directory, [session.id])

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(write, range(12)))
    assert store.sync(directory, [session.id]).written == ()
    text = (directory / f"context/sessions/{session.id}/recent_history.jsonl").read_text()
    assert all(f"message {number}" in text for number in range(12))
    assert not list(directory.rglob(".backstory-*"))


def test_what_a_killed_sync_left_is_swept(store: ContextStore, session: Session, directory: Path) -> None:
    store.sync(directory, [session.id])
    left = directory / "context" / ".backstory-left"
    left.write_text("half")
    store.sync(directory, [session.id])
    assert not left.exists()


def test_a_file_can_be_read_by_others(store: ContextStore, session: Session, directory: Path) -> None:
    before = os.umask(0o022)
    try:
        store.sync(directory, [session.id])
    finally:
        os.umask(before)
    assert (directory / "context/active_session.txt").stat().st_mode & 0o777 == 0o644


class TestBadDirectories:
    def test_a_file(self, store: ContextStore, session: Session, directory: Path) -> None:
        directory.write_text("x")
        with pytest.raises(InvalidInput, match="must be a folder"):
            store.sync(directory, [session.id])
        assert directory.read_text() == "x"

    def test_below_a_file(self, store: ContextStore, session: Session, directory: Path) -> None:
        directory.write_text("x")
        with pytest.raises(InvalidInput, match="directory: "):
            store.sync(directory / "deeper", [session.id])

    @pytest.mark.parametrize("name", ["", "  ", None, 5, "a\0b"])
    def test_no_path(self, name: Any, store: ContextStore, session: Session) -> None:
        with pytest.raises(InvalidInput, match="directory"):
            store.sync(name, [session.id])

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_one_that_may_not_be_written(
        self, store: ContextStore, session: Session, directory: Path
    ) -> None:
        directory.mkdir(mode=0o500)
        with pytest.raises(InvalidInput, match="cannot be written"):
            store.sync(directory, [session.id])

    def test_a_place_where_nobody_may_write(self, store: ContextStore, session: Session) -> None:
        with pytest.raises(InvalidInput, match="cannot be written"):
            store.sync("/proc/nothing/here", [session.id])

    @pytest.mark.parametrize("name", ["context", "context/sessions", "memory", "context/active_session.txt"])
    def test_a_link_that_leads_elsewhere(
        self, name: str, store: ContextStore, session: Session, directory: Path, tmp_path: Path
    ) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        link = directory / name
        link.parent.mkdir(parents=True)
        link.symlink_to(outside / "active.txt" if name.endswith(".txt") else outside)
        with pytest.raises(InvalidInput, match="leads out of it"):
            store.sync(directory, [session.id])
        assert list(outside.iterdir()) == []
        assert [path for path in directory.rglob("*") if path.is_file()] == []

    def test_a_folder_where_a_file_belongs(
        self, store: ContextStore, session: Session, directory: Path
    ) -> None:
        (directory / "context/sessions.jsonl").mkdir(parents=True)
        with pytest.raises(InvalidInput, match="a folder where a file belongs"):
            store.sync(directory, [session.id])

    def test_a_file_where_a_folder_belongs(
        self, store: ContextStore, session: Session, directory: Path
    ) -> None:
        directory.mkdir()
        (directory / "memory").write_text("x")
        with pytest.raises(InvalidInput, match="a file where a folder belongs"):
            store.sync(directory, [session.id])
        assert not (directory / "context").exists()

    def test_a_directory_may_be_a_link_itself(
        self, store: ContextStore, session: Session, tmp_path: Path
    ) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "real")
        assert store.sync(tmp_path / "link", [session.id]).directory == tmp_path / "real"


def test_a_session_that_is_not_there_changes_nothing(store: ContextStore, directory: Path) -> None:
    with pytest.raises(UnknownSession):
        store.sync(directory, ["0199d0a0-0000-7000-8000-00000000dead"])
    assert not directory.exists()


@pytest.mark.parametrize("sessions", ["last", 5, [None], ["x"]])
def test_what_are_no_sessions(sessions: Any, store: ContextStore, directory: Path) -> None:
    with pytest.raises(InvalidInput, match="session"):
        store.sync(directory, sessions)
    assert not directory.exists()


@pytest.mark.parametrize("agent", ["", 5, "a\nb"])
def test_what_is_no_agent(agent: Any, store: ContextStore, directory: Path) -> None:
    with pytest.raises(InvalidInput, match="agent"):
        store.sync(directory, [], agent=agent)


@pytest.mark.parametrize("name", ["../../escape", "a/b\\c", "名前", "..", "CON", "x" * 200])
def test_names_of_agents_and_projects_stay_within_the_folder(
    name: str, store: ContextStore, directory: Path
) -> None:
    store.start(project=name).by(name).message("hi")
    store.sync(directory)
    (notes,) = (directory / "memory").glob("*/*-notes.md")
    assert notes.resolve().parents[1] == (directory / "memory").resolve()
    assert list(directory.parent.iterdir()) == [directory]


def test_files_of_a_session_that_is_gone_go_too(
    store: ContextStore, session: Session, directory: Path
) -> None:
    gone = directory / "context/sessions/0199d0a0-0000-7000-8000-00000000dead"
    gone.mkdir(parents=True)
    (gone / "hot_context.json").write_text("{}")
    store.sync(directory, [session.id])
    assert not gone.exists()


def test_a_document_that_breaks_a_rule_is_not_written(
    store: ContextStore, session: Session, directory: Path
) -> None:
    store.sync(directory)
    before = everything(directory)
    session.message("one more")
    with store._runtime.reader.borrow(session.id) as state:
        state.windows["main"] = state.windows["main"]._replace(tokens=7)
    with pytest.raises(ContextInvalid, match=r"context_window\.used_tokens: is 7, but the live items have"):
        store.sync(directory)
    assert everything(directory) == before
