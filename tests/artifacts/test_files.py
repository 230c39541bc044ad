"""A sync writes a project's configuration and cache, and reads back what somebody has edited."""

import json
from pathlib import Path

import pytest

from backstory import ContextStore, InvalidInput, Project


@pytest.fixture
def folder(store: ContextStore, project: Project, root: Path) -> Path:
    session = store.start(project=project.name)
    session.artifacts.load("IDEA-001")
    folder = root / ".forgemind"
    store.sync(folder, [session.id])
    return folder


def _sync(store: ContextStore, project: Project, folder: Path) -> None:
    (session, *_) = store.sessions(project=project.name)
    store.sync(folder, [session.id])


def test_the_cache_holds_what_was_loaded(folder: Path, project: Project) -> None:
    index = json.loads((folder / "cache/cache-index.json").read_text())
    assert index["project"] == project.name
    (entry,) = index["artifacts"]
    assert (entry["id"], entry["current"], entry["loads"]) == ("IDEA-001", True, 1)
    assert (folder / "cache" / entry["file"]).read_text() == "# AI tool\n\nIt plans, asks and executes."


def test_a_cache_file_that_was_damaged_by_hand_is_written_again(
    store: ContextStore, folder: Path, project: Project
) -> None:
    cached = folder / "cache/artifacts/IDEA-001.cache"
    cached.write_text("damaged")
    session = store.start(project=project.name)
    done = session.artifacts.load("IDEA-001")
    assert session.text(done.item) == "# AI tool\n\nIt plans, asks and executes."
    _sync(store, project, folder)
    assert cached.read_text() == "# AI tool\n\nIt plans, asks and executes."


def test_the_configuration_says_what_is_registered(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    assert [one["id"] for one in config["artifacts"]] == ["IDEA-001", "MODULE-001", "MODULE-002"]
    assert config["artifacts"][1]["parent"] == "IDEA-001"
    assert [one["name"] for one in config["refresh_triggers"]][:2] == [
        "layer_transition",
        "clarity_significant_change",
    ]


def test_what_somebody_edits_there_is_read_back(store: ContextStore, folder: Path, project: Project) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["artifacts"][0]["clarity"] = 90
    (folder / "config.json").write_text(json.dumps(config))
    _sync(store, project, folder)
    assert project.artifacts.get("IDEA-001").clarity == 90
    assert json.loads((folder / "config.json").read_text())["artifacts"][0]["clarity"] == 90


def test_what_cannot_be_read_is_refused_and_left_as_it_is(
    store: ContextStore, folder: Path, project: Project
) -> None:
    (folder / "config.json").write_text("{")
    with pytest.raises(InvalidInput, match=r"config\.json"):
        _sync(store, project, folder)
    assert (folder / "config.json").read_text() == "{"


def test_a_further_sync_changes_nothing(store: ContextStore, folder: Path, project: Project) -> None:
    # The first one wrote the configuration, and the second registers it.
    _sync(store, project, folder)
    _sync(store, project, folder)
    before = project.version
    (session, *_) = store.sessions(project=project.name)
    assert store.sync(folder, [session.id]).written == ()
    assert project.version == before


def test_erased_content_leaves_the_cache(store: ContextStore, folder: Path, project: Project) -> None:
    (session, *_) = store.sessions(project=project.name)
    opened = store.session(session.id)
    opened.erase(opened.state.loaded["IDEA-001"].item, "by law")
    _sync(store, project, folder)
    assert not (folder / "cache/artifacts/IDEA-001.cache").exists()
