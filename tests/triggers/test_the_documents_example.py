"""The example project of the context management document, from `config.json` to the end of the session."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from backstory import DEFAULT_TRIGGERS, ContextStore, ProjectionRunner, Session
from backstory.application.triggers.projection import TriggersProjection
from tests.triggers.conftest import Write

CONFIG = {
    "project": {"id": "PROJ-FORGEMIND-001", "current_idea": "IDEA-001", "status": "In Progress"},
    "scan": [".dev/current/*/*/current.md", "templates/*.md"],
    "artifacts": [
        {
            "id": "MODULE-001",
            "type": "module",
            "name": "Constitution Framework",
            "path": ".dev/current/modules/MODULE-001/current.md",
            "parent": "IDEA-001",
        }
    ],
}


@pytest.fixture
def session(
    store: ContextStore,
    root: Path,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    unique: Callable[[str], str],
) -> Session:
    write(".dev/current/ideas/IDEA-001/current.md", "# AI Coding Tool\n\nPlan, ask, execute.")
    write(".dev/current/modules/MODULE-001/current.md", "# Constitution\n\nRules.")
    write("templates/module.md", "# Module\n\nPurpose:")
    write(".forgemind/config.json", json.dumps(CONFIG))
    monkeypatch.setenv("BACKSTORY_SYNC_DIR", str(root / ".forgemind"))
    project = store.project(unique("forgemind"))
    project.artifacts.configure(root)

    earlier = store.start(project=project.name, title="The day before")
    earlier.message("We decided to keep six layers, because ERP systems need them.")
    earlier.command("facilitator end session")

    session = store.start(project=project.name, limit=2_500)
    session.details.join("Facilitator Agent", id="L1-EXEC-001", version="1.4", mode="Boss Mode")
    session = session.by("Facilitator Agent")
    session.progress.set_clarity(85)
    session.artifacts.load("IDEA-001")
    session.progress.set_clarity(97)
    session.progress.set_layer(1)
    session.decide(
        "Separate MODULE and DOMAIN layers",
        rationale="Clear separation of concerns",
        priority="high",
        decided_by="Boss",
    )
    session.work.add_action("Finalize scripts/ module structure", priority="P0", layer=1)
    session.work.ask("Should scripts/ module include git automation?", priority="high")
    for number in range(40):
        session.message(f"{number}: The scripts module may have git automation, or not. " * 6, role="user")
    # As the worker does.
    ProjectionRunner(store, [TriggersProjection(store)]).catch_up()
    session.refresh()
    assert session.command("facilitator backtrack").ok
    assert session.command("facilitator end session").ok
    return session


@pytest.fixture
def unique() -> Callable[[str], str]:
    from uuid import uuid4

    return lambda name: f"{name}-{uuid4().hex[:8]}"


def test_every_trigger_fires_and_every_action_is_an_event_that_it_caused(session: Session) -> None:
    history = session.triggers.history()
    assert {one.trigger for one in history} == {one.name for one in DEFAULT_TRIGGERS}
    assert {one.outcome for one in history} == {"fired"}
    by_name = {one.name: one for one in DEFAULT_TRIGGERS}
    events = {event.version: event for event in session.events()}
    for record in history:
        assert tuple(one.action for one in record.actions) == by_name[record.trigger].actions
        assert events[record.version].cause == record.change
        for action in record.actions:
            assert action.outcome in ("done", "nothing"), action
            assert action.version is not None
            assert events[action.version].cause == record.version


def test_each_action_did_something_at_least_once(session: Session) -> None:
    did = {
        action.action
        for record in session.triggers.history()
        for action in record.actions
        if action.outcome == "done"
    }
    named = {action for trigger in DEFAULT_TRIGGERS for action in trigger.actions}
    # The step back brings clarity with it; the command has summed the session up before it fires; no file has changed;
    # one compaction was enough.
    assert named - did <= {
        "reset_clarity_if_needed",
        "load_previous_layer_state",
        "create_session_summary",
        "invalidate_outdated_context",
        "summarize_and_compress",
    }


def test_the_tree_on_disk_is_what_the_document_draws(session: Session, root: Path) -> None:
    tree = {path.relative_to(root).as_posix() for path in (root / ".forgemind").rglob("*") if path.is_file()}
    project = str(session.state.labels["project"])
    folder = next(name.split("/")[2] for name in tree if name.startswith(".forgemind/memory/"))
    assert folder.startswith(project[:9])
    drawn = {
        ".forgemind/context/current-context.json",
        ".forgemind/cache/cache-index.json",
        ".forgemind/cache/artifacts/IDEA-001.cache",
        ".forgemind/cache/artifacts/MODULE-001.cache",
        ".forgemind/config.json",
        f".forgemind/memory/{folder}/facilitator-agent-notes.md",
        f".forgemind/memory/{folder}/boss-preferences.md",
        f".forgemind/memory/{folder}/project-knowledge.md",
    }
    assert drawn <= tree
    assert any(name.startswith(".forgemind/context/context-history/session-") for name in tree)
    assert any(name.endswith("-summary.md") and "compaction-summaries" in name for name in tree)


def test_the_context_document_says_where_the_project_is(session: Session, root: Path) -> None:
    document = json.loads((root / ".forgemind/context/current-context.json").read_text())
    assert document["metadata"]["session_id"] == str(session.id)
    assert (document["project"]["id"], document["project"]["current_idea"]) == (
        "PROJ-FORGEMIND-001",
        "IDEA-001",
    )
    assert (document["project"]["layer_name"], document["project"]["clarity"]) == ("IDEA", 97)
    assert [one["decision"] for one in document["recent_decisions"]] == ["Separate MODULE and DOMAIN layers"]
    rows = {one["id"]: one for one in document["loaded_artifacts"]}
    assert rows["forgemind-config"]["loaded"] is True
    assert rows["MODULE-001"]["valid"] is False


def test_its_record_is_intact(session: Session, store: ContextStore) -> None:
    assert session.verify().ok
    assert session.memory.project.verify().ok
