"""Live updates over WebSocket. A client says what it follows:

    {"subscribe": "events", "session": "…", "after": 41}     a session's events, after a version or from now on
    {"subscribe": "tiers", "session": "…"}                   its items by tier, now and at each change
    {"subscribe": "window", "session": "…"}                  its windows, now and at each change
    {"subscribe": "events", "project": "…", "after": 7}      the events of a project, after a position of the feed
    {"subscribe": "events"}                                  those of all sessions
    {"unsubscribe": "tiers", "session": "…"}

and is sent `event`, `tiers` and `window` messages, `subscribed` and `unsubscribed` as answers, `problem` where a
request is refused, and `dropped` where a subscription ends by itself. Every message of a subscription names its session
or project. Events have an `id`, to continue after."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from backstory.application.feed.live import SessionReader, feed_page
from backstory.application.store import ContextStore
from backstory.domain.access import Action, Caller, allows
from backstory.domain.errors import AccessDenied, BackstoryError, InvalidInput
from backstory.domain.values import refusal
from backstory.interfaces.documents.live import TiersMessage, WindowMessage
from backstory.interfaces.http.callers import caller_of
from backstory.interfaces.http.live.channel import Channel, Dropped, Line
from backstory.interfaces.http.live.hub import STOPPING, Hub
from backstory.interfaces.http.live.streams import HEARTBEAT, still_admitted
from backstory.interfaces.http.problems import answer, problem_of
from backstory.interfaces.http.routes.service.live import LAST, of_project

router = APIRouter()

MOST_SUBSCRIPTIONS = 100
"""Of one connection."""
POLICY_VIOLATION, SERVICE_RESTART = 1008, 1012
"""Codes of RFC 6455 that connections are closed with."""


class Subscription(BaseModel):
    """What a client asks for."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    subscribe: Literal["events", "tiers", "window"] | None = None
    unsubscribe: Literal["events", "tiers", "window"] | None = None
    session: str | None = None
    project: str | None = None
    after: int | None = Field(default=None, ge=0, le=LAST)

    @property
    def name(self) -> tuple[str, str | None, str | None]:
        """What it is known by on its connection."""
        return (self.subscribe or self.unsubscribe or "", self.session, self.project)

    @property
    def said(self) -> dict[str, str]:
        """What every message of it names."""
        return {name: value for name in ("session", "project") if (value := getattr(self, name)) is not None}


@router.websocket("/api/v1/live/ws", name="live_socket")
async def live_socket(websocket: WebSocket) -> None:
    """Follow sessions and projects over WebSocket."""
    try:
        caller = await run_in_threadpool(_admit, websocket)
    except BackstoryError as error:
        await websocket.send_denial_response(answer(problem_of(error)))
        return
    websocket.state.caller = caller
    await websocket.accept()
    connection = _Connection(websocket, caller)
    try:
        await connection.serve()
    except WebSocketDisconnect:
        pass
    finally:
        await connection.close()


def _admit(websocket: WebSocket) -> Caller:
    caller = caller_of(websocket)
    if not allows(caller, Action.READ):
        raise AccessDenied(f"the key {caller.name} may not read this.")
    return caller


