"""Server-Sent Events: https://html.spec.whatwg.org/multipage/server-sent-events.html."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from backstory.domain.errors import BackstoryError, Unavailable
from backstory.interfaces.documents.live import DroppedDocument
from backstory.interfaces.http.live.channel import Channel, Dropped, Line, Read
from backstory.interfaces.http.live.hub import STOPPING

EVENT_STREAM = "text/event-stream"
HEARTBEAT = 15.0
"""Seconds after which a quiet stream says that it is there, and every stream looks whether its caller still may."""
RETRY = 1000
"""Milliseconds after which a client comes back."""


class EventStream(StreamingResponse):
    """A stream of events."""

    media_type = EVENT_STREAM

    def __init__(self, content: AsyncIterator[str]) -> None:
        super().__init__(content, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


async def stream(
    opening: AbstractAsyncContextManager[Channel[Any]],
    after: int | None,
    upto: int | None,
    show: Callable[[Line], str | None],
    admit: Callable[[], object],
    read: Read[Any] | None = None,
) -> AsyncIterator[str]:
    """The text of a stream: what `show` makes of each line, up to an id or for ever."""
    yield f"retry: {RETRY}\n\n"
    cursor = after or 0
    checked = time.monotonic()
    try:
        async with opening as channel:
            async for batch in channel.batches(after, read, HEARTBEAT):
                shown = [
                    message("event", said, line.id)
                    for line in batch.lines
                    if (upto is None or line.id <= upto) and (said := show(line)) is not None
                ]
                yield "".join(shown) or ": still here\n\n"
                cursor = batch.upto
                if upto is not None and cursor >= upto:
                    return
                if time.monotonic() - checked > HEARTBEAT:
                    await still_admitted(admit)
                    checked = time.monotonic()
    except Dropped as dropped:
        said = DroppedDocument(reason=dropped.reason, after=cursor).model_dump_json()
        yield message("closing" if dropped.reason == STOPPING else "dropped", said)
    except BackstoryError as error:
        yield message("dropped", DroppedDocument(reason=str(error), after=cursor).model_dump_json())


async def still_admitted(admit: Callable[[], object]) -> None:
    """Raises an error once the caller may follow no longer. A database that is away is no reason."""
    try:
        await run_in_threadpool(admit)
    except Unavailable:
        return


def message(event: str, data: str, id: int | None = None) -> str:
    """One message of a stream. JSON has no line breaks of its own."""
    return (f"id: {id}\n" if id is not None else "") + f"event: {event}\ndata: {data}\n\n"
