"""A session as the `current-context.json` document."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from backstory import ContextStore, Session
from backstory.domain.context_document.commands import OFFERS, RULES
from backstory.domain.context_document.rules import check_context, check_decisions_preserved

EXAMPLE: dict[str, Any] = json.loads((Path(__file__).parent / "example.json").read_text())
SECTIONS = ("metadata", "role", "project", "context_window", "session_stats")
LISTS = ("loaded_artifacts", "recent_decisions", "pending_actions", "open_questions", "available_commands")


def told(session: Session) -> dict[str, int]:
    """A session in which everything that the document can tell of has happened: the versions, by name."""
    session.details.join(
        "Facilitator Agent",
        id="L1-EXEC-001",
        version="1.4",
        mode="Boss Mode",
        capabilities=["clarify", "coordinate"],
    )
    session.details.set_project("ForgeMind", id="PROJ-1", current_idea="IDEA-001", status="In Progress")
    session.progress.set_layer(1)
    session.progress.set_clarity(85)
    agent = session.by("Facilitator Agent")
    versions = {
        "idea": agent.items.save(
            "idea",
            "x" * 3000,
            name="AI Coding Tool",
            path="ideas/current.md",
            artifact="IDEA-001",
            load_layer=2,
            clarity=90,
            summary="a tool",
        ),
        "module": agent.items.save("module", "constitution", artifact="MODULE-001"),
        "message": session.message("hello", kind="clarification"),
        "decision": agent.decide(
            "Keep six layers",
            rationale="large systems",
            alternatives_rejected=["three layers"],
            impact=["docs", "workflow"],
            decided_by="Boss",
        ),
        "action": agent.work.add_action(
            "Finalize the module",
            priority="P0",
            layer=1,
            estimate_minutes=30,
            assignee="Architect",
            due=datetime(2026, 10, 27, 12, tzinfo=UTC),
            blocked_by="the Boss",
        ),
    }
    versions["question"] = agent.work.ask(
        "Include git?", context="simpler", priority="critical", blocks=[versions["action"]]
    )
    agent.progress.command_executed("ls")
    agent.progress.file_updated("a.py")
    agent.progress.commit_made("abc")
    agent.items.touch(versions["module"])
    return versions


@pytest.fixture(scope="module")
def session(store: ContextStore) -> Session:
    return store.start(title="Story", limit=20_000)


@pytest.fixture(scope="module")
def versions(session: Session) -> dict[str, int]:
    return told(session)


@pytest.fixture(scope="module")
def document(session: Session, versions: dict[str, int]) -> dict[str, Any]:
    return session.views.current_context()


def by_id(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    (row,) = [row for row in rows if row["id"] == name]
    return row


def test_it_has_every_section_and_field_of_the_example(document: dict[str, Any]) -> None:
    assert list(document) == list(EXAMPLE)
    for name in SECTIONS:
        assert list(document[name]) == list(EXAMPLE[name])
    for name in LISTS:
        fields = {field for row in EXAMPLE[name] for field in row}
        assert document[name]
        for row in document[name]:
            assert set(row) >= fields


def test_it_keeps_its_own_rules(document: dict[str, Any]) -> None:
    check_context(document)
    check_decisions_preserved(document, document)


def test_it_is_json(document: dict[str, Any]) -> None:
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_the_same_state_gives_the_same_document(session: Session, document: dict[str, Any]) -> None:
    assert session.views.current_context() == document


def test_metadata_and_role(session: Session, document: dict[str, Any]) -> None:
    state = session.state
    assert document["metadata"] == {
        "timestamp": state.last_activity.isoformat().replace("+00:00", "Z"),
        "session_id": str(session.id),
        "session_start": state.started_at.isoformat().replace("+00:00", "Z"),
        "session_duration_minutes": 0,
        "last_updated_by": "Facilitator Agent",
    }
    assert document["role"] == {
        "agent": "Facilitator Agent",
        "agent_id": "L1-EXEC-001",
        "agent_version": "1.4",
        "mode": "Boss Mode",
        "capabilities": ["clarify", "coordinate"],
    }


def test_project_and_window(session: Session, document: dict[str, Any]) -> None:
    assert document["project"] == {
        "name": "ForgeMind",
        "id": "PROJ-1",
        "current_idea": "IDEA-001",
        "current_layer": 1,
        "layer_name": "MODULE",
        "clarity": 85,
        "status": "In Progress",
    }
    used = session.state.tokens
    assert document["context_window"] == {
        "total_tokens": 20_000,
        "used_tokens": used,
        "usage_percent": round(used / 200, 2),
        "available_tokens": 20_000 - used,
        "compaction_threshold_percent": 70,
        "emergency_threshold_percent": 90,
        "needs_compaction": False,
        "last_compaction": None,
        "compressions_this_session": 0,
    }


def test_every_live_item_is_loaded(
    session: Session, document: dict[str, Any], versions: dict[str, int]
) -> None:
    rows = document["loaded_artifacts"]
    assert len(rows) == len(session.state.live())
    assert all(row["loaded"] and row["available"] for row in rows)
    idea = by_id(rows, "IDEA-001")
    item = session.state.items[versions["idea"]]
    assert idea["tokens"] == item.tokens
    assert (idea["type"], idea["name"], idea["path"]) == ("idea", "AI Coding Tool", "ideas/current.md")
    assert (idea["load_layer"], idea["size_kb"], idea["clarity"], idea["summary"]) == (2, 2.93, 90, "a tool")
    module = by_id(rows, "MODULE-001")
    assert (module["name"], module["load_layer"], module["access_count"]) == ("MODULE-001", 2, 1)
    assert module["last_accessed"] > module["load_time"]
    message = by_id(rows, f"ITEM-{versions['message']}")
    assert (message["name"], message["load_layer"]) == (f"message {versions['message']}", 2)
    assert by_id(rows, f"DEC-{versions['decision']}")["load_layer"] == 1


def test_decisions(document: dict[str, Any], versions: dict[str, int]) -> None:
    (decision,) = document["recent_decisions"]
    assert decision.pop("timestamp").endswith("Z")
    assert decision == {
        "id": f"DEC-{versions['decision']}",
        "decision": "Keep six layers",
        "rationale": "large systems",
        "alternatives_rejected": ["three layers"],
        "impact": ["docs", "workflow"],
        "decision_maker": "Boss",
        "recorded_by": "Facilitator Agent",
        "immutable": True,
    }


def test_actions_and_questions(document: dict[str, Any], versions: dict[str, int]) -> None:
    (action,) = document["pending_actions"]
    assert action.pop("created").endswith("Z")
    assert action == {
        "id": f"ACT-{versions['action']}",
        "action": "Finalize the module",
        "priority": "P0",
        "layer": 1,
        "blocked_by": "the Boss",
        "estimated_time_minutes": 30,
        "assigned_to": "Architect",
        "due": "2026-10-27T12:00:00Z",
    }
    (question,) = document["open_questions"]
    assert question.pop("asked_at").endswith("Z")
    assert question == {
        "id": f"Q-{versions['question']}",
        "question": "Include git?",
        "context": "simpler",
        "asked_by": "Facilitator Agent",
        "status": "awaiting_answer",
        "priority": "high",
        "blocking": [f"ACT-{versions['action']}"],
    }


def test_stats(document: dict[str, Any]) -> None:
    assert document["session_stats"] == {
        "messages_exchanged": 1,
        "clarifications_made": 1,
        "decisions_recorded": 1,
        "files_updated": 1,
        "git_commits": 1,
        "commands_executed": 1,
        "errors_encountered": 0,
    }


class TestCommands:
    def test_each_is_a_command_of_a_session(self, store: ContextStore) -> None:
        session = store.start()
        for offer in OFFERS:
            assert session.command(f"/help {offer.command}").ok, offer.command
        assert {offer.availability for offer in OFFERS} == set(RULES)

    def test_what_the_state_allows(self, document: dict[str, Any]) -> None:
        rows = document["available_commands"]
        assert {row["command"] for row in rows if not row["available"]} == {
            "/context undo",
            "/complete_goal",
            "/remove_constraint",
            "/unpin",
            "/unfocus",
            "/confirm_decision",
            "/dismiss_decision",
            "/resume",
        }

    def test_what_an_empty_session_allows(self, store: ContextStore) -> None:
        rows = store.start().views.current_context()["available_commands"]
        assert {row["command"] for row in rows if not row["available"]} == {
            "/context clear",
            "/context undo",
            "/complete_goal",
            "/unpin",
            "/unfocus",
            "/confirm_decision",
            "/dismiss_decision",
            "/remove_constraint",
            "/complete_action",
            "/answer",
            "/backtrack",
            "/recall",
            "/memory_candidates",
            "/confirm_memory",
            "/dismiss_memory",
            "/forget",
            "/resume",
            "facilitator update idea",
            "facilitator backtrack",
        }

    def test_what_an_ended_session_allows(self, store: ContextStore) -> None:
        session = store.start()
        session.end()
        rows = {
            row["command"]: row["available"] for row in session.views.current_context()["available_commands"]
        }
        assert (rows["facilitator end session"], rows["/set_goal"], rows["/resume"]) == (False, False, True)

    def test_there_is_nothing_to_clarify_from_90_percent_on(self, store: ContextStore) -> None:
        session = store.start()
        session.progress.set_clarity(90)
        rows = {
            row["command"]: row["available"] for row in session.views.current_context()["available_commands"]
        }
        assert rows["facilitator clarify"] is False


class TestDefaults:
    def test_a_session_that_said_nothing_is_complete(self, store: ContextStore) -> None:
        document = store.start().views.current_context()
        check_context(document)
        assert document["role"] == {
            "agent": "agent",
            "agent_id": "agent",
            "agent_version": "unknown",
            "mode": "default",
            "capabilities": [],
        }
        assert document["project"] == {
            "name": "unnamed",
            "id": "unnamed",
            "current_idea": None,
            "current_layer": 0,
            "layer_name": "IDEA",
            "clarity": 0,
            "status": "In Progress",
        }
        assert document["context_window"]["total_tokens"] == 200_000
        assert [document[name] for name in LISTS[:4]] == [[], [], [], []]

    def test_the_agent_is_who_wrote_last_else_the_first_by_name(self, store: ContextStore) -> None:
        session = store.start()
        session.details.join("zoe")
        session.details.join("adam")
        assert session.views.current_context()["role"]["agent"] == "adam"
        session.by("zoe").message("hi")
        assert session.views.current_context()["role"]["agent"] == "zoe"
        assert session.views.current_context()["metadata"]["last_updated_by"] == "zoe"

    def test_an_ended_session_says_so(self, store: ContextStore) -> None:
        session = store.start()
        session.end()
        assert session.views.current_context()["project"]["status"] == "Ended"


class TestWindow:
    def test_from_70_percent_on_it_needs_compaction(self, store: ContextStore) -> None:
        session = store.start(limit=10)
        session.message("a b c d e f")
        assert session.state.tokens < 7
        assert session.views.current_context()["context_window"]["needs_compaction"] is False
        session.message("g h i j")
        window = session.views.current_context()["context_window"]
        assert window["needs_compaction"] is True
        session.message("k l m n o p")
        assert session.views.current_context()["context_window"]["available_tokens"] == 0

    def test_tokens_are_those_of_the_windows_encoding(self, store: ContextStore) -> None:
        session = store.start()
        session.message("Überraschung für größere Wörter")
        session.window.configure(encoding="cl100k_base")
        document = session.views.current_context()
        check_context(document)
        assert document["context_window"]["used_tokens"] == session.state.tokens

    def test_what_is_live_elsewhere_is_not_loaded_here(self, store: ContextStore) -> None:
        session = store.start()
        session.items.save("code", "x = 1", artifact="A", windows=["side"])
        (row,) = session.views.current_context()["loaded_artifacts"]
        assert (row["id"], row["loaded"]) == ("A", False)


class TestUnloaded:
    def test_a_saved_item_that_left_is_listed_as_available(self, store: ContextStore) -> None:
        session = store.start()
        saved = session.items.save(
            "idea", "x" * 3000, artifact="IDEA-001", summary="a tool", clarity=90, load_layer=2
        )
        session.message("not an artifact")
        tokens = session.state.items[saved].tokens
        session.items.remove(saved, saved + 1)
        document = session.views.current_context()
        check_context(document)
        (row,) = document["loaded_artifacts"]
        assert row.pop("last_modified").endswith("Z")
        assert row == {
            "type": "idea",
            "id": "IDEA-001",
            "name": "IDEA-001",
            "path": None,
            "load_layer": 2,
            "summary": "a tool",
            "clarity": 90,
            "loaded": False,
            "size_kb": 2.93,
            "tokens": tokens,
            "load_time": None,
            "last_accessed": None,
            "access_count": None,
            "available": True,
        }

    def test_an_artifact_saved_again_is_listed_once(self, store: ContextStore) -> None:
        session = store.start()
        first = session.items.save("idea", "one", artifact="IDEA-001")
        second = session.items.save("idea", "two words", artifact="IDEA-001")
        session.items.remove(first)
        rows = session.views.current_context()["loaded_artifacts"]
        assert [(row["id"], row["loaded"]) for row in rows] == [("IDEA-001", True)]
        session.items.remove(second)
        (row,) = session.views.current_context()["loaded_artifacts"]
        assert row["tokens"] == 2

    def test_one_that_was_returned_is_loaded_again(self, store: ContextStore) -> None:
        session = store.start()
        saved = session.items.save("idea", "one", artifact="IDEA-001")
        session.items.remove(saved)
        session.items.bring_back(saved)
        (row,) = session.views.current_context()["loaded_artifacts"]
        assert row["loaded"] is True


class TestErased:
    def test_erased_texts_are_null(self, store: ContextStore) -> None:
        session = store.start()
        versions = told(session)
        before = session.views.current_context()
        for name in ("idea", "decision", "action", "question"):
            session.erase(versions[name], "asked to")
        document = session.views.current_context()
        check_context(document)
        check_decisions_preserved(before, document)
        (decision,) = document["recent_decisions"]
        assert (decision["decision"], decision["rationale"]) == (None, None)
        assert (decision["alternatives_rejected"], decision["impact"]) == ([None], [None, None])
        assert decision["decision_maker"] == "Boss"
        assert document["pending_actions"][0]["action"] is None
        assert document["pending_actions"][0]["blocked_by"] is None
        assert (document["open_questions"][0]["question"], document["open_questions"][0]["context"]) == (
            None,
            None,
        )
        idea = by_id(document["loaded_artifacts"], "IDEA-001")
        assert (idea["summary"], idea["available"], idea["name"]) == (None, False, "AI Coding Tool")
        assert by_id(document["loaded_artifacts"], "MODULE-001")["available"] is True


class TestVersions:
    def test_a_past_version_is_told_as_it_was(self, store: ContextStore) -> None:
        session = store.start()
        saved = session.items.save("code", "x = 1", artifact="A")
        session.decide("one")
        document = session.views.current_context()
        version = session.version
        session.items.remove(saved)
        session.decide("two")
        session.items.save("code", "y = 2", artifact="B")
        assert session.views.current_context(at=version) == document

    def test_a_fork_tells_of_what_its_parent_saved(self, store: ContextStore) -> None:
        parent = store.start()
        versions = told(parent)
        parent.items.remove(versions["idea"])
        fork = parent.fork()
        before, after = parent.views.current_context(), fork.views.current_context()
        assert after["loaded_artifacts"] == before["loaded_artifacts"]
        assert after["recent_decisions"] == before["recent_decisions"]
        assert after["open_questions"] == before["open_questions"]
        assert after["metadata"]["session_id"] == str(fork.id)
        fork.items.save("code", "x", artifact="NEW")
        fork.decide("in the fork")
        document = fork.views.current_context()
        check_context(document)
        assert len(document["recent_decisions"]) == 2
        assert by_id(document["loaded_artifacts"], "NEW")["loaded"] is True

    def test_an_abandoned_branch_is_not_told_of(self, store: ContextStore) -> None:
        session = store.start()
        session.items.save("code", "kept", artifact="A")
        dropped = session.items.save("code", "dropped", artifact="B")
        session.items.remove(dropped)
        session.backtrack(2, "another way")
        assert [row["id"] for row in session.views.current_context()["loaded_artifacts"]] == ["A"]

    def test_only_the_newest_50_decisions_are_told(self, store: ContextStore) -> None:
        session = store.start()
        with session.atomic() as tx:
            for number in range(50):
                tx.decide(f"decision {number}")
        before = session.views.current_context()
        session.decide("one more")
        document = session.views.current_context()
        assert [row["decision"] for row in document["recent_decisions"]][-1] == "one more"
        assert len(document["recent_decisions"]) == 50
        assert document["session_stats"]["decisions_recorded"] == 51
        check_decisions_preserved(before, document)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the test's own thread sends; a store announces its appends on another."""
    sent: list[str] = []
    execute = psycopg.Connection.execute
    own = threading.get_ident()

    def counting(self: Any, query: Any, *args: Any, **named: Any) -> Any:
        if threading.get_ident() == own:
            sent.append(str(query))
        return execute(self, query, *args, **named)

    monkeypatch.setattr(psycopg.Connection, "execute", counting)
    return sent


