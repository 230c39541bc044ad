"""A graph of LangGraph whose checkpoints are kept in a store, with scripted models."""

import asyncio
import operator
from collections.abc import Callable
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput, OnlyInProcess, UnknownSession, VersionConflict
from backstory.interfaces.client.opening import connect
from tests.serving import served

pytest.importorskip("langgraph", reason="needs the extra langgraph")

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, ToolMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt

from backstory.interfaces.adapters.langgraph import BackstorySaver


class Talk(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    steps: Annotated[list[str], operator.add]


def reply(state: Talk) -> Any:
    return {"messages": [AIMessage(f"answer to {state['messages'][-1].content}")], "steps": ["reply"]}


def graph_of(saver: BackstorySaver, node: Callable[[Talk], Any] = reply) -> Any:
    """A graph of one node."""
    builder = StateGraph(Talk)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    builder.add_edge("node", END)
    return builder.compile(checkpointer=saver)


def ask(text: str) -> Any:
    return {"messages": [HumanMessage(text)]}


@pytest.fixture
def thread() -> str:
    return f"thread {uuid4()}"


@pytest.fixture
def config(thread: str) -> Any:
    return {"configurable": {"thread_id": thread}}


@pytest.fixture
def saver(own_store: ContextStore) -> BackstorySaver:
    return BackstorySaver(own_store)


def session_of(store: ContextStore, thread: str) -> Session:
    return store.session(BackstorySaver(store).session_id(thread))


def said(found: Any) -> list[str]:
    return [message.content for message in found["messages"]]


def test_each_message_is_recorded_once(
    saver: BackstorySaver, own_store: ContextStore, config: Any, thread: str
) -> None:
    graph = graph_of(saver)
    for text in ("one", "two", "three"):
        graph.invoke(ask(text), config)
    session = session_of(own_store, thread)
    live = [(item.role, session.text(item.id)) for item in session.state.live()]
    assert live == [
        (role, text)
        for number in ("one", "two", "three")
        for role, text in (("user", number), ("agent", f"answer to {number}"))
    ]
    assert len(session.items.list()) == 6
    assert session.verify().ok


def test_another_process_goes_on_with_the_thread(own_store: ContextStore, config: Any) -> None:
    graph_of(BackstorySaver(own_store)).invoke(ask("one"), config)
    found = graph_of(BackstorySaver(own_store)).invoke(ask("two"), config)
    assert said(found) == ["one", "answer to one", "two", "answer to two"]
    assert found["steps"] == ["reply", "reply"]


def test_messages_are_searched(saver: BackstorySaver, own_store: ContextStore, config: Any) -> None:
    graph_of(saver).invoke(ask("the zeppelin leaves at noon"), config)
    assert "zeppelin" in own_store.search("zeppelin").hits[0].snippet


def test_calls_and_results_are_one_tool_exchange(
    saver: BackstorySaver, own_store: ContextStore, config: Any, thread: str
) -> None:
    call = {"name": "read_file", "args": {"path": "a.py", "text": "x" * 3000}, "id": "call-1"}

    def node(state: Talk) -> Any:
        return {
            "messages": [
                AIMessage("I read it.", tool_calls=[call], id="a"),
                ToolMessage("no such file", tool_call_id="call-1", status="error", id="b"),
                ToolMessage("late", tool_call_id="call-1", id="c"),
            ]
        }

    before = graph_of(saver, node).invoke(ask("read a.py"), config)
    session = session_of(own_store, thread)
    assert [item.type for item in session.items.list()] == ["message", "tool_exchange", "message"]
    after = graph_of(BackstorySaver(own_store)).get_state(config).values
    assert after["messages"] == before["messages"]


def test_an_interrupt_is_resumed_by_another_process(own_store: ContextStore, config: Any) -> None:
    def node(state: Talk) -> Any:
        return {"messages": [AIMessage(f"deployed: {interrupt('deploy?')}")]}

    stopped = graph_of(BackstorySaver(own_store), node).invoke(ask("deploy"), config)
    assert stopped["__interrupt__"][0].value == "deploy?"
    found = graph_of(BackstorySaver(own_store), node).invoke(Command(resume="yes"), config)
    assert said(found) == ["deploy", "deployed: yes"]


def test_time_travel_makes_a_branch(
    saver: BackstorySaver, own_store: ContextStore, config: Any, thread: str
) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("one"), config)
    past = graph.get_state(config).config
    graph.invoke(ask("two"), config)
    found = graph.invoke(ask("other"), past)
    expected = ["one", "answer to one", "other", "answer to other"]
    assert said(found) == expected
    assert said(graph.get_state(config).values) == expected
    session = session_of(own_store, thread)
    assert [session.text(item.id) for item in session.state.live()] == expected
    # And back to the branch that was left.
    left = next(c for c in graph.get_state_history(config) if "answer to two" in said(c.values))
    found = graph.invoke(ask("three"), left.config)
    assert said(found)[2:] == ["two", "answer to two", "three", "answer to three"]
    live = sorted(session.state.live(), key=lambda item: item.id)
    assert {session.text(item.id) for item in live} == set(said(found))


