"""Every parameter of every call, given what it cannot be: a named error in one sentence, or a value that is fine, and
never an error of Python's or of the driver's. Where it is an error, nothing is left behind."""

import math
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import Any
from uuid import uuid4

import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import BackstoryError
from backstory.domain.events import EventBody
from backstory.domain.messages.contents import Message, Part
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY
from backstory.domain.policies.summary import DEFAULT_SUMMARY

BAD: list[Any] = [
    None,
    True,
    0,
    -1,
    5,
    2**31,
    2**63,
    2**100,
    1.5,
    math.nan,
    math.inf,
    "",
    " ",
    "text",
    "with\0nul",
    "lone \ud800 surrogate",
    "long " * 100,
    b"",
    b"bytes",
    b"\xff\xfe",
    [],
    [None],
    ["\0"],
    [[]],
    [2**70],
    {},
    {"a": object()},
    set(),
    (1, 2, 3),
    object(),
    datetime(2026, 1, 1),  # noqa: DTZ001
    datetime.min.replace(tzinfo=UTC),
    Part("text", b"x"),
    Message("user", ()),
    lambda: None,
    uuid4(),
]


class Deployed(EventBody):
    type = "bad_input:deployed"
    where: str = ""


CALLS: dict[str, dict[str, Any]] = {
    "message": {
        "content": "hello",
        "role": "user",
        "format": None,
        "kind": None,
        "importance": None,
        "windows": ("main",),
        "task": None,
        "references": (),
    },
    "tool_call": {"name": "grep", "arguments": {}, "call_id": "other", "text": None},
    "tool_result": {"call_id": "call", "result": "found", "is_error": False},
    "model_called": {
        "assembly": None,
        "model": "m",
        "usage": {"input_tokens": 1},
        "provider": None,
        "message": None,
        "parameters": None,
        "error": None,
        "latency_ms": 1.0,
    },
    "set_system_prompt": {"text": "Be brief."},
    "pin": {"item": "$item", "why": None},
    "unpin": {"item": "$pinned"},
    "compacted": {
        "summary": "hello",
        "summarized": ["$item"],
        "dropped": (),
        "kept": (),
        "algorithm": "by hand",
        "window": "main",
        "tokens_before": None,
    },
    "confirm_decision": {"decision": "$noticed"},
    "dismiss_decision": {"decision": "$noticed", "why": None},
    "context": {
        "budget": 1000,
        "query": None,
        "agent": None,
        "window": "main",
        "format": "openai",
        "reserve": None,
        "policy": DEFAULT_ASSEMBLY,
        "summary": DEFAULT_SUMMARY,
        "as_of": None,
    },
    "reproduce": {"version": "$context"},
    "saw": {"version": "$context"},
    "summarize": {"policy": DEFAULT_SUMMARY},
    "entities": {"limit": 5, "agent": None},
    "save": {
        "type": "code",
        "content": "x = 1",
        "media_type": "text/plain",
        "importance": 0.5,
        "task": None,
        "references": (),
        "private": None,
        "windows": ("main",),
        "name": None,
        "path": None,
        "artifact": None,
        "load_layer": None,
        "clarity": None,
        "summary": None,
    },
    "touch": {"*": "$item", "reason": "loaded"},
    "remove": {"*": "$item", "window": None, "why": None},
    "bring_back": {"*": "$removed", "window": "main"},
    "deprecate": {"item": "$item", "by": None, "why": None},
    "error": {"text": "boom", "name": None, "importance": None},
    "resolve_error": {"item": "$error", "how": None},
    "decide": {
        "text": "this",
        "rationale": None,
        "alternatives_rejected": (),
        "impact": (),
        "priority": "high",
        "decided_by": None,
        "recorded_by": None,
    },
    "set_goal": {"text": "goal", "priority": "low", "parent": "$goal", "status": "pending"},
    "update_goal": {"goal": "$goal", "text": "new", "priority": None, "status": None},
    "complete_goal": {"goal": "$goal"},
    "add_action": {
        "text": "do",
        "priority": "P1",
        "layer": None,
        "estimate_minutes": None,
        "assignee": None,
        "due": None,
        "blocked_by": None,
    },
    "block_action": {"action": "$action", "by": "something"},
    "complete_action": {"action": "$action"},
    "ask": {"text": "why?", "context": None, "priority": "low", "asked_by": None, "blocks": ()},
    "answer": {"question": "$question", "text": "because", "answered_by": None},
    "add_constraint": {"text": "always"},
    "remove_constraint": {"constraint": "$constraint", "why": None},
    "start_task": {
        "task": "T2",
        "text": "work",
        "acceptance_criteria": (),
        "depends_on_tasks": (),
        "depends_on_files": (),
    },
    "complete_task": {"task": "T1"},
    "set_phase": {"phase": "build"},
    "set_layer": {"project_layer": 1},
    "set_clarity": {"clarity": 50},
    "focus": {"files": ["a.py"], "last_edited": None, "current_function": None},
    "command_executed": {"command": "ls", "exit_code": 0},
    "file_updated": {"path": "a.py", "checksum": None},
    "commit_made": {"commit": "abc", "message": None},
    "checkpoint": {"name": "here", "triggers": (), "window": "main", "files": (), "root": None},
    "checkpoint_if_due": {
        "next_operation": "large_merge",
        "next_tokens": 0,
        "window": "main",
        "root": None,
        "policy": None,
    },
    "checkpoint_file": {"checkpoint": None},
    "restore": {"checkpoint": None, "root": None, "why": None},
    "prune": {
        "target": 0.0,
        "window": "limited",
        "next_tokens": 0,
        "policy": None,
        "pruning": None,
        "trigger": None,
    },
    "flash_save": {"window": "main", "agent": None, "policy": None, "trigger": None},
    "recover": {"next_tokens": 10, "window": "limited", "policy": None, "pruning": None},
    "end": {"why": None},
    "rename": {"title": "new"},
    "tag": {"*": "tag"},
    "set_project": {"name": "p", "id": None, "current_idea": None, "status": None},
    "join": {"name": "a", "id": None, "version": None, "mode": None, "capabilities": ()},
    "record": {"body": Deployed(), "effects": None, "contents": None},
    "configure_window": {"window": "main", "limit": None, "encoding": None, "model": None},
    "backtrack": {"to": 1, "why": "because"},
    "redo": {"why": "because"},
    "fork": {"at": 2, "id": None, "title": None, "why": None},
    "erase": {"item": "$item", "why": "law"},
    "by": {"actor": "me"},
    "once": {"key": "k"},
    "occurred": {"at": datetime(2026, 1, 1, tzinfo=UTC)},
    "caused_by": {"version": 1},
    "at": {"version": 1},
    "diff": {"from_version": 1, "to_version": 2},
    "events": {"after": 0, "upto": None, "types": (), "actor": None},
    "items": {"window": None, "live": None},
    "parts": {"item": "$item"},
    "text": {"item": "$item"},
    "text_at": {"place": (2, 0)},
    "messages": {"format": None, "window": "main", "at": None},
    "current_context": {"at": None},
}
VIEWS = {"by", "once", "occurred", "caused_by"}
CASES = [(name, parameter) for name, parameters in CALLS.items() for parameter in parameters]


