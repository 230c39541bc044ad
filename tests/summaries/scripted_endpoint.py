"""A real HTTP server on this machine that answers as a script says, well or badly."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Reply = Callable[["Handler"], None]


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: list[Reply]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.closing = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up is what several scripts are about."""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        asked = len(self.server.requests)
        self.server.requests.append(
            {
                "path": self.path,
                "headers": {name.lower(): value for name, value in self.headers.items()},
                "json": json.loads(body),
            }
        )
        # The last reply is for every request after it.
        self.server.script[min(asked, len(self.server.script) - 1)](self)

    def log_message(self, *_: Any) -> None:
        pass

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def endpoint(*script: Reply) -> Iterator[Server]:
    server = Server(list(script))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


def completion(content: Any, finish_reason: str = "stop") -> bytes:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content},
        "finish_reason": finish_reason,
    }
    return json.dumps({"id": "c", "object": "chat.completion", "choices": [choice]}).encode()


def says(content: Any, finish_reason: str = "stop") -> Reply:
    return lambda handler: handler.reply(
        200, completion(content, finish_reason), content_type="application/json"
    )


def summary(**fields: Any) -> Reply:
    return says(json.dumps(fields))


def sends(status: int, body: bytes = b"", **headers: str) -> Reply:
    return lambda handler: handler.reply(status, body, **headers)


def hangs(handler: Handler) -> None:
    handler.server.closing.wait()


def drops(handler: Handler) -> None:
    handler.close_connection = True


def drips_headers(handler: Handler) -> None:
    """A byte now and then, so that no read ever times out by itself."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nx-slow: ")
    while not handler.server.closing.wait(0.02):
        handler.wfile.write(b"x")


def drips_body(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000000")
    handler.end_headers()
    while not handler.server.closing.wait(0.02):
        handler.wfile.write(b" ")


def floods(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", str(1 << 40))
    handler.end_headers()
    while not handler.server.closing.is_set():
        handler.wfile.write(b" " * (1 << 16))
