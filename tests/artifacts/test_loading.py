"""Artifacts are loaded when they are needed: from the window, the record, other sessions, or the disk."""

import os
import threading
from pathlib import Path

import pytest

from backstory import ContextStore, InvalidInput, NotFound, Project, Refused, Session
from tests.artifacts.conftest import Write


@pytest.fixture
def session(store: ContextStore, project: Project) -> Session:
    session = store.start(project=project.name, limit=10_000)
    session.details.set_project(project.name, current_idea="IDEA-001")
    return session


def test_the_first_load_reads_the_file(session: Session) -> None:
    done = session.artifacts.load("IDEA-001")
    assert (done.source, done.replaced) == ("disk", None)
    assert session.text(done.item) == "# AI tool\n\nIt plans, asks and executes."


def test_one_that_is_in_the_window_is_accessed(session: Session) -> None:
    first = session.artifacts.load("IDEA-001")
    again = session.artifacts.load("IDEA-001")
    assert (again.source, again.item) == ("window", first.item)
    assert session.state.items[first.item].accesses == 1


def test_one_that_left_the_window_comes_back_as_it_was(session: Session) -> None:
    first = session.artifacts.load("IDEA-001")
    session.artifacts.unload("IDEA-001")
    assert first.item not in session.state.items
    again = session.artifacts.load("IDEA-001")
    assert (again.source, again.item) == ("record", first.item)


def test_what_another_session_of_the_project_has_is_loaded_from_there(
    store: ContextStore, session: Session, project: Project
) -> None:
    session.artifacts.load("IDEA-001")
    other = store.start(project=project.name)
    done = other.artifacts.load("IDEA-001")
    assert done.source == "cache"
    assert other.text(done.item) == session.text(session.state.loaded["IDEA-001"].item)


def test_a_file_that_has_changed_is_loaded_anew_and_the_old_content_stays_in_the_record(
    session: Session, project: Project, write: Write
) -> None:
    old = session.artifacts.load("IDEA-001")
    write("ideas/IDEA-001/current.md", "# AI tool\n\nIt also remembers.")
    new = session.artifacts.load("IDEA-001")
    assert (new.source, new.replaced) == ("disk", old.item)
    assert [one.item for one in session.artifacts.list()] == [new.item]
    assert session.text(old.item) == "# AI tool\n\nIt plans, asks and executes."
    assert project.artifacts.get("IDEA-001").digest == session.state.loaded["IDEA-001"].digest
    assert session.verify().ok


def test_a_content_that_was_erased_where_it_was_cached_is_read_from_disk(
    store: ContextStore, session: Session, project: Project
) -> None:
    done = session.artifacts.load("IDEA-001")
    session.erase(done.item, "by law")
    other = store.start(project=project.name)
    assert other.artifacts.load("IDEA-001").source == "disk"


