"""Sessions of the OpenAI Agents SDK, kept in a store and in a served one."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from backstory.application.store import ContextStore
from backstory.interfaces.client.opening import connect
from tests.serving import served

pytest.importorskip("agents", reason="needs the extra openai-agents")

from agents import Agent, Runner, function_tool
from agents.memory import Session
from agents.testing import ScriptedModel
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from backstory.interfaces.adapters.openai_agents import BackstorySession

CALL = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": "a.py"}', "id": "fc_1"}
OTHER = {"type": "function_call", "call_id": "c2", "name": "look", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "no such file"}
THOUGHT = {"type": "reasoning", "id": "r1", "summary": []}
ASKED = {"role": "user", "content": "What is in a.py?"}


@pytest.fixture
def name() -> str:
    return f"talk {uuid4()}"


def test_items_are_a_conversation_here(store: ContextStore, name: str) -> None:
    session = BackstorySession(name, store)
    assert isinstance(session, Session)
    history: list[Any] = [ASKED, THOUGHT, CALL, OTHER, OUTPUT]
    asyncio.run(session.add_items(history))
    assert asyncio.run(BackstorySession(name, store).get_items()) == history
    assert asyncio.run(session.get_items(2)) == history[-2:]
    kept = store.session(session.id)
    types = [item.type for item in kept.items.list()]
    assert sorted(types) == ["message", "message", "tool_exchange", "tool_exchange"]
    assert "no such file" in kept.text(next(i.id for i in kept.items.list() if i.type == "tool_exchange"))


def test_a_popped_output_leaves_its_call(store: ContextStore, name: str) -> None:
    session = BackstorySession(name, store)
    asyncio.run(session.add_items([ASKED, CALL, THOUGHT, OUTPUT]))  # type: ignore[list-item]
    assert asyncio.run(session.pop_item()) == OUTPUT
    assert asyncio.run(session.get_items()) == [ASKED, CALL, THOUGHT]
    assert asyncio.run(session.pop_item()) == THOUGHT
    assert asyncio.run(session.pop_item()) == CALL
    assert asyncio.run(session.pop_item()) == ASKED
    assert asyncio.run(session.pop_item()) is None


def test_an_id_of_a_call_is_used_again(store: ContextStore, name: str) -> None:
    session = BackstorySession(name, store)
    again = {**OUTPUT, "output": "found"}
    asyncio.run(session.add_items([CALL, OUTPUT, CALL, again]))  # type: ignore[list-item]
    assert asyncio.run(session.pop_item()) == again
    assert asyncio.run(session.get_items()) == [CALL, OUTPUT, CALL]


def test_it_works_on_a_served_store(own_store: ContextStore, name: str) -> None:
    with served(own_store) as url, connect(url) as client:
        session = BackstorySession(name, client)
        history: list[Any] = [ASKED, THOUGHT, CALL, OTHER, OUTPUT]
        asyncio.run(session.add_items(history))
        assert asyncio.run(session.get_items()) == history
        assert asyncio.run(session.pop_item()) == OUTPUT
        assert asyncio.run(session.get_items()) == history[:-1]
        asyncio.run(session.clear_session())
        assert asyncio.run(session.get_items()) == []


def test_a_cleared_session_is_hidden_and_kept(store: ContextStore, name: str) -> None:
    session = BackstorySession(name, store)
    asyncio.run(session.add_items([ASKED, CALL, OUTPUT]))  # type: ignore[list-item]
    asyncio.run(session.clear_session())
    assert asyncio.run(session.get_items()) == []
    kept = store.session(session.id)
    assert kept.state.live() == []
    assert len(kept.items.list()) == 2
    asyncio.run(session.add_items([ASKED]))  # type: ignore[list-item]
    assert asyncio.run(session.get_items()) == [ASKED]


def test_items_added_at_once_are_all_kept(store: ContextStore, name: str) -> None:
    async def add() -> None:
        session = BackstorySession(name, store)
        await asyncio.gather(*(session.add_items([{"role": "user", "content": f"n{n}"}]) for n in range(8)))

    asyncio.run(add())
    kept = asyncio.run(BackstorySession(name, store).get_items())
    assert sorted(str(item["content"]) for item in kept) == [f"n{n}" for n in range(8)]  # type: ignore[typeddict-item]


def test_messages_that_others_recorded_are_there(store: ContextStore, name: str) -> None:
    session = BackstorySession(name, store)
    asyncio.run(session.add_items([ASKED]))  # type: ignore[list-item]
    store.session(session.id).message("It is empty.", role="agent")
    assert asyncio.run(session.get_items()) == [ASKED, {"role": "assistant", "content": "It is empty."}]


def test_an_agent_goes_on_in_another_process(store: ContextStore, name: str) -> None:
    @function_tool
    def look(at: str) -> str:
        return f"nothing at {at}"

    def says(text: str) -> Any:
        part = ResponseOutputText(annotations=[], text=text, type="output_text")
        return ResponseOutputMessage(
            id="1", content=[part], role="assistant", status="completed", type="message"
        )

    called = ResponseFunctionToolCall(
        arguments='{"at": "a.py"}', call_id="c1", name="look", type="function_call"
    )

    async def run(asked: str, *script: Any) -> str:
        agent = Agent("coder", model=ScriptedModel([[one] for one in script]), tools=[look])
        done = await Runner.run(agent, asked, session=BackstorySession(name, store))
        return str(done.final_output)

    assert asyncio.run(run("Look.", called, says("Nothing."))) == "Nothing."
    assert asyncio.run(run("Sure?", says("Sure."))) == "Sure."
    kinds = [item.type for item in store.session(BackstorySession(name, store).id).items.list()]
    assert kinds == ["message", "tool_exchange", "message", "message", "message"]
