"""With a folder set, a worker reads edits back, and an erasure writes the files again that showed what was erased."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstory import ContextStore, Project, Worker
from tests.memory_files.editing import KNOWLEDGE, PREFERENCES, Files
from tests.waiting import until


@pytest.fixture
def store(new_database: Callable[[], str]) -> Iterator[ContextStore]:
    with ContextStore.open(new_database(), pool_size=4) as store:
        yield store


@pytest.fixture
def live(files: Files, monkeypatch: pytest.MonkeyPatch) -> Files:
    monkeypatch.setenv("BACKSTORY_SYNC_DIR", str(files.directory))
    monkeypatch.setenv("BACKSTORY_SYNC_BY", "ana")
    return files


def test_a_worker_writes_memories_and_reads_edits(store: ContextStore, live: Files, project: Project) -> None:
    project.remember("We deploy to Fly.", kind="knowledge")
    with Worker(store, jobs=[], projections=True):
        until(lambda: (live.folder / KNOWLEDGE).exists() and "to Fly." in live.read())
        live.replace("to Fly.", "to Render.")
        until(lambda: live.texts() == ["We deploy to Render."])
        until(lambda: "to Render. <!-- M3 -->" in live.read())
    assert project.memory(3).by == "ana"


def test_a_worker_goes_on_beside_a_file_that_cannot_be_read(
    store: ContextStore, live: Files, project: Project, caplog: pytest.LogCaptureFixture
) -> None:
    live.sync()
    live.replace("## Known issues\n", "## Known issues\n\nIt is slow.\n")
    broken = live.read()
    with caplog.at_level(logging.WARNING), Worker(store, jobs=[], projections=True):
        project.remember("9 to 5", kind="preference")
        until(lambda: "9 to 5" in live.read(PREFERENCES))
        assert live.read() == broken
        until(lambda: f"{KNOWLEDGE}, line" in caplog.text)
        live.replace("\nIt is slow.\n", "- It is slow.\n")
        until(lambda: "It is slow." in live.texts())


class TestErasing:
    def test_its_files_are_written_again_and_named(
        self, store: ContextStore, live: Files, project: Project
    ) -> None:
        session = store.start(project=project.name)
        said = session.message("Ana lives in Lisbon.")
        session.memory.remember("Ana: Lisbon.", kind="knowledge", items=[said])
        store.sync(live.directory)
        page = live.folder / KNOWLEDGE
        planned = session.erase(said, "asked to", dry_run=True)
        assert page in planned.files
        assert live.directory / f"context/sessions/{session.id}/recent_history.jsonl" in planned.files
        assert live.folder / PREFERENCES not in planned.files
        assert session.erase(said, "asked to").files == planned.files
        assert "Lisbon" not in everything(live.directory)

    def test_of_a_memory(self, store: ContextStore, live: Files, project: Project) -> None:
        memory = project.remember("Ana: Lisbon.", kind="knowledge")
        live.sync()
        assert project.erase(memory, "asked to").files == (live.folder / KNOWLEDGE,)
        assert "Lisbon" not in everything(live.directory)

    def test_on_behalf_of_a_caller_who_sees_one_project(
        self, store: ContextStore, live: Files, project: Project
    ) -> None:
        """The files of other projects stay."""
        from backstory.domain.access import Action, Caller

        other = store.start(project="other")
        other.message("hello")
        memory = project.remember("Ana: Lisbon.", kind="knowledge")
        store.sync(live.directory, projects=[project.name])
        caller = Caller(name="key", action=Action.OPERATE, projects=frozenset({project.name}))
        store.on_behalf_of(caller).project(project.name).erase(memory, "asked to")
        assert "Lisbon" not in everything(live.directory)
        assert "hello" in everything(live.directory)


def everything(directory: Path) -> str:
    return "".join(path.read_text() for path in sorted(directory.rglob("*")) if path.is_file())
