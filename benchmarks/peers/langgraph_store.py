"""LangGraph: a chat graph of one node, compiled with `PostgresSaver` on a pool. A turn loads the whole thread."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

from benchmarks.messages import MESSAGES
from benchmarks.peers.conversation import Conversation

NODE = "model"


class LangGraphConversation(Conversation):
    def __init__(self, store: "LangGraphStore") -> None:
        self._store = store
        self.config: Any = {"configurable": {"thread_id": str(uuid4())}}

    async def append(self, text: str) -> None:
        self._store.graph.update_state(self.config, {"messages": [HumanMessage(text)]}, as_node=NODE)

    async def turn(self, said: str, answer: str) -> int:
        self._store.answer = answer
        after = self._store.graph.invoke({"messages": [HumanMessage(said)]}, self.config)
        return len(after["messages"]) - 1

    async def kept(self) -> int:
        return len(self._store.graph.get_state(self.config).values["messages"])


class LangGraphStore:
    def __init__(self, saver: PostgresSaver) -> None:
        builder = StateGraph(MessagesState)
        builder.add_node(NODE, lambda state: {"messages": [AIMessage(self.answer)]})
        builder.add_edge(START, NODE)
        builder.add_edge(NODE, END)
        self.graph = builder.compile(checkpointer=saver)
        self.answer = ""

    async def conversation(self, messages: int) -> LangGraphConversation:
        made = LangGraphConversation(self)
        texts = (MESSAGES[number % len(MESSAGES)] for number in range(messages))
        earlier = [(AIMessage if number % 2 else HumanMessage)(text) for number, text in enumerate(texts)]
        self.graph.update_state(made.config, {"messages": earlier}, as_node=NODE)
        return made


@asynccontextmanager
async def langgraph_store(url: str) -> AsyncIterator[LangGraphStore]:
    settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    with ConnectionPool(url, min_size=1, max_size=20, kwargs=settings, open=True) as pool:
        saver = PostgresSaver(pool)  # type: ignore[arg-type]
        saver.setup()
        yield LangGraphStore(saver)
