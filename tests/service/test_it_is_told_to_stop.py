"""A service that is told to stop answers what it has accepted, ends its streams and then itself."""

import json
import signal
import socket
from itertools import islice
from urllib.parse import urlsplit

import httpx
import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.program import Serving, serving
from tests.service.served import messages
from tests.waiting import until


def refuses(service: Serving) -> bool:
    """Whether it takes no more connections."""
    try:
        connection_to(service).close()
    except OSError:
        return True
    return False


def connection_to(service: Serving) -> socket.socket:
    address = urlsplit(service.url)
    assert address.hostname is not None
    return socket.create_connection((address.hostname, address.port or 0), timeout=60)


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start()


def test_its_streams_end(url: str, session: Session) -> None:
    with serving(url) as service:
        address = f"{service.url}/api/v1/sessions/{session.id}/live"
        with httpx.stream("GET", address, params={"after": 0}, timeout=60) as stream:
            lines = stream.iter_lines()
            (first,) = islice(messages(lines), 1)
            service.process.send_signal(signal.SIGTERM)
            # To its end, without an error of the connection.
            assert [message.event for message in messages(lines) if message.event == "event"] == []
        assert first.id == 1
        assert service.process.wait(60) == 0


def test_a_request_under_way_is_answered(url: str, session: Session) -> None:
    with serving(url) as service, connection_to(service) as connection:
        body = json.dumps({"content": "the last word"}).encode()
        head = (
            f"POST /api/v1/sessions/{session.id}/message HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.sendall(head.encode() + body[:10])
        # Answered in order, so the service has begun to read the request before it is told to stop.
        assert httpx.get(f"{service.url}/livez").status_code == 200
        # As Ctrl-C does.
        service.process.send_signal(signal.SIGINT)
        until(lambda: refuses(service))
        connection.sendall(body[10:])
        assert connection.recv(1_000).startswith(b"HTTP/1.1 201")
        assert service.process.wait(60) == 0
    assert session.text(session.version) == "the last word"


def test_all_of_its_processes_end(url: str, session: Session) -> None:
    with serving(url, "--processes", "2", "--no-worker") as service:
        until(lambda: len(service.answering()) == 2)
        address = f"{service.url}/api/v1/sessions/{session.id}/live"
        with httpx.stream("GET", address, params={"after": 0}, timeout=60) as stream:
            (_,) = islice(messages(stream.iter_lines()), 1)
            service.process.send_signal(signal.SIGTERM)
            assert service.process.wait(60) == 0
