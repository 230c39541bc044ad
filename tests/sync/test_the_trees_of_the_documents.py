"""Every file and every field of the documents' examples is there."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.context_document.rules import check_context


def load(path: Path) -> Any:
    return json.loads(path.read_text())


@pytest.fixture
def synced(store: ContextStore, session: Session, directory: Path) -> Path:
    store.sync(directory, [session.id])
    return directory


def test_the_files(synced: Path, session: Session) -> None:
    found = {path.relative_to(synced).as_posix() for path in synced.rglob("*") if path.is_file()}
    own = f"context/sessions/{session.id}"
    assert found == {
        f"{own}/hot_context.json",
        f"{own}/recent_history.jsonl",
        f"{own}/summary.md",
        f"{own}/metadata.json",
        "context/sessions.jsonl",
        "context/active_session.txt",
        "context/current-context.json",
        "memory/shop/boss-preferences.md",
        "memory/shop/project-knowledge.md",
        "memory/shop/facilitator-agent-notes.md",
        "memory/shop/quaid-notes.md",
        "memory/shop/user-notes.md",
    }


def test_the_hot_context(synced: Path, session: Session) -> None:
    hot = load(synced / f"context/sessions/{session.id}/hot_context.json")
    assert hot["conversation_id"] == str(session.id)
    assert hot["session_started"].endswith("Z")
    (goal,) = hot["active_goals"]
    assert (goal["goal"], goal["status"], goal["priority"]) == (
        "Implement JWT authentication",
        "in-progress",
        "high",
    )
    assert goal["created"].endswith("Z")
    assert hot["current_file_context"] == {
        "files": ["auth/jwt.py", "auth/validators.py"],
        "last_edited": "auth/jwt.py",
        "current_function": "validate_jwt_token",
    }
    assert hot["pending_actions"] == ["Test token refresh flow"]
    (decision,) = hot["key_decisions"]
    assert (decision["decision"], decision["rationale"]) == ("Use RS256", "Better security")
    assert decision["timestamp"].endswith("Z")
    assert hot["important_constraints"] == ["Token TTL must be 1 hour"]
    assert {"files", "functions", "technologies", "people", "concepts"} <= set(hot["key_entities"])
    assert "auth/jwt.py" in hot["key_entities"]["files"]


def test_the_metadata(synced: Path, session: Session) -> None:
    found = load(synced / f"context/sessions/{session.id}/metadata.json")
    assert found | {"started": None, "last_activity": None} == {
        "session_id": str(session.id),
        "started": None,
        "last_activity": None,
        "message_count": 2,
        "title": "JWT Authentication Implementation",
        "status": "active",
        "agents": ["user", "quaid", "Facilitator Agent"],
        "primary_files": ["auth/jwt.py", "auth/validators.py"],
        "tags": ["jwt"],
        "project": "shop",
        "version": session.version,
        "decision_count": 1,
    }


def test_the_recent_history(synced: Path, session: Session) -> None:
    table = pl.read_ndjson(synced / f"context/sessions/{session.id}/recent_history.jsonl")
    assert {"msg_id", "timestamp", "agent", "content", "importance"} <= set(table.columns)
    assert table["agent"].to_list() == ["user", "quaid"]
    assert table["content"][0] == "Let's implement JWT auth"
    assert table["importance"].dtype == pl.Float64
    assert table["timestamp"].str.to_datetime(time_zone="UTC").is_sorted()


def test_only_the_newest_twenty_messages(store: ContextStore, directory: Path) -> None:
    session = store.start()
    for number in range(25):
        session.message(f"m{number}")
    store.sync(directory)
    table = pl.read_ndjson(directory / f"context/sessions/{session.id}/recent_history.jsonl")
    assert table["content"].to_list() == [f"m{number}" for number in range(5, 25)]


def test_the_active_session_is_the_one_with_the_newest_event(
    store: ContextStore, session: Session, directory: Path
) -> None:
    other = store.start(title="Later")
    store.sync(directory)
    active = directory / "context/active_session.txt"
    assert active.read_text() == f"{other.id}\n"
    session.message("again")
    store.sync(directory)
    assert active.read_text() == f"{session.id}\n"
    assert load(directory / "context/current-context.json")["metadata"]["session_id"] == str(session.id)
    (history,) = (directory / "context/context-history").iterdir()
    assert load(history)["metadata"]["session_id"] == str(other.id)


def test_the_context_document(synced: Path, session: Session) -> None:
    found = load(synced / "context/current-context.json")
    check_context(found)
    assert found == json.loads(json.dumps(session.views.current_context()))


def test_the_session_summary(store: ContextStore, session: Session, synced: Path) -> None:
    page = synced / f"context/sessions/{session.id}/summary.md"
    first = page.read_text()
    assert first.startswith(f"# Session Summary ({session.id})\n\n## Objective\nJWT Authentication")
    for section in (
        "## Progress",
        "## Key Decisions",
        "## Critical Context",
        "1. Use RS256 (Better security)",
    ):
        assert section in first
    session.summarize()
    store.sync(synced, [])
    assert page.read_text().startswith(f"# Session Summary ({session.id})\n\n## ")
    (kept,) = (synced / "context/compaction-summaries").iterdir()
    assert kept.read_text() == session.views.summary()
    assert kept.name == f"{session.state.started_at:%Y-%m-%d}-session-{session.id.hex[-12:]}-summary.md"


def test_the_memory_files(store: ContextStore, session: Session, directory: Path) -> None:
    session.items.save("preference", "9 to 5", name="Working hours")
    session.items.save("preference", "no jokes", name="Tone")
    session.items.save("glossary", "JWT: a signed token")
    session.by("Facilitator Agent").items.save("lesson", "Ask early", private=False)
    old = session.by("Facilitator Agent").items.save("lesson", "Never ask", private=False)
    session.items.deprecate(old)
    session.progress.error("Tokens expire too late")
    store.sync(directory)
    notes = (directory / "memory/shop/facilitator-agent-notes.md").read_text()
    sections = [line for line in notes.splitlines() if line.startswith("## ")]
    assert sections == [
        "## Active tasks",
        "## Key decisions log",
        "## Open questions",
        "## Boss preferences learned",
        "## Current context summary",
        "## Lessons learned",
    ]
    for line in (
        "Test token refresh flow (P2)",
        "Use RS256. Rationale: Better security",
        "Which library?",
        "Ask early",
    ):
        assert line in notes
    assert "Never ask" not in notes
    preferences = (directory / "memory/shop/boss-preferences.md").read_text()
    assert "## Working hours\n\n- 9 to 5\n" in preferences
    assert "## Other preferences\n\n- Tone: no jokes\n" in preferences
    knowledge = (directory / "memory/shop/project-knowledge.md").read_text()
    assert "## Domain glossary\n\n- JWT: a signed token\n" in knowledge
    assert "## Technical constraints\n\n- Token TTL must be 1 hour\n" in knowledge
    assert "## Known issues\n\n- Tokens expire too late" in knowledge
