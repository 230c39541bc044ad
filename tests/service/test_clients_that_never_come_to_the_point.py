"""Clients that send little, or nothing, hold a connection only for so long; others are served meanwhile."""

import socket
from contextlib import ExitStack

import httpx
import pytest

from backstory.application.store import ContextStore
from backstory.interfaces.http.serving import bodies, protocol
from backstory.interfaces.http.serving.server import LONGEST_HEADER
from tests.service.served import Served, served

HEADER = b"POST /api/v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


def closed(connection: socket.socket) -> bytes:
    """What comes until the service closes a connection."""
    got = b""
    try:
        while chunk := connection.recv(65_536):
            got += chunk
    except ConnectionError:
        pass
    return got


def test_a_header_that_does_not_come_ends_the_connection(
    store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEADER_SECONDS", 0.3)
    with served(store) as running, ExitStack() as stack:
        slow = [stack.enter_context(running.connect()) for _ in range(200)]
        for at, connection in enumerate(slow):
            connection.sendall(HEADER[: at % len(HEADER)])
        assert httpx.get(f"{running.url}/livez").status_code == 200
        assert {closed(connection) for connection in slow} == {b""}
        assert httpx.get(f"{running.url}/livez").status_code == 200


def test_a_body_that_does_not_come_is_told_so(store: ContextStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies.BodyLimits.__init__, "__defaults__", ((), 0.3))
    with served(store) as running:
        with running.connect() as connection:
            connection.sendall(HEADER + b'Content-Length: 1000\r\n\r\n{"title": ')
            answer = closed(connection)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"Request Timeout" in answer


def test_a_large_body_is_refused_before_it_comes(service: Served) -> None:
    with service.connect() as connection:
        connection.sendall(HEADER + b"Content-Length: 50000000\r\nExpect: 100-continue\r\n\r\n")
        answer = closed(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("announced", [True, False])
def test_whoever_sends_a_large_body_all_the_same_sees_the_answer(service: Served, announced: bool) -> None:
    body = b"x" * 50_000_000
    pieces = (body[at : at + 65_536] for at in range(0, len(body), 65_536))
    content = body if announced else pieces
    answer = httpx.post(f"{service.url}/api/v1/sessions", content=content, timeout=60)
    assert answer.status_code == 413


def test_a_header_that_is_too_long_is_refused(service: Served) -> None:
    with service.connect() as connection:
        connection.sendall(
            b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"x" * (LONGEST_HEADER + 1024)
        )
        answer = closed(connection)
    assert not answer or answer.startswith(b"HTTP/1.1 400 ")
    assert httpx.get(f"{service.url}/livez").status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        HEADER + b"Content-Length: -1\r\n\r\n",
        HEADER + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        HEADER + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_what_is_no_http_does_no_harm(service: Served, sent: bytes) -> None:
    with service.connect() as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        answer = closed(connection)
    assert not answer.startswith((b"HTTP/1.1 2", b"HTTP/1.1 5"))
    assert httpx.get(f"{service.url}/livez").status_code == 200