class _Connection:
    """One client, and what it follows."""

    def __init__(self, websocket: WebSocket, caller: Caller) -> None:
        self._websocket = websocket
        self._caller = caller
        self._hub: Hub = websocket.app.state.live
        owned: ContextStore = websocket.app.state.store
        self._store = owned.on_behalf_of(caller)
        self._followed: dict[tuple[str, str | None, str | None], asyncio.Task[None]] = {}
        self._sending = asyncio.Lock()

    async def serve(self) -> None:
        """Does what the client says, until it leaves or may follow no longer."""
        watching = asyncio.create_task(self._watch())
        try:
            while True:
                text = await self._websocket.receive_text()
                try:
                    await self._handle(text)
                except BackstoryError as error:
                    problem = problem_of(error).as_json()
                    await self.send({"type": "problem", "problem": problem})
        finally:
            watching.cancel()

    async def close(self) -> None:
        """Ends what it follows."""
        for task in self._followed.values():
            task.cancel()
        await asyncio.gather(*self._followed.values(), return_exceptions=True)

    async def send(self, message: dict[str, Any] | str) -> None:
        """Sends a message."""
        text = message if isinstance(message, str) else json.dumps(message)
        async with self._sending:
            if self._websocket.application_state is WebSocketState.CONNECTED:
                await self._websocket.send_text(text)

    async def _handle(self, text: str) -> None:
        asked = _read(text)
        if asked.unsubscribe is not None:
            task = self._followed.pop(asked.name, None)
            if task is not None:
                task.cancel()
            await self.send({"type": "unsubscribed", "to": asked.unsubscribe, **asked.said})
            return
        if asked.name in self._followed:
            raise InvalidInput("subscribe", "is followed already")
        if len(self._followed) >= MOST_SUBSCRIPTIONS:
            raise InvalidInput("subscribe", f"at most {MOST_SUBSCRIPTIONS} of one connection")
        messages = await run_in_threadpool(self._messages, asked)
        self._followed[asked.name] = asyncio.create_task(self._follow(asked, messages))

    def _messages(self, asked: Subscription) -> AsyncIterator[tuple[str, int]]:
        """The messages of a subscription, each with the id up to which all were sent."""
        if asked.session is not None:
            session = self._store.session(asked.session)
            if asked.subscribe == "events":
                whole = self._caller.agent is None
                show: Callable[[Line], str | None] = lambda line: line.whole if whole else line.brief  # noqa: E731
                return _events(self._hub.session(session.id), asked, show)
            return self._figures(asked, session.id)
        if asked.project is not None and not allows(self._caller, Action.READ, asked.project):
            raise AccessDenied(f"the key {self._caller.name} may not see this project.")
        read = partial(feed_page, self._store, project=asked.project)
        return _events(self._hub.feed(), asked, partial(of_project, self._caller, asked.project), read)

    async def _figures(self, asked: Subscription, id: Any) -> AsyncIterator[tuple[str, int]]:
        """Tiers or windows, whenever they are others than before."""
        before: dict[str, Any] | None = None
        async with self._hub.session(id) as channel:
            reader = channel.reader
            assert isinstance(reader, SessionReader)
            at = channel.upto
            yield _subscribed(asked, at), at
            while True:
                figures = await channel.shared(reader.figures)
                kind = TiersMessage if asked.subscribe == "tiers" else WindowMessage
                found = kind.of(id, figures).as_json()
                now = {name: value for name, value in found.items() if name != "version"}
                if now != before:
                    before = now
                    yield json.dumps(found), figures.version
                at = await channel.next(at)

    async def _follow(self, asked: Subscription, messages: AsyncIterator[tuple[str, int]]) -> None:
        cursor = asked.after or 0
        try:
            async for text, cursor in messages:  # noqa: B007
                await self.send(text)
        except (Dropped, BackstoryError) as error:
            reason = error.reason if isinstance(error, Dropped) else str(error)
            self._followed.pop(asked.name, None)
            if reason == STOPPING:
                await self._end(SERVICE_RESTART, reason)
                return
            await self.send(
                {"type": "dropped", "to": asked.subscribe, **asked.said, "reason": reason, "after": cursor}
            )
        except (WebSocketDisconnect, RuntimeError):
            return  # The client has left in the middle of a message.

    async def _watch(self) -> None:
        """Ends the connection once the caller may read no longer."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            try:
                await still_admitted(self._admit_again)
            except BackstoryError as error:
                await self._end(POLICY_VIOLATION, str(error))
                return

    def _admit_again(self) -> None:
        if _admit(self._websocket) != self._caller:
            raise AccessDenied("the key may do other things now: come back.")
        for _, session, _ in tuple(self._followed):
            if session is not None:
                self._store.session(session)

    async def _end(self, code: int, reason: str) -> None:
        async with self._sending:
            if self._websocket.application_state is WebSocketState.CONNECTED:
                with suppress(RuntimeError):
                    await self._websocket.close(code, reason[:120])


async def _events(
    opening: Any, asked: Subscription, show: Callable[[Line], str | None], read: Any = None
) -> AsyncIterator[tuple[str, int]]:
    """The events of a channel as messages."""
    head = json.dumps({"type": "event", **asked.said})[:-1]
    async with opening as channel:
        following: Channel[Any] = channel
        after = following.upto if asked.after is None else asked.after
        yield _subscribed(asked, after), after
        async for batch in following.batches(after, read):
            for line in batch.lines:
                if (said := show(line)) is not None:
                    yield f'{head}, "id": {line.id}, "event": {said}}}', line.id


def _subscribed(asked: Subscription, after: int) -> str:
    """The answer to a request: what follows comes after this id."""
    return json.dumps({"type": "subscribed", "to": asked.subscribe, **asked.said, "after": after})


def _read(text: str) -> Subscription:
    try:
        asked = Subscription.model_validate_json(text)
    except ValidationError as error:
        raise refusal(error, "message") from None
    if (asked.subscribe is None) == (asked.unsubscribe is None):
        raise InvalidInput("subscribe", "or unsubscribe, and not both")
    if asked.session is None and asked.subscribe in ("tiers", "window"):
        raise InvalidInput("session", "is needed: tiers and windows are those of a session")
    if asked.session is not None and asked.project is not None:
        raise InvalidInput("project", "cannot be given with a session")
    return asked
