"""A session of the OpenAI Agents SDK in a ContextStore, in this process or served."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID, uuid5

from agents import SessionSettings
from agents.items import TResponseInputItem
from agents.memory.session_settings import coerce_session_settings, resolve_session_limit

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.application.writer import Writer
from backstory.domain.errors import ItemNotLive
from backstory.domain.messages.contents import Message, Part
from backstory.domain.state import ContextState

SESSIONS = UUID("0f6f7a52-9a10-5f1c-9a3e-5f2c6d1f8b21")
"""The namespace of the ids of sessions."""
TAG = "openai-agents"
_ROLES = {"assistant": "agent", "system": "system", "developer": "system"}
_KEY = "openai_agents"
_ATTEMPTS = 8


class BackstorySession:
    """The history of a conversation, for `Runner.run(…, session=…)`. A message is a message here, a function call and
    its output one tool exchange; other items are kept as they are. What is popped or cleared is hidden, not deleted."""

    def __init__(
        self,
        session_id: str,
        store: ContextStore,
        *,
        session_settings: SessionSettings | dict[str, Any] | None = None,
        project: str | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = (
            SessionSettings() if session_settings is None else coerce_session_settings(session_settings)
        )
        self._store = store
        self._project = project
        self._opened: Session | None = None

    @property
    def id(self) -> UUID:
        """The id of the session in the store."""
        return uuid5(SESSIONS, self.session_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The conversation, oldest first; with a limit, the newest items of it."""
        return await asyncio.to_thread(self._items, resolve_session_limit(limit, self.session_settings))

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Appends items: all of them, or none."""
        if items:
            await asyncio.to_thread(self._add, items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Hides the newest item and returns it."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Hides all items. They stay in the record."""
        await asyncio.to_thread(self._clear)

    def _session(self) -> Session:
        if self._opened is None:
            self._opened = self._store.start(
                self.id, title=self.session_id or None, tags=[TAG], project=self._project
            )
        return self._opened.refresh()

    def _items(self, limit: int | None) -> list[TResponseInputItem]:
        said = _ordered(self._session().messages())
        chosen = said if limit is None else said[-limit:] if limit > 0 else []
        return [_item_of(message) for message in chosen]

    def _add(self, items: Sequence[Any]) -> None:
        session = self._session()
        state = session.state
        recorder = _Recorder(state)
        with session.atomic() as transaction:
            for number, item in enumerate(items):
                recorder.write(transaction, item, state.version + number)

    def _pop(self) -> TResponseInputItem | None:
        for _ in range(_ATTEMPTS):
            session = self._session()
            found = _ordered(session.messages())
            if not found:
                return None
            popped = found[-1]
            try:
                self._hide_last(session, _place(popped))
            except ItemNotLive:
                # Somebody else popped it.
                continue
            return _item_of(popped)
        raise ItemNotLive(f"others kept popping items of session {self.session_id!r}.")

    def _hide_last(self, session: Session, place: int) -> None:
        live = session.state.live()
        holder = next(
            (item for item in reversed(live) if _place_in(session.items.metadata(item.id)) == place), live[-1]
        )
        if len(holder.versions) == 1:
            session.items.remove(holder.id, why="popped")
            return
        # An exchange of which a result is popped: what is left of it is said again, at its old place.
        with session.atomic() as transaction:
            transaction.items.remove(holder.id, why="popped")
            for message in self._exchange(session, holder.id)[:-1]:
                transaction.message(message, metadata=message.metadata)

    def _exchange(self, session: Session, item: int) -> list[Message]:
        """The call of an exchange and its results. Some models use the id of a call again: then it is the last."""
        calls = {part.call_id for part in session.items.parts(item) if part.call_id}
        said = [one for one in _ordered(session.messages()) if any(p.call_id in calls for p in one.parts)]
        first = max(place for place, one in enumerate(said) if any(p.kind == "tool_use" for p in one.parts))
        return said[first:]

    def _clear(self) -> None:
        session = self._session()
        live = [item.id for item in session.state.live()]
        if live:
            session.items.remove(*live, why="cleared")


class _Recorder:
    """Writes items to a transaction."""

    def __init__(self, state: ContextState) -> None:
        self._open = {call for call, item in state.open_calls.items() if item in state.items}

    def write(self, writer: Writer, item: Any, place: int) -> None:
        texts: list[tuple[list[str | int], str]] = []
        shell = _without_texts(json.loads(json.dumps(item)), [], texts)
        parts = [Part("text", text.encode()) for _, text in texts]
        role, kind = _ROLES.get(str(item.get("role")), "user"), item.get("type")
        call = item.get("call_id")
        if kind == "function_call" and self._may_open(call):
            self._open.add(call)
            parts = [Part("tool_use", parts[0].data, "application/json", call_id=call, name=item["name"])]
            role = "agent"
        elif kind == "function_call_output" and call in self._open and len(parts) <= 1:
            self._open.discard(call)
            parts = [Part("tool_result", parts[0].data if parts else b"", call_id=call)]
            role = "tool"
        elif "role" not in item:
            role = "agent"
        if not parts:
            parts = [Part("json", json.dumps(shell, ensure_ascii=False).encode(), "application/json")]
        metadata = {_KEY: {"n": place, "item": shell, "texts": [path for path, _ in texts]}}
        writer.message(Message(role, tuple(parts)), metadata=metadata)

    def _may_open(self, call: Any) -> bool:
        return isinstance(call, str) and 0 < len(call) <= 200 and call not in self._open


def _without_texts(value: Any, path: list[str | int], texts: list[tuple[list[str | int], str]]) -> Any:
    """The item without what it says: texts of contents, arguments and outputs are the parts of the message."""
    if isinstance(value, dict):
        return {key: _without_texts(inner, [*path, key], texts) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_texts(inner, [*path, place], texts) for place, inner in enumerate(value)]
    if isinstance(value, str) and value and path[-1] in ("content", "text", "arguments", "output", "refusal"):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value
        texts.append((path, value))
        return ""
    return value


def _item_of(message: Message) -> Any:
    kept = message.metadata.get(_KEY)
    if kept is None:
        # Recorded by others: its words.
        role = "assistant" if message.role == "agent" else message.role
        text = "\n".join(part.data.decode(errors="replace") for part in message.parts)
        return {"role": "user" if role == "tool" else role, "content": text}
    item = kept["item"]
    for path, part in zip(kept["texts"], message.parts, strict=False):
        inner = item
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = part.data.decode(errors="replace")
    return item


def _place_in(metadata: dict[str, Any]) -> int:
    return int(metadata.get(_KEY, {}).get("n", -1))


def _place(message: Message) -> int:
    return _place_in(message.metadata)


def _ordered(messages: Iterable[Any]) -> list[Message]:
    """In the order in which they were added. One that others recorded stays after the one before it."""
    placed, place = [], -1
    for message in messages:
        place = _place(message) if _KEY in message.metadata else place
        placed.append((place, message))
    return [message for _, message in sorted(placed, key=lambda one: one[0])]
