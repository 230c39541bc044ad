"""A client that reads too slowly is dropped and told so; it continues where it was, and holds up nobody."""

import json
import socket

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.http.live import channel, streams
from tests.service.served import Served, following, messages, served
from tests.waiting import until

LARGE = "x" * 200_000


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start()


def test_it_is_dropped_with_a_reason_and_resumes(
    service: Served, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "MOST_KEPT", 10)
    path = f"/api/v1/sessions/{session.id}/live"
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", service.port))
        slow.sendall(f"GET {path}?after=0 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        assert slow.recv(15) == b"HTTP/1.1 200 OK"
        with following(service.url, path, after=0) as quick:
            # More than the buffers between the two hold, so the service waits for the slow one.
            assert next(quick).id == 1
            for _ in range(60):
                version = session.message(LARGE)
                assert next(quick).id == version
        slow.settimeout(60)
        with slow.makefile(encoding="utf-8", newline="\n") as file:
            lines = (line.rstrip("\r\n") for line in file if ":" in line or line == "\n")
            heard = []
            for message in messages(lines):
                heard.append(message)
                if message.event == "dropped":
                    break
    seen = [message.id for message in heard[:-1]]
    assert seen == list(range(1, len(seen) + 1))
    assert "too slow" in heard[-1].data["reason"]
    assert heard[-1].data["after"] == seen[-1]
    with following(service.url, path, {"Last-Event-ID": str(seen[-1])}, upto=version) as again:
        assert [message.id for message in again] == list(range(seen[-1] + 1, version + 1))


def test_a_quiet_stream_says_that_it_is_there(
    service: Served, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 0.01)
    with service.connect() as connection:
        connection.sendall(
            f"GET /api/v1/sessions/{session.id}/live HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        )
        heard = b""

        def still_here() -> bool:
            nonlocal heard
            heard += connection.recv(4096)
            return heard.count(b": still here") > 2

        until(still_here)


def test_a_key_that_is_revoked_ends_its_streams(
    own_store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 0.01)
    own_store.keys.create("first", "admin")
    secret = own_store.keys.create("ci", "read").secret
    session = own_store.start()
    headers = {"Authorization": f"Bearer {secret}"}
    path = f"/api/v1/sessions/{session.id}/live"
    with served(own_store) as running, following(running.url, path, headers, after=0) as stream:
        next(stream)
        own_store.keys.revoke("ci")
        (last,) = stream
    assert (last.event, "revoked" in json.dumps(last.data)) == ("dropped", True)