def test_it_costs_a_handful_of_queries_however_much_is_live(
    store: ContextStore, statements: list[str]
) -> None:
    session = store.start()
    costs = []
    for size in (2, 60):
        with session.atomic() as tx:
            for number in range(size):
                tx.items.save("code", f"x = {number}", artifact=f"A-{number}", summary="s")
                tx.decide(f"decision {number}", rationale="because")
                tx.work.ask(f"question {number}", context="context")
        state = session.state
        statements.clear()
        document = session.views.current_context()
        costs.append(len(statements))
        assert len(document["open_questions"]) == len(state.questions)
    assert costs[0] == costs[1]
    assert costs[0] <= 10


def test_it_is_there_in_every_form_of_the_store(any_store: Any) -> None:
    session = any_store.start(limit=1000)
    session.message("hello")
    check_context(session.views.current_context())


def test_a_message_of_unknown_time_zone_does_not_matter(store: ContextStore) -> None:
    """Times come from the state, in UTC, whatever the database's time zone."""
    session = store.start()
    past = datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(microseconds=7)
    session.occurred(past).items.save("code", "x = 1")
    (row,) = session.views.current_context()["loaded_artifacts"]
    assert row["load_time"] == row["last_modified"] == "2026-01-01T12:00:00.000007Z"