def prepared(store: ContextStore, name: str | None = None) -> tuple[Any, dict[str, int]]:
    """A session with something of everything, or with what a call needs, and where it is."""
    needed = CALLS[name].values() if name else ["$context"]
    session = store.start()
    with session.atomic() as tx:
        tx.message("hello")
        tx.message("gone")
        tx.set_goal("goal")
        tx.add_action("action")
        tx.ask("question")
        tx.add_constraint("constraint")
        tx.error("error")
        tx.message("We decided to use Postgres.")
        tx.start_task("T1", "task")
        tx.tool_call("grep", {}, call_id="call")
    names = ["$item", "$removed", "$goal", "$action", "$question", "$constraint", "$error", "$pinned"]
    places = dict(zip(names, count(2)))
    session.pin(places["$pinned"])
    session.remove(places["$removed"])
    if "$context" in needed or "$noticed" in needed:
        places["$context"] = session.context(1000).version or 0
        places["$noticed"] = session.state.decisions[-1].id
    session.configure_window("limited", limit=1000)
    session.checkpoint("first")
    if name in (None, "redo"):
        session.backtrack(session.checkpoint("here") - 1, "for something to redo")
    return session, places


def call(session: Any, name: str, given: dict[str, Any], places: dict[str, int]) -> Any:
    arguments = {key: places.get(value, value) if _is_text(value) else value for key, value in given.items()}
    arguments = {key: [places["$item"]] if value == ["$item"] else value for key, value in arguments.items()}
    several = [arguments.pop("*")] if "*" in arguments else []
    done = getattr(session, name)(*several, **arguments)
    if name in VIEWS:
        return done.message("said so")
    return list(done) if name == "events" else done


def _is_text(value: object) -> bool:
    return isinstance(value, str)


@pytest.mark.parametrize("name", CALLS)
def test_the_call_itself_is_fine(store, name):
    session, places = prepared(store, name)
    call(session, name, CALLS[name], places)


@pytest.mark.parametrize(("name", "parameter"), CASES, ids=str)
def test_a_wrong_value_has_a_named_error(store, traces, name, parameter):
    session, places = prepared(store, name)
    before = traces.of(session.id)
    for value in BAD:
        given = CALLS[name] | {parameter: value}
        refused = refuses(partial(call, session, name, given, places), f"{name}({parameter}={value!r})")
        if traces.of(session.id) != before:
            assert not refused, f"{name}({parameter}={value!r}) was refused and left something behind"
            session, places = prepared(store, name)
            before = traces.of(session.id)


def refuses(attempt: Callable[[], Any], what: str) -> bool:
    """Whether there was an error: one of ours, that says something in one line."""
    try:
        attempt()
    except BackstoryError as error:
        said = str(error)
    except BaseException as error:
        raise AssertionError(f"{what} raised {type(error).__name__}: {error}") from error
    else:
        return False
    assert said.strip(), what
    assert "\n" not in said, (what, said)
    return True
