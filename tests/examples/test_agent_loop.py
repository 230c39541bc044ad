"""The example loop, run as it stands: what it leaves behind is complete, can be made again, and answers the auditor."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from anthropic.types import MessageParam
from pydantic import TypeAdapter

from backstory import ContextStore, Session
from backstory.application.queries.history import SessionHistory
from backstory.domain.events import Event, ModelCalled, ToolAnswered, ToolCalled
from tests.formats.sdk_types import is_valid

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    yield from _imported("agent_loop", monkeypatch)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    yield from _imported("scripted_model", monkeypatch)


def _imported(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """An example as a module; forgotten afterwards, since its name is everybody's."""
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    module = __import__(name)
    yield module
    del sys.modules[name]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "notes.txt").write_text("the port is 8080\nthe host is not said\n")
    (tmp_path / "secret.txt").write_text("hunter2")
    (tmp_path / "inside" / "link.txt").symlink_to(tmp_path / "secret.txt")
    return tmp_path / "inside"


Play = Callable[..., tuple[Any, Session, list[dict[str, Any]]]]


@pytest.fixture
def play(loop: ModuleType, script: ModuleType, store: ContextStore, folder: Path) -> Play:
    """Runs the loop in this process: its answer, the session, and the requests that the endpoint got."""

    def run(
        *answers: Any, rounds: int = 10, budget: int = 16_000
    ) -> tuple[Any, Session, list[dict[str, Any]]]:
        session = store.start(limit=budget)
        session.set_system_prompt(loop.SYSTEM_PROMPT)
        session.by("user").message("What is the port?")
        with script.serving(answers) as (url, requests), loop.connected(url, script.NAME) as model:
            agent = loop.Agent(session, model, loop.Folder(folder), budget=budget)
            try:
                answer = agent.run(rounds)
            except loop.ModelFailed as failed:
                answer = failed
        return answer, session, requests

    return run


def calls_of(session: Session) -> list[tuple[Event, ModelCalled]]:
    found = session.events(types=[ModelCalled.type])
    return [(event, event.body) for event in found if isinstance(event.body, ModelCalled)]


def results_of(session: Session) -> dict[str, str]:
    """Each call's result."""
    entries = SessionHistory(session).entries(types=[ToolAnswered.type])
    return {one.call_id or "": one.text or "" for entry in entries for one in entry.contents if one.call_id}


def test_it_runs_offline_as_a_program_and_leaves_a_sound_record(
    new_database: Callable[[], str], tmp_path: Path, script: ModuleType
) -> None:
    url = new_database()
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("OPENAI_", "BACKSTORY_"))
    }
    done = subprocess.run(
        [sys.executable, EXAMPLES / "agent_loop.py", "--scripted"],
        cwd=tmp_path,
        # Nothing but this machine can be reached through this proxy, which is nobody.
        env={**environment, "BACKSTORY_DATABASE_URL": url, "HTTPS_PROXY": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "scripted_model.py serves it, on 127.0.0.1" in done.stdout
    assert "byte for byte" in done.stdout
    with ContextStore.open(url) as store:
        (summary,) = store.sessions()
        session = store.session(summary.id)
        calls = calls_of(session)
        # Every call has a context that can be made again, and one of them failed.
        assert [body.error is not None for _, body in calls] == [False, True, False, False]
        for _, body in calls:
            assert body.assembly is not None
            made = session.reproduce(body.assembly)
            assert made.ok
            assert made.context is not None
            assert script.unanswered(made.context.messages) is None
        # Every tool call has its result.
        asked = [
            call
            for event in session.events(types=[ToolCalled.type])
            if isinstance(event.body, ToolCalled)
            for call in event.body.calls
        ]
        results = results_of(session)
        assert sorted(results) == sorted(asked) == [f"call_{number}" for number in range(1, 6)]
        assert session.state.open_calls == {}
        assert results["call_3"] == "ToolFailed: '../../etc/passwd' is outside the folder"
        # The auditor's question.
        (decision,) = session.state.decisions
        saw = session.saw(decision.id)
        assert saw.gap is None
        assert (saw.call, saw.model) == (calls[2][0].version, "scripted-1")
        assert saw.reproduction is not None
        assert saw.reproduction.ok
        assert saw.reproduction.context is not None
        assert b"scripted_model.py" in saw.reproduction.context.data
        assert session.verify().ok


def test_what_the_endpoint_got_is_what_is_recorded(play: Play, script: ModuleType) -> None:
    _, session, requests = play(
        script.calls(None, a={"list_files": {}}, b={"grep": {"pattern": "port"}}),
        {"role": "assistant", "content": "8080"},
    )
    made = [session.reproduce(body.assembly or 0) for _, body in calls_of(session)]
    assert len(requests) == 2
    for request, reproduction in zip(requests, made, strict=True):
        assert reproduction.context is not None
        assert request["messages"] == reproduction.context.messages
    assert results_of(session) == {"a": "notes.txt", "b": "notes.txt:1: the port is 8080"}


def test_providers_counts_are_kept(play: Play) -> None:
    answer, session, _ = play({"role": "assistant", "content": "8080"})
    assert answer == "8080"
    ((_, body),) = calls_of(session)
    assert body.input_tokens
    assert body.output_tokens
    assert (body.stop_reason, body.request_id) == ("stop", "chatcmpl-0")
    assert body.latency_ms is not None


def test_it_stops_after_so_many_rounds(play: Play, script: ModuleType) -> None:
    turns = [script.calls(None, **{f"c{n}": {"list_files": {}}}) for n in range(9)]
    answer, session, requests = play(*turns, rounds=3)
    assert answer is None
    assert len(requests) == len(calls_of(session)) == 3
    assert list(session.state.errors.values()) == ["RoundsUsedUp"]
    assert session.state.open_calls == {}


@pytest.mark.parametrize(("status", "attempts"), [(400, 1), (503, 3)])
def test_a_call_that_fails_is_recorded_with_what_was_sent(play: Play, status: int, attempts: int) -> None:
    failed, session, _ = play(status)
    assert str(status) in str(failed)
    calls = calls_of(session)
    assert len(calls) == attempts
    assert len({body.assembly for _, body in calls}) == 1
    assert all(body.error is not None for _, body in calls)
    assert list(session.state.errors.values()) == ["ModelFailed"]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ({"read_file": {"path": "../secret.txt"}}, "outside the folder"),
        ({"read_file": {"path": "/etc/passwd"}}, "outside the folder"),
        ({"read_file": {"path": "link.txt"}}, "outside the folder"),
        ({"read_file": {"path": "missing.txt"}}, "is no file"),
        ({"read_file": {}}, "TypeError"),
        ({"grep": {"pattern": "("}}, "cannot be read"),
        ({"rm": {"path": "notes.txt"}}, "there is no tool"),
        ({"grep": ["port"]}, "must be texts"),
        ({"decide": {"text": ""}}, "InvalidInput: text"),
    ],
)
def test_what_a_tool_cannot_do_is_an_error_that_the_model_reads(
    play: Play, script: ModuleType, function: dict[str, Any], said: str
) -> None:
    answer, session, requests = play(
        script.calls(None, one=function), {"role": "assistant", "content": "I see."}
    )
    assert answer == "I see."
    assert said in results_of(session)["one"]
    assert said in json.dumps(requests[1]["messages"])
    assert "hunter2" not in json.dumps(requests)


