"""HTTP as uvicorn speaks it, with an end to connections that never come to the point.

uvicorn closes a connection that is idle between two requests. One that opens and sends nothing, or a header a byte at a
time, it keeps for ever; a few thousand of these (slowloris) take all that a process may open."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0
"""Seconds from the first moment in which a request is awaited until its header is there."""
STALLED_SECONDS = 60.0
"""Seconds for which a client may take nothing of what is sent to it."""


class PatientProtocol(H11Protocol):
    """A connection with a limit on the time that a request's header takes, and an answer that is not read."""

    _header_timer: asyncio.TimerHandle | None = None
    _stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_header()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_stalling()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._header_timer is None and self.conn.their_state is h11.IDLE:
            self._await_header()
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def shutdown(self) -> None:
        # What streams without an end has to be told that this is it.
        ending: Any = self.app_state.get("ending")
        if ending is not None:
            ending()
        super().shutdown()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall_timer = self.loop.call_later(STALLED_SECONDS, self._give_up)

    def resume_writing(self) -> None:
        self._stop_stalling()
        super().resume_writing()

    def _stop_stalling(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def _await_header(self) -> None:
        self._header_timer = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _give_up(self) -> None:
        self._header_timer = None
        if not self.transport.is_closing():
            self.transport.abort()
