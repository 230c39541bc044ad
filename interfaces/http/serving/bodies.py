"""Limits on bodies: their size, and how slowly they may come. Bodies that are compressed with gzip are opened."""

import asyncio
import re
import time
import zlib
from collections.abc import Collection, Iterator
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backstory.interfaces.documents.errors import ProblemDocument
from backstory.interfaces.http.problems import answer

PATIENCE = 30.0
"""Seconds that a body may take, besides those that the slowest rate gives it."""
SLOWEST = 32 * 1024
"""Bytes a second at which a body must come, at least."""
LINGER = 2.0
"""Seconds for which the rest of a refused body is read and thrown away: a client that is still sending would not see
the answer on a connection that is closed under it."""
GZIP = 31
"""What zlib calls its format."""
PIECE = 1 << 20
"""Bytes that a compressed body is opened into at once: a small one may stand for any number of them."""


class BodyLimits:
    """Refuses bodies that are too large, as early as that is known, and ends those that come too slowly."""

    def __init__(
        self,
        app: ASGIApp,
        longest: int,
        streamed: Collection[re.Pattern[str]] = (),
        patience: float = PATIENCE,
    ) -> None:
        self._app = app
        self._longest = longest
        self._streamed = streamed
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        streamed = any(path.match(scope["path"]) for path in self._streamed)
        longest = None if streamed else self._longest
        headers = {name: value.strip() for name, value in scope["headers"]}
        body = _Body(receive, send, longest, self._patience)
        try:
            length = headers.get(b"content-length", b"")
            if longest is not None and length.isdigit() and int(length) > longest:
                raise _Refused(413)
            encoding = headers.get(b"content-encoding", b"identity").lower()
            if encoding in (b"gzip", b"x-gzip"):
                body = _Zipped(receive, send, longest, self._patience)
                hidden = (b"content-encoding", b"content-length")
                kept = [(name, value) for name, value in scope["headers"] if name not in hidden]
                scope = {**scope, "headers": kept}
            elif encoding != b"identity":
                raise _Refused(415)
            await self._app(scope, body.receive, body.send)
        except _Refused as refused:
            # What the application made of it, before it had the whole body, does not count.
            if not body.answered:
                await self._refuse(refused.status, longest, scope, receive, send)

    async def _refuse(
        self, status: int, longest: int | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        title, detail = {
            400: ("Bad Request", "the body is not what gzip made."),
            408: ("Request Timeout", "the body did not come in time."),
            413: ("Content Too Large", f"the body is larger than {longest} bytes."),
            415: ("Unsupported Media Type", "the body has an encoding other than gzip."),
        }[status]
        problem = ProblemDocument(type="about:blank", title=title, status=status, detail=detail)

        async def send_and_linger(message: Message) -> None:
            if message["type"] != "http.response.body":
                await send(message)
                return
            await send({**message, "more_body": True})
            await _drain(receive)
            await send({"type": "http.response.body", "body": b""})

        await answer(problem, {"Connection": "close"})(scope, receive, send_and_linger)


async def _drain(receive: Receive) -> None:
    async def rest() -> None:
        while (message := await receive())["type"] == "http.request" and message.get("more_body"):
            pass

    try:
        await asyncio.wait_for(rest(), LINGER)
    except TimeoutError:
        return


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
        message = await self._next()
        self._complete = not message.get("more_body", False)
        self._count(len(message.get("body", b"")))
        return message

    async def send(self, message: Message) -> None:
        self.answered = True
        await self._send(message)

    async def _next(self) -> Message:
        """The next message, if it comes in time."""
        began = time.monotonic()
        allowed = self._patience + self._received / SLOWEST - self._waited
        try:
            message = await asyncio.wait_for(self._receive(), max(0.0, allowed))
        except TimeoutError:
            raise _Refused(408) from None
        self._waited += time.monotonic() - began
        return message

    def _count(self, size: int) -> None:
        self._received += size
        if self._longest is not None and self._received > self._longest:
            raise _Refused(413)


class _Zipped(_Body):
    """A body that is opened as it comes, piece by piece. Limits hold for what is in it."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._unzip = zlib.decompressobj(GZIP)
        self._pieces: Iterator[bytes] = iter(())
        self._arrived = False

    async def receive(self) -> Message:
        while not self._complete:
            try:
                piece = next(self._pieces, None)
            except zlib.error:
                raise _Refused(400) from None
            if piece is not None:
                self._count(len(piece))
                return {"type": "http.request", "body": piece, "more_body": True}
            if self._arrived:
                self._complete = True
                return {"type": "http.request", "body": b"", "more_body": False}
            message = await self._next()
            if message["type"] != "http.request":
                return message
            self._arrived = not message.get("more_body", False)
            self._pieces = self._opened(message.get("body", b""), self._arrived)
        return await self._receive()

    def _opened(self, data: bytes, last: bool) -> Iterator[bytes]:
        """What some bytes are opened into. A file of gzip may be several, one behind the other."""
        while data:
            if self._unzip.eof:
                self._unzip = zlib.decompressobj(GZIP)
            if piece := self._unzip.decompress(data, PIECE):
                yield piece
            data = self._unzip.unconsumed_tail or self._unzip.unused_data
        if last and (rest := self._unzip.flush()):
            yield rest
        if last and not self._unzip.eof:
            raise zlib.error("the end is missing")
