"""Keys limit the tools as they limit requests; errors name the rule, and change nothing."""

from collections.abc import Iterator

import httpx2
import pytest
from hypothesis import given, strategies as st

from backstory.application.store import ContextStore
from backstory.interfaces.mcp.door import Door
from backstory.interfaces.mcp.server import create_server, tools
from tests.mcp.conftest import Asking
from tests.properties import examples


def test_a_reader_s_key_writes_nothing(own_store: ContextStore, address: str) -> None:
    session = own_store.start(project="shop")
    session.message("The harbour opens at six.")
    asking = Asking(address, own_store.keys.create("reader", "read").secret)
    before = session.version
    assert "access-denied" in asking.refused("record_decision", decision="x")
    assert "access-denied" in asking.refused("remember", text="x")
    assert asking.tool("search_history", query="harbour")["hits"]
    assert asking.tool("get_context", budget=1_000)
    assert own_store.session(session.id).version == before
    assert own_store.project("shop").version == 0


def test_a_key_sees_its_own_projects(own_store: ContextStore, address: str) -> None:
    mine, other = own_store.start(project="mine"), own_store.start(project="other")
    for session in (mine, other):
        session.message("the harbour opens at six")
    own_store.project("other").remember("The harbour closes at nine.")
    asking = Asking(address, own_store.keys.create("k", "append", projects=["mine"]).secret)
    assert {hit["session"] for hit in asking.tool("search_history", query="harbour")["hits"]} == {
        str(mine.id)
    }
    assert [one["session"] for one in asking.tool("recent_activity")["sessions"]] == [str(mine.id)]
    assert "does not exist" in asking.refused("session_status", session=str(other.id))
    assert "does not exist" in asking.refused("expand", item=2, session=str(other.id))
    assert "access-denied" in asking.refused("recall", query="harbour", project="other")
    assert "access-denied" in asking.refused("remember", text="x", project="other")
    assert "access-denied" in asking.refused("fetch", id="memory/other/2")


def test_a_write_records_the_key(own_store: ContextStore, address: str) -> None:
    session = own_store.start()
    asking = Asking(address, own_store.keys.create("bridge", "append").secret)
    version = asking.tool("record_decision", decision="Use RS256")["version"]
    (event,) = session.events(after=version - 1)
    assert event.caller is not None
    assert "bridge" in event.caller


def test_an_agent_s_key_reads_no_log_of_others(own_store: ContextStore, address: str) -> None:
    session = own_store.start()
    session.by("writer").items.save("note", "the writer's own plan", private=True)
    context = session.by("writer").context(1_000)
    asking = Asking(address, own_store.keys.create("k", "read", agent="reader").secret)
    assert asking.tool("search_history", query="plan")["hits"] == []
    for place in ("event/2", f"prompt/{context.version}", "item/2"):
        said = asking.read_refused(f"backstory://session/{session.id}/{place}")
        assert "may not" in said or "does not exist" in said or "another agent's own" in said, said
        assert "plan" not in said


@pytest.fixture(scope="module")
def shared(module_database: str) -> Iterator[ContextStore]:
    with ContextStore.open(module_database) as store:
        yield store


@examples(8)
@given(
    items=st.lists(
        st.tuples(st.sampled_from(["ada", "bob", None]), st.sampled_from(["kiln", "moth", "quay"])),
        min_size=1,
        max_size=6,
    )
)
def test_private_items_never_leak(shared: ContextStore, items: list[tuple[str | None, str]]) -> None:
    session = shared.start()
    for number, (agent, word) in enumerate(items):
        text = f"{word} secret{number}of{agent}"
        (session if agent is None else session.by(agent)).items.save("note", text, private=agent is not None)
    asking = Asking(create_server(Door(shared, session=str(session.id), agent="ada")))
    said = [
        *(
            str(asking.tool("search_history", query=word, session=str(session.id)))
            for word in ("kiln", "moth", "quay")
        ),
        asking.tool("get_context", budget=2_000),
        str(asking.tool("explain_context")),
        str(asking.tool("session_status")),
        asking.read(f"backstory://session/{session.id}"),
    ]
    for number, (agent, _) in enumerate(items):
        if agent == "bob":
            assert not any(f"secret{number}ofbob" in text for text in said)
            assert "ofbob" not in str(asking.raw("expand", item=number + 2))


def test_without_its_key_it_does_not_answer(own_store: ContextStore, address: str) -> None:
    own_store.keys.create("k", "read")
    with httpx2.Client() as client:
        answer = client.post(address, json={})
        assert (answer.status_code, answer.json()["code"]) == (401, "key-required")
        answer = client.post(address, json={}, headers={"Authorization": "Bearer bsk_wrong"})
        assert answer.status_code == 401


def test_no_web_page_reaches_it_by_another_name(address: str) -> None:
    with httpx2.Client() as client:
        for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            assert client.post(address, json={}, headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("session_status", {"session": "nope"}, "invalid-input: session: must be an id"),
        ("expand", {"item": 9_999}, "does not exist"),
        ("expand", {"item": 1, "start": 5}, "brought no item"),
        ("what_was_dropped", {}, "the session has no compaction"),
        ("get_context", {"budget": 3}, "budget"),
        ("recall", {"query": "x"}, "invalid-input: project: must be named"),
        ("fetch", {"id": "nonsense"}, "invalid-input: id: must be the id of a search result"),
        ("search_history", {"query": "x", "limit": 0}, "limit"),
        ("record_decision", {"decision": ""}, "invalid-input"),
    ],
)
def test_an_error_names_the_rule_and_changes_nothing(
    store: ContextStore, tool: str, arguments: dict[str, object], said: str
) -> None:
    session = store.start()
    asking = Asking(create_server(Door(store, session=str(session.id))))
    assert said in asking.refused(tool, **arguments)
    assert session.version == 1


def test_no_tool_destroys_anything(store: ContextStore) -> None:
    for _, kind in tools(Door(store)):
        assert kind.destructive_hint is False
    writing = {function.__name__ for function, kind in tools(Door(store)) if not kind.read_only_hint}
    assert writing == {"remember", "record_decision", "task_context"}
