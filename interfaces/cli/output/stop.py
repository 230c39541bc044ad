"""Waits for SIGTERM or Ctrl-C."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def until_told(again: Callable[[], None] | None = None) -> Iterator[Callable[..., bool]]:
    """A function that waits for SIGTERM or Ctrl-C, or for so many seconds, and returns whether the signal came. A
    signal before the call counts. On a second signal, `again` is called."""
    # Not an event: one that a handler sets just when the main thread begins to wait is missed, or its lock is taken
    # twice by one thread. What the interpreter writes to a socket stays there, whichever thread the signal met.
    hearing, telling = socket.socketpair()
    telling.setblocking(False)
    times = 0

    def told(*_: object) -> None:
        nonlocal times
        times += 1
        if times > 1 and again is not None:
            again()

    def wait(seconds: float | None = None) -> bool:
        hearing.settimeout(seconds)
        try:
            while signal.Signals(hearing.recv(1)[0]) not in _SIGNALS:
                pass
        except TimeoutError:
            return False
        return True

    handlers = {number: signal.signal(number, told) for number in _SIGNALS}
    woken = signal.set_wakeup_fd(telling.fileno(), warn_on_full_buffer=False)
    try:
        yield wait
    finally:
        signal.set_wakeup_fd(woken)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        hearing.close()
        telling.close()