def test_of_agents_that_load_the_same_at_once_each_gets_it_and_the_window_holds_one(session: Session) -> None:
    items: list[int] = []

    def load() -> None:
        items.append(session.artifacts.load("IDEA-001").item)

    threads = [threading.Thread(target=load) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(items) == 6
    assert len(set(items)) == 1
    assert [one.artifact for one in session.artifacts.list()] == ["IDEA-001"]
    assert session.verify().ok


class TestLayers:
    def test_layer_1_is_what_is_always_loaded(self, session: Session, project: Project) -> None:
        project.artifacts.register("MODULE-002", load_layer=1)
        done = session.artifacts.load_layers(1)
        assert [one.artifact for one in done.loaded] == ["MODULE-002"]

    def test_layer_2_is_the_current_idea_and_what_is_linked_to_it(self, session: Session) -> None:
        done = session.artifacts.load_layers(2)
        assert [one.artifact for one in done.loaded] == ["IDEA-001", "MODULE-001"]

    def test_layer_3_is_history(self, store: ContextStore, session: Session, project: Project) -> None:
        other = store.start(project=project.name, title="The day before")
        for number in range(4):
            other.message(f"{number}: We decided to keep six layers, because ERP systems need them.")
        other.summarize()
        session.work.answer(session.work.ask("Which database?"), "Postgres")
        session.message("The scripts module has git automation.", kind="clarification")
        done = session.artifacts.load_layers(3)
        told = {one.artifact: session.text(one.item) for one in done.loaded}
        assert "The day before" in told["session-summaries"]
        assert "Q: Which database?\n  A: Postgres" in told["clarifications"]
        assert "git automation" in told["clarifications"]
        assert "IDEA-001 AI tool" in told["version-history"]
        assert done.skipped == ()

    def test_what_does_not_fit_its_share_is_skipped_with_the_reason(
        self, session: Session, project: Project, write: Write
    ) -> None:
        write("modules/MODULE-001/current.md", "word " * 5_000)
        project.artifacts.scan(["modules/MODULE-001/current.md"])
        done = session.artifacts.load_layers(2)
        assert [one.artifact for one in done.loaded] == ["IDEA-001"]
        assert [one.name for one in done.skipped] == ["MODULE-001"]
        assert "2,500" in done.skipped[0].why


class TestPreload:
    @pytest.mark.parametrize(("layer", "expected"), [(0, ["IDEA-001"]), (1, ["MODULE-001"]), (2, [])])
    def test_the_table_says_what_a_layer_needs(
        self, session: Session, layer: int, expected: list[str]
    ) -> None:
        assert [one.artifact for one in session.artifacts.preload(layer).loaded] == expected

    def test_the_current_layer_is_the_default(self, session: Session) -> None:
        session.progress.set_layer(1)
        assert [one.artifact for one in session.artifacts.preload().loaded] == ["MODULE-001"]

    def test_diagrams_are_among_what_modules_need(
        self, session: Session, project: Project, write: Write
    ) -> None:
        write("docs/overview.mmd", "graph TD; a-->b")
        project.artifacts.scan(["docs/*"])
        loaded = [one.artifact for one in session.artifacts.preload(1).loaded]
        assert loaded == ["MODULE-001", "docs-overview.mmd"]


class TestUnloading:
    def test_what_was_not_accessed_leaves_and_load_layer_1_stays(
        self, session: Session, project: Project
    ) -> None:
        project.artifacts.register("MODULE-002", load_layer=1)
        session.artifacts.load_layers(2)
        assert session.artifacts.unload_stale(0) == ["IDEA-001", "MODULE-001"]
        assert [one.artifact for one in session.artifacts.list()] == ["MODULE-002"]

    def test_what_was_accessed_lately_stays(self, session: Session) -> None:
        session.artifacts.load_layers(2)
        assert session.artifacts.unload_stale() == []

    def test_what_left_is_at_hand_for_the_next_session(
        self, store: ContextStore, session: Session, project: Project
    ) -> None:
        session.artifacts.load("IDEA-001")
        session.artifacts.unload_stale(0)
        assert project.artifacts.get("IDEA-001").cached
        assert store.start(project=project.name).artifacts.load("IDEA-001").source == "cache"

    def test_one_that_is_not_loaded_is_refused(self, session: Session) -> None:
        with pytest.raises(Refused, match="IDEA-001"):
            session.artifacts.unload("IDEA-001")


class TestBadFiles:
    def test_one_that_vanished(self, session: Session, root: Path) -> None:
        (root / "ideas/IDEA-001/current.md").unlink()
        with pytest.raises(NotFound, match="is not there any more"):
            session.artifacts.load("IDEA-001")

    def test_a_folder_in_its_place(self, session: Session, root: Path) -> None:
        (root / "ideas/IDEA-001/current.md").unlink()
        (root / "ideas/IDEA-001/current.md").mkdir()
        with pytest.raises(Refused, match="is a folder"):
            session.artifacts.load("IDEA-001")

    def test_two_gigabytes(self, session: Session, root: Path) -> None:
        with (root / "ideas/IDEA-001/current.md").open("r+b") as file:
            file.truncate(2 << 30)
        with pytest.raises(Refused, match="at most 1,000,000 are loaded"):
            session.artifacts.load("IDEA-001")

    @pytest.mark.parametrize("link", ["ideas/IDEA-001/current.md", "ideas/IDEA-001", "ideas"])
    def test_a_link_out_of_the_root(self, session: Session, root: Path, tmp_path: Path, link: str) -> None:
        outside = tmp_path / "outside"
        target = outside / "ideas/IDEA-001/current.md"
        target.parent.mkdir(parents=True)
        target.write_text("not of this project")
        (root / link).rename(tmp_path / "moved")
        (root / link).symlink_to(outside / link)
        with pytest.raises(Refused, match="leads out of the project's root"):
            session.artifacts.load("IDEA-001")
        assert session.artifacts.list() == []

    def test_a_binary_file(self, session: Session, root: Path) -> None:
        (root / "ideas/IDEA-001/current.md").write_bytes(b"\x89PNG\r\n\0\0")
        with pytest.raises(Refused, match="is binary"):
            session.artifacts.load("IDEA-001")

    def test_a_secret(self, session: Session, write: Write) -> None:
        write("ideas/IDEA-001/current.md", "token ghp_" + "a1B2c3D4e5F6" * 3)
        with pytest.raises(Refused, match="holds a secret"):
            session.artifacts.load("IDEA-001")

    def test_a_pipe(self, session: Session, root: Path) -> None:
        (root / "ideas/IDEA-001/current.md").unlink()
        os.mkfifo(root / "ideas/IDEA-001/current.md")
        with pytest.raises(Refused, match="no plain file"):
            session.artifacts.load("IDEA-001")


@pytest.mark.parametrize("name", ["", "../x", "a/b", "x" * 101, 7])
def test_an_id_that_is_no_name_of_a_file_is_refused(session: Session, name: str) -> None:
    with pytest.raises(InvalidInput, match="artifact"):
        session.artifacts.load(name)


def test_one_that_is_not_registered_is_unknown(session: Session) -> None:
    with pytest.raises(NotFound, match="IDEA-404"):
        session.artifacts.load("IDEA-404")


def test_a_session_without_a_project_has_none(store: ContextStore) -> None:
    with pytest.raises(Refused, match="belongs to no project"):
        store.start().artifacts.load("IDEA-001")