def test_a_link_is_not_followed_out_of_the_folder(play: Play, script: ModuleType) -> None:
    _, session, _ = play(
        script.calls(None, one={"grep": {"pattern": "hunter"}}, two={"list_files": {}}),
        {"role": "assistant", "content": "no"},
    )
    assert results_of(session) == {"one": "(no line fits)", "two": "notes.txt"}


def test_results_too_long_for_the_budget_are_cut(play: Play, script: ModuleType, folder: Path) -> None:
    (folder / "long.txt").write_text("word " * 20_000)
    answer, session, _ = play(
        script.calls(None, one={"read_file": {"path": "long.txt"}}, two={"read_file": {"path": "long.txt"}}),
        {"role": "assistant", "content": "long"},
        budget=4_000,
    )
    assert answer == "long"
    assert all(result.endswith("(cut off)") for result in results_of(session).values())


def test_a_turn_in_anthropics_format(play: Play, script: ModuleType) -> None:
    """What the loop left goes on with another provider: format only, nothing is called."""
    _, session, _ = play(
        script.calls("Let me look.", a={"list_files": {}}, b={"grep": {"pattern": "port"}}),
        {"role": "assistant", "content": "8080"},
    )
    session.by("user").message("And the host?")
    agent = session.by("agent")
    context = agent.context(format="anthropic")
    assert_anthropic(context.system, context.messages)
    answer = {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I'll look again."},
            {"type": "tool_use", "id": "toolu_1", "name": "grep", "input": {"pattern": "host"}},
            {"type": "tool_use", "id": "toolu_2", "name": "list_files", "input": {}},
        ],
    }
    usage = {"input_tokens": 900, "cache_read_input_tokens": 100, "output_tokens": 40}
    call = agent.model_called(
        context, "claude-sonnet-4-5", usage, provider="anthropic", stop_reason="tool_use"
    )
    said = agent.caused_by(call).message(answer, format="anthropic")
    results = [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "notes.txt:2: the host is not said"},
        {"type": "tool_result", "tool_use_id": "toolu_2", "content": "notes.txt"},
    ]
    agent.message({"role": "user", "content": results}, format="anthropic")
    decision = agent.caused_by(said).decide("Say that the host is not known")
    after = agent.context(format="anthropic")
    assert_anthropic(after.system, after.messages)
    assert answer in after.messages
    saw = session.saw(decision)
    assert (saw.model, saw.assembly) == ("claude-sonnet-4-5", context.version)
    assert saw.reproduction is not None
    assert saw.reproduction.context is not None
    assert saw.reproduction.context.data == context.data
    body = calls_of(session)[-1][1]
    assert (body.input_tokens, body.cached_tokens, body.output_tokens) == (1_000, 100, 40)
    assert body.cost_usd
    assert session.verify().ok


def assert_anthropic(system: Any, messages: list[dict[str, Any]]) -> None:
    """The system prompt stands apart, a user speaks first, and results follow their calls at once."""
    assert isinstance(system, str)
    assert messages[0]["role"] == "user"
    waiting: set[str] = set()
    for message in messages:
        assert is_valid(TypeAdapter(MessageParam), message)
        blocks = message["content"] if isinstance(message["content"], list) else []
        answered = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        assert answered <= waiting
        waiting -= answered
        if message["role"] == "assistant":
            assert not waiting
            waiting = {block["id"] for block in blocks if block["type"] == "tool_use"}
    assert not waiting
