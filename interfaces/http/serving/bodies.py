"""Limits on bodies: their size, and how slowly they may come."""

import asyncio
import re
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backstory.interfaces.documents.errors import ProblemDocument
from backstory.interfaces.http.problems import answer

STREAMED = re.compile(r"/api/v1/(import|import-file|imports|sessions/[^/]+/ndjson)")
"""Paths whose bodies are read piece by piece, and may be of any size."""
PATIENCE = 30.0
"""Seconds that a body may take, besides those that the slowest rate gives it."""
SLOWEST = 32 * 1024
"""Bytes a second at which a body must come, at least."""


class BodyLimits:
    """Refuses bodies that are too large, as early as that is known, and ends those that come too slowly."""

    def __init__(self, app: ASGIApp, longest: int, patience: float = PATIENCE) -> None:
        self._app = app
        self._longest = longest
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        longest = None if STREAMED.fullmatch(scope["path"]) else self._longest
        if longest is not None and _announced(scope) > longest:
            await self._refuse(413, longest)(scope, receive, send)
            return
        body = _Body(receive, send, longest, self._patience)
        try:
            await self._app(scope, body.receive, body.send)
        except _Refused as refused:
            # What the application made of it, before it had the whole body, does not count.
            if not body.answered:
                await self._refuse(refused.status, longest)(scope, receive, send)

    def _refuse(self, status: int, longest: int | None) -> Any:
        title, detail = {
            413: ("Content Too Large", f"the body is larger than {longest} bytes."),
            408: ("Request Timeout", "the body did not come in time."),
        }[status]
        problem = ProblemDocument(type="about:blank", title=title, status=status, detail=detail)
        return answer(problem, {"Connection": "close"})


class _Refused(BaseException):
    """Passes through handlers of the application, which must not answer it."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Body:
    """The body of one request as it comes, and whether it was answered."""

    def __init__(self, receive: Receive, send: Send, longest: int | None, patience: float) -> None:
        self._receive = receive
        self._send = send
        self._longest = longest
        self._patience = patience
        self._received = 0
        self._waited = 0.0
        self._complete = False
        self.answered = False

    async def receive(self) -> Message:
        if self._complete:
            return await self._receive()
        began = time.monotonic()
        allowed = self._patience + self._received / SLOWEST - self._waited
        try:
            message = await asyncio.wait_for(self._receive(), max(0.0, allowed))
        except TimeoutError:
            raise _Refused(408) from None
        self._waited += time.monotonic() - began
        self._complete = not message.get("more_body", False)
        self._received += len(message.get("body", b""))
        if self._longest is not None and self._received > self._longest:
            raise _Refused(413)
        return message

    async def send(self, message: Message) -> None:
        self.answered = True
        await self._send(message)


def _announced(scope: Scope) -> int:
    """The length that a request says its body has, or 0."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
