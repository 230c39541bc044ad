"""Entities of a session: what its messages and tool exchanges are about."""

import json

import pytest

from backstory.domain.policies.assembly import AssemblyPolicy


def exchange(session, arguments, result) -> None:
    session.tool_call("edit", arguments, call_id="c1")
    session.tool_result("c1", result)


def mentioned(session) -> set[tuple[str, str]]:
    return {(entity.kind, entity.name) for entity in session.views.entities()}


def test_names_of_arguments_are_no_functions(store):
    session = store.start()
    exchange(session, {"file_path": "auth/jwt.py", "edits": [{"old_str": "check_age(t)"}]}, "done")
    assert mentioned(session) == {("file", "auth/jwt.py"), ("function", "check_age")}


def test_names_in_json_that_a_tool_answers_are_no_functions(store):
    session = store.start()
    exchange(session, {}, json.dumps({"exit_code": 1, "found_in": ["auth/keys.py"]}))
    assert mentioned(session) == {("file", "auth/keys.py")}


@pytest.mark.parametrize("result", ['{"not_closed": "auth/keys.py"', "[" * 5000 + '"x_y"' + "]" * 5000])
def test_what_is_no_json_is_read_as_text(store, result):
    session = store.start()
    exchange(session, {}, result)
    assert {name for _, name in mentioned(session)} & {"not_closed", "x_y"}


def test_keys_of_arguments_are_no_entities_and_paths_on_servers_are_addresses(store):
    session = store.start()
    exchange(session, {"file_path": "auth/jwt.py"}, "done")
    session.message("Serve it at /.well-known/jwks.json.")
    tail = str(session.context(8_000).messages[-1]["content"])
    assert "file_path" not in tail
    assert "- urls: /.well-known/jwks.json" in tail


def test_what_the_history_does_not_show_is_in_the_list(store):
    session = store.start()
    for number in range(29):
        session.message(f"And src/part_{number}.py.")
    policy = AssemblyPolicy(shares={"entities": 1.0})
    context = session.context(800, format="markdown", policy=policy, summary=None)
    assert len(context.items("history")) < 9
    listed = (context.text or "").partition("## Mentioned\n")[2].partition("\n\n")[0]
    for number in range(20, 29):
        assert f"src/part_{number}.py" in listed


def test_a_window_that_has_few_of_the_messages_has_a_list_too(store):
    session = store.start()
    session.window.configure("side", limit=8_000)
    for number in range(22):
        session.message(f"And src/part_{number}.py.")
    for number in range(22, 26):
        session.message(f"And src/part_{number}.py.", windows=["side"])
    told = str(session.context(4_000, window="side", summary=None).messages[-1]["content"])
    assert all(f"src/part_{number}.py" in told for number in range(22, 26))
