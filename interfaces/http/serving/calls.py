"""Every request: its id, its line in the log, its metrics, and its entry in the trail if it belongs there."""

import logging
import re
import time
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backstory.application.operations.logs import request_id
from backstory.application.operations.telemetry import watching
from backstory.application.store import ContextStore
from backstory.domain.access import Action, Caller
from backstory.domain.errors import BackstoryError
from backstory.interfaces.http.callers import address_of
from backstory.interfaces.http.routing import ENCODED_SLASH, path_asked_for

REQUEST_ID = "X-Request-Id"
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Of every answer that does not say otherwise."""

GONE = 499
"""Stands for the status where the client left before there was one."""

_GIVEN_ID = re.compile(r"[A-Za-z0-9._:-]{1,100}")
_TRAIL = {Action.OPERATE.value, Action.ADMIN.value}
_REFUSED = (401, 403)
_log = logging.getLogger("backstory.http")


class Calls:
    """Tells of each request when it has ended, and adds headers to its answer."""

    def __init__(self, app: ASGIApp, store: ContextStore) -> None:
        self._app = app
        self._store = store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope["path"] = path_asked_for(scope)
        own = uuid4()
        given = Headers(scope=scope).get(REQUEST_ID, "")
        id = given if _GIVEN_ID.fullmatch(given) else str(own)
        scope.setdefault("state", {})
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(raw=message["headers"])
                headers[REQUEST_ID] = id
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            elif message["type"] in ("websocket.accept", "websocket.close", "websocket.http.response.start"):
                status = status or message.get("status", 101 if message["type"].endswith("accept") else 403)
            await send(message)

        token = request_id.set(id)
        began = time.perf_counter()
        try:
            with watching("request", method=scope.get("method", "WEBSOCKET")) as found:
                try:
                    await self._app(scope, receive, answer)
                finally:
                    found |= {"operation": _operation(scope), "status": str(status or GONE)}
        finally:
            await self._tell(scope, str(own), status or GONE, time.perf_counter() - began)
            request_id.reset(token)

    async def _tell(self, scope: Scope, own: str, status: int, seconds: float) -> None:
        caller: Caller | None = scope["state"].get("caller")
        said = {
            "method": scope.get("method", "WEBSOCKET"),
            # A line break in it would make a line of the log.
            "path": quote(scope["path"].replace(ENCODED_SLASH, "%2F"), safe="/%:@!$&'()*+,;=~"),
            "operation": _operation(scope),
            "status": status,
            "milliseconds": round(seconds * 1000, 1),
            "caller": None if caller is None else caller.name,
            "address": address_of(scope),
        }
        _log.info("%s %s %s", said["method"], said["path"], status, extra=said)
        if not _belongs_to_trail(scope, status):
            return
        entry = (own, said["caller"], said["operation"], said["path"], status, said["address"])
        try:
            await run_in_threadpool(self._store.keys.note, *entry)
        except BackstoryError as error:
            _log.warning("the trail lacks a call: %s", error, extra=said)


def _operation(scope: MutableMapping[str, Any]) -> str:
    """The id of the operation that a request was for."""
    endpoint = scope.get("endpoint")
    return str(getattr(scope.get("route"), "operation_id", None) or getattr(endpoint, "__name__", "none"))


def _belongs_to_trail(scope: Scope, status: int) -> bool:
    """Whether a request was refused for who made it, or needed the right to operate or administer. One without any key
    is not noted: everybody can make any number of them."""
    if status in _REFUSED:
        names = {name for name, _ in scope["headers"]}
        return bool(names & {b"authorization", b"cookie"})
    described = getattr(scope.get("route"), "openapi_extra", None) or {}
    return described.get("x-action") in _TRAIL
