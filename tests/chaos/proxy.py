"""A proxy before Postgres that cuts a connection in the middle of an append."""

import random
import socket
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

SYNC = b"S\x00\x00\x00\x04"
"""What ends a request of the extended protocol, and with it the transaction of a single statement."""
EXECUTE = b"E\x00\x00\x00\x09\x00\x00\x00\x00\x00"
"""What tells a request that does something from one that prepares it."""
READY = b"Z\x00\x00\x00\x05I"
"""The server's last word on a request: done, and in no transaction."""
WAYS = ("before the request", "after the request", "before the answer")


class Proxy:
    """Listens on loopback and speaks with a Postgres at a Unix socket. Once `cut` is asked for, the next append loses
    its connection: before Postgres has the request, while it works on it, or when it has committed and answered."""

    def __init__(self, target: Path) -> None:
        self.target = target
        """The socket that new connections are led to."""
        self.led: list[Path] = []
        """Where each was led."""
        self._links: list[_Link] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._armed: list[str] = []
        self._lock = threading.Lock()
        self._chance = random.Random(1)
        self.cuts: list[str] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, user: str = "postgres", database: str = "backstory") -> str:
        port = self._listener.getsockname()[1]
        return f"postgresql://{quote(user)}@127.0.0.1:{port}/{database}?sslmode=disable&gssencmode=disable"

    def cut(self, way: str | None = None) -> None:
        with self._lock:
            self._armed.append(way or self._chance.choice(WAYS))

    def lead_to(self, target: Path) -> None:
        """Ends all connections, and leads new ones elsewhere."""
        self.target = target
        for link in self._links:
            link.hang_up()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self.target))
            except OSError:
                client.close()
                server.close()
                continue
            self.led.append(self.target)
            self._links.append(_Link(self, client, server))
            self._links[-1].start()

    def take(self, request: bytes) -> str | None:
        """How this request is to be cut, if it is."""
        if b"append" not in request or not request.endswith(EXECUTE + SYNC):
            return None
        with self._lock:
            return self._armed.pop(0) if self._armed else None


class _Link:
    """One client's connection, a thread for each direction."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._silent = threading.Event()
        self._answered = threading.Event()

    def start(self) -> None:
        for direction in (self._requests, self._answers):
            threading.Thread(target=direction, daemon=True).start()

    def _requests(self) -> None:
        pending = b""
        with suppress(OSError):
            while data := self._client.recv(65536):
                pending = data if pending.endswith(SYNC) else pending + data
                way = self._proxy.take(pending)
                if way is None:
                    self._server.sendall(data)
                    continue
                if way != "before the request":
                    # From here on the client hears nothing, whatever the server says.
                    self._silent.set()
                    self._server.sendall(data)
                if way == "before the answer":
                    self._answered.wait(30)
                self._proxy.cuts.append(way)
                break
        self.hang_up()

    def _answers(self) -> None:
        with suppress(OSError):
            while data := self._server.recv(65536):
                if not self._silent.is_set():
                    self._client.sendall(data)
                elif data.endswith(READY):
                    self._answered.set()
        self.hang_up()

    def hang_up(self) -> None:
        for end in (self._client, self._server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
