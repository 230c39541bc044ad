"""LangGraph: a chat graph of one node, compiled with `PostgresSaver` on a pool, as its persistence guide has it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypedDict
from uuid import uuid4

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import _messages_delta_reducer
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

from benchmarks.messages import MESSAGES
from benchmarks.rivals.conversation import Conversation

NODE = "model"


class DeltaState(TypedDict):
    messages: Annotated[list[AnyMessage], DeltaChannel(_messages_delta_reducer)]


class LangGraphConversation(Conversation):
    def __init__(self, store: "LangGraphStore", thread: str) -> None:
        self._store = store
        self._config: Any = {"configurable": {"thread_id": thread}}
        self._mark: Any = None

    async def append(self, text: str) -> None:
        self._store.graph.update_state(self._config, {"messages": [HumanMessage(text)]}, as_node=NODE)

    async def turn(self, said: str, answer: str) -> int:
        # Loading the thread, the node that reads it, and saving both messages are one call.
        self._store.answer = answer
        after = self._store.graph.invoke({"messages": [HumanMessage(said)]}, self._config)
        return len(after["messages"]) - 1

    async def record(self, said: str, answer: str) -> None:
        await self.turn(said, answer)

    async def mark(self) -> None:
        self._mark = self._store.graph.get_state(self._config).config

    async def read_marked(self) -> int:
        return len(self._store.graph.get_state(self._mark).values["messages"])

    async def count(self) -> int:
        return len(self._store.graph.get_state(self._config).values["messages"])

    async def another_writer(self) -> "LangGraphConversation":
        return LangGraphConversation(self._store, self._config["configurable"]["thread_id"])


class LangGraphStore:
    blocks = True

    def __init__(self, saver: PostgresSaver, state: Any) -> None:
        builder = StateGraph(state)
        builder.add_node(NODE, lambda state: {"messages": [AIMessage(self.answer)]})
        builder.add_edge(START, NODE)
        builder.add_edge(NODE, END)
        self.graph = builder.compile(checkpointer=saver)
        self.answer = ""

    async def conversation(self, messages: int) -> LangGraphConversation:
        made = LangGraphConversation(self, str(uuid4()))
        texts = [MESSAGES[number % len(MESSAGES)] for number in range(messages)]
        earlier = [
            (AIMessage if number % 2 else HumanMessage)(text, id=str(uuid4()))
            for number, text in enumerate(texts)
        ]
        if earlier:
            self.graph.update_state(made._config, {"messages": earlier}, as_node=NODE)
        return made


@asynccontextmanager
async def langgraph_store(url: str, state: Any = MessagesState) -> AsyncIterator[LangGraphStore]:
    settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    with ConnectionPool(url, min_size=1, max_size=20, kwargs=settings, open=True) as pool:
        saver = PostgresSaver(pool)  # type: ignore[arg-type]
        saver.setup()
        yield LangGraphStore(saver, state)


@asynccontextmanager
async def langgraph_delta_store(url: str) -> AsyncIterator[LangGraphStore]:
    """The channel, in beta, that saves what was added and a snapshot now and then."""
    async with langgraph_store(url, DeltaState) as store:
        yield store