def test_an_update_of_a_past_state_makes_a_branch(saver: BackstorySaver, config: Any) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("one"), config)
    past = graph.get_state(config).config
    graph.invoke(ask("two"), config)
    branch = graph.update_state(past, {"steps": ["by hand"]})
    assert graph.get_state(branch).values["steps"] == ["reply", "by hand"]


def test_a_subgraph_keeps_its_own_state(
    saver: BackstorySaver, own_store: ContextStore, config: Any, thread: str
) -> None:
    inner = StateGraph(Talk)
    inner.add_node("think", lambda state: {"messages": [AIMessage(f"thought {interrupt('go on?')}", id="t")]})
    inner.add_edge(START, "think")
    builder = StateGraph(Talk)
    builder.add_node("inner", inner.compile())
    builder.add_edge(START, "inner")
    graph = builder.compile(checkpointer=saver)
    graph.invoke(ask("think"), config)
    (task,) = graph.get_state(config, subgraphs=True).tasks
    assert said(task.state.values) == ["think"]
    assert said(graph.invoke(Command(resume="yes"), config)) == ["think", "thought yes"]
    session = session_of(own_store, thread)
    assert [session.text(item.id) for item in session.items.list()] == ["think", "thought yes"]


def test_removed_messages_leave_the_window(
    saver: BackstorySaver, own_store: ContextStore, config: Any, thread: str
) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("one"), config)
    first = graph.get_state(config).values["messages"][0]
    graph.update_state(config, {"messages": [RemoveMessage(first.id)]})
    session = session_of(own_store, thread)
    assert [session.text(item.id) for item in session.state.live()] == ["answer to one"]
    assert len(session.items.list()) == 2


def test_one_run_goes_on_from_a_checkpoint(
    saver: BackstorySaver, own_store: ContextStore, config: Any
) -> None:
    graph_of(saver).invoke(ask("one"), config)
    first, second = saver.get_tuple(config), BackstorySaver(own_store).get_tuple(config)
    assert first is not None
    assert second is not None
    longer = {name: {**first.checkpoint, "id": first.checkpoint["id"] + name} for name in "ab"}
    saver.put(first.config, longer["a"], {"source": "loop"}, {})
    with pytest.raises(VersionConflict, match="another run has continued thread"):
        saver.put(second.config, longer["b"], {"source": "loop"}, {})
    assert len(list(saver.list(config))) == 4


def test_runs_at_once_lose_nothing_in_silence(own_store: ContextStore, config: Any) -> None:
    async def run(saver: BackstorySaver, text: str) -> str | None:
        try:
            await graph_of(saver).ainvoke(ask(text), config)
        except VersionConflict:
            return None
        return text

    async def both() -> list[str | None]:
        savers = [BackstorySaver(own_store), BackstorySaver(own_store)]
        return await asyncio.gather(*(run(saver, f"run {n}") for n, saver in enumerate(savers * 3)))

    done = [text for text in asyncio.run(both()) if text is not None]
    assert done
    kept = said(graph_of(BackstorySaver(own_store)).get_state(config).values)
    assert all(text in kept for text in done)


