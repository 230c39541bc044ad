"""Rollouts of Codex: what becomes of their lines."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import zstandard

from backstory import ContextStore, Session
from backstory.application.transcripts.files import imported_session_id


class Rollout:
    """A rollout that grows, a line a second."""

    def __init__(self) -> None:
        self.session = str(uuid4())
        self.lines: list[bytes] = []
        self.line(
            "session_meta",
            id=self.session,
            cwd="/home/ana/orders",
            cli_version="0.120.0",
            originator="codex_cli",
        )

    def line(self, kind: str, **payload: Any) -> bytes:
        number = len(self.lines)
        time = f"2026-03-02T10:{number // 60:02}:{number % 60:02}.123Z"
        self.lines.append(json.dumps({"timestamp": time, "type": kind, "payload": payload}).encode() + b"\n")
        return self.lines[-1]

    def says(self, role: str, text: str) -> None:
        kind = "output_text" if role == "assistant" else "input_text"
        self.line("response_item", type="message", role=role, content=[{"type": kind, "text": text}])

    def calls(self, call: str, command: str) -> None:
        arguments = json.dumps({"command": ["bash", "-lc", command]})
        self.line("response_item", type="function_call", name="shell", arguments=arguments, call_id=call)

    def answers(self, call: str, output: Any) -> None:
        self.line("response_item", type="function_call_output", call_id=call, output=output)

    def write(self, folder: Path, name: str = "rollout-2026-03-02.jsonl") -> Path:
        file = folder / name
        data = b"".join(self.lines)
        file.write_bytes(zstandard.ZstdCompressor().compress(data) if name.endswith(".zst") else data)
        return file


@pytest.fixture
def rollout() -> Rollout:
    rollout = Rollout()
    rollout.says("developer", "<permissions instructions>ask first</permissions instructions>")
    rollout.says("user", "<environment_context><cwd>/home/ana/orders</cwd></environment_context>")
    rollout.line("turn_context", cwd="/home/ana/orders", model="gpt-5-codex")
    rollout.says("user", "Which tests fail?")
    rollout.line("event_msg", type="user_message", message="Which tests fail?")
    rollout.line("response_item", type="reasoning", summary=[], encrypted_content="gAAA")
    rollout.says("assistant", "I look.")
    rollout.calls("call_1", "pytest -q")
    rollout.answers("call_1", json.dumps({"output": "2 failed", "metadata": {"exit_code": 1}}))
    rollout.line(
        "response_item",
        type="custom_tool_call",
        name="apply_patch",
        input="*** Begin Patch",
        call_id="call_2",
    )
    rollout.line("response_item", type="custom_tool_call_output", call_id="call_2", output="Done")
    rollout.line("world_state", anything=1)
    rollout.says("assistant", "Two of them fail.")
    return rollout


def session_of(store: ContextStore, rollout: Rollout) -> Session:
    return store.session(imported_session_id("codex", rollout.session))


def texts(session: Session) -> list[str]:
    return [session.text(item.id) or "" for item in session.state.live() if item.type == "message"]


def test_what_becomes_of_the_lines(store: ContextStore, tmp_path: Path, rollout: Rollout) -> None:
    (done,) = store.import_file(rollout.write(tmp_path))
    session = session_of(store, rollout)
    assert done.session == session.id
    assert (done.lines, done.exchanges, done.kept_as_they_are) == (14, 2, 5)
    assert texts(session)[2:] == ["Which tests fail?", "I look.", "Two of them fail."]
    assert session.state.labels["project"] == "/home/ana/orders"
    assert session.state.open_calls == {}
    exchange = next(item for item in session.state.live() if item.type == "tool_exchange")
    (asked, answered) = session.messages(format="openai")[4:6]
    assert asked["tool_calls"][0]["function"]["name"] == "shell"
    assert "2 failed" in answered["content"]
    assert exchange.agent == "codex"
    origins = [item.origin for item in session.state.live() if item.type == "message"]
    assert origins[:3] == ["internal_tool", "internal_tool", "user"]
    kept = b"".join(line.data for line in session.views.imported_lines())
    assert kept == b"".join(rollout.lines)


def test_a_compaction_is_a_boundary_and_what_it_repeats_stays(
    store: ContextStore, tmp_path: Path, rollout: Rollout
) -> None:
    history = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Which tests fail?"}]},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "Summary: two fail."}],
        },
    ]
    rollout.line("compacted", message="Summary: two fail.", replacement_history=history)
    rollout.says("user", "Go on.")
    (done,) = store.import_file(rollout.write(tmp_path))
    session = session_of(store, rollout)
    assert done.compactions == 1
    assert texts(session) == ["Which tests fail?", "Go on."]
    assert "pytest -q" in session.window.uncompact().text


def test_a_compaction_that_tells_nothing_drops_all(
    store: ContextStore, tmp_path: Path, rollout: Rollout
) -> None:
    rollout.line(
        "compacted", message="", replacement_history=[{"type": "compaction", "encrypted_content": "g"}]
    )
    store.import_file(rollout.write(tmp_path))
    session = session_of(store, rollout)
    assert texts(session) == []
    assert len(session.window.compactions()) == 1


def test_a_file_that_a_compaction_rewrote_adds_what_is_new(
    store: ContextStore, tmp_path: Path, rollout: Rollout
) -> None:
    file = rollout.write(tmp_path)
    store.import_file(file)
    asked = rollout.lines[4]
    compacted = rollout.line("compacted", message="They looked at tests.")
    rollout.says("user", "Go on.")
    # What the assistant did is gone, and the rest stands on other lines.
    rollout.lines = [rollout.lines[0], asked, compacted, rollout.lines[-1]]
    (again,) = store.import_file(rollout.write(tmp_path))
    session = session_of(store, rollout)
    assert (again.messages, again.compactions) == (1, 1)
    assert texts(session) == ["Go on."]
    assert "pytest -q" in session.window.uncompact().text


def test_a_call_that_comes_again_is_one_call(store: ContextStore, tmp_path: Path, rollout: Rollout) -> None:
    store.import_file(rollout.write(tmp_path))
    (again,) = store.import_file(rollout.write(tmp_path, "archived.jsonl"))
    assert (again.already_there, again.messages, again.exchanges) == (14, 0, 0)


def test_a_compressed_rollout(store: ContextStore, tmp_path: Path, rollout: Rollout) -> None:
    store.import_file(rollout.write(tmp_path))
    rollout.says("user", "Thanks.")
    (done,) = store.import_file(rollout.write(tmp_path, "rollout-2026-03-02.jsonl.zst"))
    assert (done.already_there, done.messages) == (14, 1)


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"type": "message"},
        {"type": "message", "role": "user", "content": None},
        {"type": "message", "role": 3, "content": [{"type": "input_text", "text": "x"}]},
        {"type": "function_call", "call_id": None},
        {"type": "function_call", "call_id": "c", "name": None, "arguments": {"a": [1]}},
        {"type": "function_call_output", "call_id": "nobody", "output": None},
        {"type": "custom_tool_call", "call_id": "d", "name": "x", "input": {"deep": []}},
        {"type": "local_shell_call", "call_id": "e", "action": 7},
    ],
)
def test_lines_of_any_kind_are_kept(
    store: ContextStore, tmp_path: Path, rollout: Rollout, payload: dict[str, Any]
) -> None:
    rollout.line("response_item", **payload)
    rollout.line("compacted", message=3, replacement_history="x")
    store.import_file(rollout.write(tmp_path))
    session = session_of(store, rollout)
    assert b"".join(line.data for line in session.views.imported_lines()) == b"".join(rollout.lines)