def test_an_agent_does_not_see_what_others_keep_private(store: ContextStore) -> None:
    session = store.start(limit=1000)
    kept = session.by("bob").items.save(
        "note", "apples", name="Bob's own", summary="about fruit", artifact="NOTE-1"
    )
    gone = session.by("bob").items.save("note", "pears", name="Bob's other", artifact="NOTE-2")
    session.items.remove(gone)
    seen = session.by("alice").views.current_context()
    assert seen["loaded_artifacts"] == []
    assert seen["context_window"]["used_tokens"] == 0
    check_context(seen)
    for whole in (session, session.by("bob")):
        document = whole.views.current_context()
        assert [row["id"] for row in document["loaded_artifacts"]] == ["NOTE-1", "NOTE-2"]
        assert document["context_window"]["used_tokens"] == session.state.items[kept].tokens
    assert kept in session.state.items


def test_messages_are_counted_as_everywhere_else(store: ContextStore) -> None:
    """A call and its results are one message in every list, so they are one here."""
    session = store.start()
    session.message("Which tests fail?")
    session.tool_call("pytest", {}, call_id="run-1")
    session.tool_result("run-1", "2 failed")
    assert session.views.current_context()["session_stats"]["messages_exchanged"] == 2
    assert store.summary(session.id).messages == 2


def test_the_system_prompt_is_essential(store: ContextStore) -> None:
    session = store.start()
    session.set_system_prompt("You are careful.")
    (row,) = session.views.current_context()["loaded_artifacts"]
    assert (row["type"], row["load_layer"]) == ("system_prompt", 1)