def test_a_deleted_thread_is_hidden_and_begins_anew(
    saver: BackstorySaver, own_store: ContextStore, config: Any, thread: str
) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("one"), config)
    saver.delete_thread(thread)
    assert graph.get_state(config).values == {}
    session = session_of(own_store, thread)
    assert session.state.live() == []
    assert [session.text(item.id) for item in session.items.list()] == ["one", "answer to one"]
    assert said(graph.invoke(ask("two"), config)) == ["two", "answer to two"]


def test_an_erased_thread_is_gone(
    saver: BackstorySaver, own_store: ContextStore, config: Any, thread: str
) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("one"), config)
    saver.erase_thread(thread)
    assert saver.get_tuple(config) is None
    assert list(own_store.search("one").hits) == []
    with pytest.raises(UnknownSession, match="was erased"):
        graph.invoke(ask("two"), config)


def test_an_erased_message_is_gone_from_every_checkpoint(
    saver: BackstorySaver, own_store: ContextStore, config: Any, thread: str
) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("my pin is 4711"), config)
    session = session_of(own_store, thread)
    (item,) = [item.id for item in session.items.list() if session.text(item.id) == "my pin is 4711"]
    session.erase(item, "a secret", everywhere=True)
    states = [saved.values for saved in graph_of(BackstorySaver(own_store)).get_state_history(config)]
    texts = [text for state in states if "messages" in state for text in said(state)]
    assert "[erased]" in texts
    assert "my pin is 4711" not in texts


def test_a_copied_thread_goes_on_by_itself(saver: BackstorySaver, config: Any, thread: str) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("one"), config)
    saver.copy_thread(thread, f"{thread} copied")
    copied = {"configurable": {"thread_id": f"{thread} copied"}}
    assert said(graph.invoke(ask("two"), copied)) == ["one", "answer to one", "two", "answer to two"]
    assert said(graph.get_state(config).values) == ["one", "answer to one"]
    listed = {one.config["configurable"]["thread_id"] for one in saver.list(None)}
    assert listed == {thread, f"{thread} copied"}
    with pytest.raises(InvalidInput, match="is a thread already"):
        saver.copy_thread(thread, f"{thread} copied")


def test_a_pruned_thread_goes_on(saver: BackstorySaver, config: Any, thread: str) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("one"), config)
    saver.prune([thread])
    assert len(list(saver.list(config))) == 1
    assert said(graph.invoke(ask("two"), config)) == ["one", "answer to one", "two", "answer to two"]


def test_a_backtrack_of_the_session_takes_the_graph_back(
    saver: BackstorySaver, own_store: ContextStore, config: Any, thread: str
) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("one"), config)
    session = session_of(own_store, thread)
    version = session.version
    graph.invoke(ask("two"), config)
    session.backtrack(version, "wrong way")
    assert said(graph.invoke(ask("three"), config)) == ["one", "answer to one", "three", "answer to three"]


def test_the_synchronous_methods_do_what_the_conformance_tests_ask_of_the_others(
    saver: BackstorySaver, config: Any, thread: str
) -> None:
    graph = graph_of(saver)
    graph.invoke(ask("one"), {**config, "metadata": {"run_id": "run-1"}})
    graph.invoke(ask("two"), {**config, "metadata": {"run_id": "run-2"}})
    every = list(saver.list(config))
    ids = [one.checkpoint["id"] for one in every]
    assert ids == sorted(ids, reverse=True)
    assert len(list(saver.list(config, limit=2))) == 2
    assert [one.checkpoint["id"] for one in saver.list(config, before=every[1].config)] == ids[2:]
    assert {one.metadata["step"] for one in saver.list(config, filter={"source": "input"})} == {-1, 2}
    saver.put_writes(every[0].config, [("steps", ["x"]), ("__error__", "first")], "task", "path")
    saver.put_writes(every[0].config, [("steps", ["y"]), ("__error__", "second")], "task", "path")
    found = saver.get_tuple(config)
    assert found is not None
    assert found.pending_writes == [("task", "__error__", "second"), ("task", "steps", ["x"])]
    saver.delete_for_runs(["run-2"])
    assert said(graph.get_state(config).values) == ["one", "answer to one"]


def test_a_served_store_is_refused(own_store: ContextStore) -> None:
    with served(own_store) as url, connect(url) as client, pytest.raises(OnlyInProcess):
        BackstorySaver(client)
