"""The memory of a project can be purged. Only what was purged comes back."""

from pathlib import Path
from uuid import uuid4

import pytest

from backstory import ContextStore, InvalidInput, NotFound, Project, SessionDiffers, SessionPurged, Source
from backstory.domain.errors import UnknownSession
from tests.search.indexing import index


@pytest.fixture
def project(store: ContextStore) -> Project:
    return store.project(f"shop-{uuid4()}")


def test_it_is_gone_and_its_sessions_stay(store: ContextStore, project: Project, tmp_path: Path) -> None:
    session = store.start(project=project.name)
    session.memory.remember("The lantern is in the harbour.", items=[session.message("the lantern")])
    index(project)
    left = store.purge_memory(project.name, tmp_path / "shop.jsonl")
    assert (left.session, left.file) == (project.id, tmp_path / "shop.jsonl")
    assert project.memories(past=True).memories == ()
    assert project.recall("lantern").found == ()
    assert store.session(session.id).verify().ok
    session.message("where is the lantern?")
    assert not session.context(4_000).items("memory")


def test_an_import_brings_it_back(store: ContextStore, project: Project, tmp_path: Path) -> None:
    memory = project.remember("The lantern is in the harbour.")
    before = project.memories()
    store.purge_memory(project.name, tmp_path / "shop.jsonl")
    with pytest.raises(SessionPurged, match=f"the memory of project '{project.name}' was purged"):
        project.remember("something else")
    store.import_file(tmp_path / "shop.jsonl")
    assert project.memories() == before
    assert project.supersede(memory, "It is at sea.") == project.version


def test_an_older_export_does_not(store: ContextStore, project: Project, tmp_path: Path) -> None:
    """It holds what was forgotten and erased since."""
    memory = project.remember("The lantern is in the harbour.")
    store.export(None, tmp_path / "old.jsonl", projects=[project.name])
    project.erase(memory, "asked to")
    store.purge_memory(project.name, without_export=True)
    with pytest.raises(SessionDiffers, match=f"the memory of project '{project.name}' was purged with"):
        store.import_file(tmp_path / "old.jsonl")


@pytest.mark.parametrize("keep", [False, True])
def test_what_its_sources_lost_meanwhile_stays_gone(
    store: ContextStore, project: Project, tmp_path: Path, keep: bool
) -> None:
    session = store.start(project=project.name)
    lost = session.message("Ana lives in Lisbon.")
    first = session.memory.remember("Ana: Lisbon.", items=[lost])
    second = project.remember("Ana is in Portugal.", sources=[Source(session=project.id, items=(first,))])
    other = session.memory.remember("It rains.", items=[session.message("It rains.")])
    if keep:
        session.erase(lost, "asked to", keep_derived=True)
    store.purge_memory(project.name, tmp_path / "shop.jsonl")
    if not keep:
        session.erase(lost, "asked to")
    store.import_file(tmp_path / "shop.jsonl")
    kept = ["Ana: Lisbon.", "Ana is in Portugal."] if keep else [None, None]
    assert [project.memory(id).text for id in (first, second, other)] == [*kept, "It rains."]
    assert project.verify().ok


def test_what_cannot_be_purged(store: ContextStore, project: Project, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=f"project '{project.name}' has no memory"):
        store.purge_memory(project.name, tmp_path / "x.jsonl")
    project.remember("x")
    with pytest.raises(InvalidInput, match="export: must name a file"):
        store.purge_memory(project.name)
    with pytest.raises(UnknownSession, match="is a project, not a session"):
        store.purge(project.id, without_export=True)
    assert project.version == 2
