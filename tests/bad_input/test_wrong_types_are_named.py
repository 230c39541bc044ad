"""Every parameter of every call, given what it cannot be: a named error in one sentence, or a value that is fine, and
never an error of Python's or of the driver's. Where it is an error, nothing is left behind."""

import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import count
from operator import attrgetter
from typing import Any
from uuid import uuid4

import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import BackstoryError
from backstory.domain.events import EventBody
from backstory.domain.messages.contents import Message, Part
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY
from backstory.domain.policies.summary import DEFAULT_SUMMARY
from tests.properties import usually
from tests.traces import Traces, watching

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
    "items.pin": {"item": "$item", "why": None},
    "items.unpin": {"item": "$pinned"},
    "window.compacted": {
        "summary": "hello",
        "summarized": ["$item"],
        "dropped": (),
        "kept": (),
        "algorithm": "by hand",
        "window": "main",
        "tokens_before": None,
    },
    "decisions.confirm": {"candidate": "$noticed"},
    "decisions.dismiss": {"candidate": "$noticed", "why": None},
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
    "views.entities": {"limit": 5, "agent": None},
    "items.save": {
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
    "items.touch": {"*": "$item", "reason": "loaded"},
    "items.remove": {"*": "$item", "window": None, "why": None},
    "items.bring_back": {"*": "$removed", "window": "main"},
    "items.deprecate": {"item": "$item", "by": None, "why": None},
    "progress.error": {"text": "boom", "name": None, "importance": None},
    "progress.resolve_error": {"item": "$error", "how": None},
    "decide": {
        "text": "this",
        "rationale": None,
        "alternatives_rejected": (),
        "impact": (),
        "priority": "high",
        "decided_by": None,
        "recorded_by": None,
    },
    "work.set_goal": {"text": "goal", "priority": "low", "parent": "$goal", "status": "pending"},
    "work.update_goal": {"goal": "$goal", "text": "new", "priority": None, "status": None},
    "work.complete_goal": {"goal": "$goal"},
    "work.add_action": {
        "text": "do",
        "priority": "P1",
        "layer": None,
        "estimate_minutes": None,
        "assignee": None,
        "due": None,
        "blocked_by": None,
    },
    "work.block_action": {"action": "$action", "by": "something"},
    "work.complete_action": {"action": "$action"},
    "work.ask": {"text": "why?", "context": None, "priority": "low", "asked_by": None, "blocks": ()},
    "work.answer": {"question": "$question", "text": "because", "answered_by": None},
    "work.add_constraint": {"text": "always"},
    "work.remove_constraint": {"constraint": "$constraint", "why": None},
    "work.start_task": {
        "task": "T2",
        "text": "work",
        "acceptance_criteria": (),
        "depends_on_tasks": (),
        "depends_on_files": (),
    },
    "work.complete_task": {"task": "T1"},
    "progress.set_phase": {"phase": "build"},
    "progress.set_layer": {"project_layer": 1},
    "progress.set_clarity": {"clarity": 50},
    "progress.focus": {"files": ["a.py"], "last_edited": None, "current_function": None},
    "progress.command_executed": {"command": "ls", "exit_code": 0},
    "progress.file_updated": {"path": "a.py", "checksum": None},
    "progress.commit_made": {"commit": "abc", "message": None},
    "checkpoints.create": {"name": "here", "triggers": (), "window": "main", "files": (), "root": None},
    "checkpoints.create_if_due": {
        "next_operation": "large_merge",
        "next_tokens": 0,
        "window": "main",
        "root": None,
        "policy": None,
    },
    "checkpoints.file": {"checkpoint": None},
    "checkpoints.restore": {"checkpoint": None, "root": None, "why": None},
    "window.prune": {
        "target": 0.0,
        "window": "limited",
        "next_tokens": 0,
        "policy": None,
        "pruning": None,
        "trigger": None,
    },
    "window.flash_save": {"window": "main", "agent": None, "policy": None, "trigger": None},
    "window.recover": {"next_tokens": 10, "window": "limited", "policy": None, "pruning": None},
    "end": {"why": None},
    "details.rename": {"title": "new"},
    "details.tag": {"*": "tag"},
    "details.set_project": {"name": "p", "id": None, "current_idea": None, "status": None},
    "details.join": {"name": "a", "id": None, "version": None, "mode": None, "capabilities": ()},
    "record": {"body": Deployed(), "effects": None, "contents": None},
    "window.configure": {"window": "main", "limit": None, "encoding": None, "model": None},
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
    "items.list": {"window": None, "live": None},
    "items.parts": {"item": "$item"},
    "text": {"item": "$item"},
    "items.text_at": {"place": (2, 0)},
    "messages": {"format": None, "window": "main", "at": None},
    "views.current_context": {"at": None},
}
VIEWS = {"by", "once", "occurred", "caused_by"}
CASES = [(name, parameter) for name, parameters in CALLS.items() for parameter in parameters]


def prepared(store: ContextStore) -> tuple[Any, dict[str, int]]:
    """A session with something of everything, and where it is."""
    session = store.start()
    with session.atomic() as tx:
        tx.message("hello")
        tx.message("gone")
        tx.work.set_goal("goal")
        tx.work.add_action("action")
        tx.work.ask("question")
        tx.work.add_constraint("constraint")
        tx.progress.error("error")
        tx.message("We decided to use Postgres.")
        tx.work.start_task("T1", "task")
        tx.tool_call("grep", {}, call_id="call")
    names = ["$item", "$removed", "$goal", "$action", "$question", "$constraint", "$error", "$pinned"]
    places = dict(zip(names, count(2)))
    session.items.pin(places["$pinned"])
    session.items.remove(places["$removed"])
    places["$context"] = session.context(1000).version or 0
    places["$noticed"] = session.state.candidates[-1].id
    session.window.configure("limited", limit=1000)
    session.checkpoints.create("first")
    session.backtrack(session.checkpoints.create("here") - 1, "for something to redo")
    return session, places


def call(session: Any, name: str, given: dict[str, Any], places: dict[str, int]) -> Any:
    arguments = {key: places.get(value, value) if _is_text(value) else value for key, value in given.items()}
    arguments = {key: [places["$item"]] if value == ["$item"] else value for key, value in arguments.items()}
    several = [arguments.pop("*")] if "*" in arguments else []
    done = attrgetter(name)(session)(*several, **arguments)
    if name in VIEWS:
        return done.message("said so")
    return list(done) if name == "events" else done


def _is_text(value: object) -> bool:
    return isinstance(value, str)


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[ContextStore]:
    """Alone in its database, whose rows are looked through after every call."""
    with ContextStore.open(module_database) as store:
        yield store


@pytest.fixture(scope="module")
def traces(module_database: str) -> Iterator[Traces]:
    with watching(module_database) as traces:
        yield traces


@pytest.mark.parametrize("name", CALLS)
def test_the_call_itself_is_fine(store, name):
    session, places = prepared(store)
    call(session, name, CALLS[name], places)


@pytest.mark.parametrize(("name", "parameter"), CASES, ids=str)
def test_a_wrong_value_has_a_named_error(store, traces, name, parameter):
    session, places = prepared(store)
    before = traces.of(session.id)
    first = CASES.index((name, parameter)) % 3
    for value in usually(BAD[first::3], BAD):
        given = CALLS[name] | {parameter: value}
        refused = refuses(partial(call, session, name, given, places), f"{name}({parameter}={value!r})")
        if traces.of(session.id) != before:
            assert not refused, f"{name}({parameter}={value!r}) was refused and left something behind"
            session, places = prepared(store)
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
