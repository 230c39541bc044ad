"""A service that answers over the network, from a thread of this process."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx

from backstory.application.store import ContextStore
from backstory.interfaces.http.app import create_app
from backstory.interfaces.http.serving.options import ServiceOptions
from backstory.interfaces.http.serving.server import Address, Server


class Served:
    """A running service and its address."""

    def __init__(self, store: ContextStore, options: ServiceOptions | None = None, port: int = 0) -> None:
        self.store = store
        self._opened = Address(port=port).listen()
        self.port: int = self._opened.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        up = threading.Event()
        self.app = create_app(store, options)
        self._server = Server(self.app, Address(), up.set)
        self._thread = threading.Thread(target=self._server.run, args=([self._opened],))
        self._thread.start()
        assert up.wait(30)

    def stop(self) -> None:
        """Stops it as a signal does, and waits for its end."""
        self.begin_to_stop()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def begin_to_stop(self) -> None:
        self._server.should_exit = True

    def connect(self) -> socket.socket:
        """A connection that has said nothing yet."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)


@contextmanager
def served(store: ContextStore, options: ServiceOptions | None = None) -> Iterator[Served]:
    service = Served(store, options)
    try:
        yield service
    finally:
        service.stop()


class Message(NamedTuple):
    """A message of a stream."""

    event: str
    id: int | None
    data: Any


@contextmanager
def following(
    url: str, path: str, headers: dict[str, str] | None = None, **query: Any
) -> Iterator[Iterator[Message]]:
    """The messages of a stream, as they come."""
    with httpx.stream("GET", url + path, params=query, headers=headers, timeout=60) as answer:
        assert answer.status_code == 200, answer.read()
        yield messages(answer.iter_lines())


def messages(lines: Iterator[str]) -> Iterator[Message]:
    """The messages in the lines of a stream. Comments and `retry` are passed over."""
    found: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            found[name] = value
        elif "data" in found:
            id = found.get("id")
            yield Message(found["event"], int(id) if id else None, json.loads(found["data"]))
            found = {}
        else:
            found = {}
