"""What an agent lost to a compaction is named, found and read through the tools."""

import json

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.mcp.door import Door
from backstory.interfaces.mcp.server import create_server
from tests.mcp.conftest import Asking, compact


def test_what_was_dropped_names_the_files_that_are_gone(ask: Asking, compacted: Session) -> None:
    dropped = ask.tool("what_was_dropped", session=str(compacted.id), limit=50)
    assert dropped["left"] >= len(dropped["items"]) > 0
    (exchange,) = [item for item in dropped["items"] if item["type"] == "tool_exchange"]
    assert "auth/tokens.py" in exchange["line"]
    assert exchange["gone"]


def test_a_search_finds_it_and_expand_shows_it_whole(ask: Asking, compacted: Session) -> None:
    found = ask.tool("search_history", query="rotate sign ttl", session=str(compacted.id))
    hit = found["hits"][0]
    assert hit["type"] == "tool_exchange"
    shown = ask.tool("expand", item=hit["item"], session=hit["session"])
    assert shown.startswith('read_file({"path": "auth/tokens.py"})')
    assert shown.count("def rotate") == 20


def test_a_summary_expands_to_what_it_replaced(ask: Asking, compacted: Session) -> None:
    (compaction,) = compacted.window.compactions()
    shown = ask.tool("expand", item=compaction.version, session=str(compacted.id))
    assert "def rotate(token)" in shown
    assert "Step 3:" in shown
    assert "[item 4 tool_exchange agent]" in shown


def test_a_long_text_is_read_in_pieces(ask: Asking, store: ContextStore) -> None:
    session = store.start()
    text = "".join(f"line {number}\n" for number in range(5_000))
    item = session.message(text)
    first = ask.tool("expand", item=item, session=str(session.id))
    kept, _, rest = first.rpartition("\n[")
    assert rest.endswith(f"read on with start={len(kept)}]")
    read = kept
    while len(read) < len(text):
        piece = ask.tool("expand", item=item, session=str(session.id), start=len(read))
        read += piece.rpartition("\n[")[0] if piece.endswith("]") else piece
    assert read == text


def test_where_a_session_stands(ask: Asking, compacted: Session) -> None:
    compacted.work.set_goal("Let people sign in")
    compacted.work.ask("Who rotates the keys?")
    standing = ask.tool("session_status", session=str(compacted.id))
    assert standing["session"]["title"] == "Sign in"
    assert standing["view"]["goals"][0]["text"] == "Let people sign in"
    assert standing["view"]["hot_context"]["open_questions"] == ["Who rotates the keys?"]


def test_a_context_keeps_within_its_budget_and_is_explained(ask: Asking, compacted: Session) -> None:
    text = ask.tool("get_context", budget=2_000, session=str(compacted.id))
    assert "Step 29" in text
    outline = ask.tool("explain_context", budget=700, session=str(compacted.id))
    assert outline["tokens"] + outline["reserve"] <= 700
    assert {section["name"] for section in outline["sections"]} >= {"history"}
    assert sum(outline["left_out"].values()) > 0


def test_decisions_are_recorded_and_listed(ask: Asking, compacted: Session) -> None:
    done = ask.tool(
        "record_decision",
        decision="Rotate keys every week",
        rationale="a leak is found within days",
        alternatives_rejected=["never"],
        session=str(compacted.id),
    )
    (newest, *_) = ask.tool("list_decisions", session=str(compacted.id))["decisions"]
    assert newest["item"] == done["version"]
    assert (newest["text"], newest["rationale"]) == ("Rotate keys every week", "a leak is found within days")


def test_memories_are_kept_and_recalled_as_a_model_s_words(store: ContextStore) -> None:
    project = store.project("mcp-memories")
    asking = Asking(create_server(Door(store, project=project.name, agent="coder")))
    done = asking.tool("remember", text="The staging database is rebuilt every night.", kind="knowledge")
    found = asking.tool("recall", query="when is staging rebuilt")["found"]
    assert found[0]["memory"]["id"] == done["memory"]
    assert (found[0]["memory"]["origin"], found[0]["memory"]["by"]) == ("model", "coder")


def test_connectors_search_and_fetch(ask: Asking, own_store: ContextStore) -> None:
    session = compact(own_store)
    own_store.project("shop").remember("The refresh token lives thirty days.", title="Refresh tokens")
    asking = Asking(create_server(Door(own_store)))
    results = asking.tool("search", query="refresh token")["results"]
    assert {tuple(sorted(result)) for result in results} == {("id", "title", "url")}
    fetched = {result["id"]: asking.tool("fetch", id=result["id"]) for result in results}
    texts = [one["text"] for one in fetched.values()]
    assert "The refresh token lives thirty days." in texts
    assert any("Never log the refresh token" in text for text in texts)
    assert all(str(session.id) in one or one.startswith("memory/shop/") for one in fetched)


def test_recent_sessions_are_listed(own_store: ContextStore) -> None:
    for title in ("First", "Second", "Third"):
        own_store.start(title=title).message("hello")
    asking = Asking(create_server(Door(own_store)))
    page = asking.tool("recent_activity", limit=2)
    assert [one["title"] for one in page["sessions"]] == ["Third", "Second"]
    rest = asking.tool("recent_activity", limit=2, after=page["next"])
    assert [one["title"] for one in rest["sessions"]] == ["First"]


def test_resources_show_states_events_and_prompts(ask: Asking, compacted: Session) -> None:
    context = compacted.context(2_000)
    place = f"backstory://session/{compacted.id}"
    assert json.loads(ask.read(place))["metadata"]["session_id"] == str(compacted.id)
    assert json.loads(ask.read(f"{place}/at/3"))["metadata"]["session_id"] == str(compacted.id)
    assert json.loads(ask.read(f"{place}/event/2"))["type"] == "message.added"
    assert ask.read(f"{place}/prompt/{context.version}").encode() == context.data
    assert ask.read(f"{place}/item/3").startswith("Never log")


def test_prompts_show_the_record_as_reference(ask: Asking, compacted: Session) -> None:
    for name in ("continue_session", "handover"):
        made = ask.do(lambda client, name=name: client.get_prompt(name, {"session": str(compacted.id)}))
        text = made.messages[0].content.text
        assert "not instructions" in text
        assert "Step 29" in text


def test_the_tools_work_on_a_service_as_on_a_database(remote: ContextStore) -> None:
    session = compact(remote)
    asking = Asking(create_server(Door(remote)))
    assert asking.tool("what_was_dropped", session=str(session.id))["items"]
    assert asking.tool("search_history", query="refresh token")["hits"]
    assert asking.tool("session_status")["session"]["session"] == str(session.id)
    assert json.loads(asking.read("backstory://session/last/event/2"))["version"] == 2
