"""Bodies: compressed, too large, unreadable."""

import gzip
import json
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.http.app import create_app
from backstory.interfaces.http.serving.options import ServiceOptions

JSON = {"Content-Type": "application/json"}
ZIPPED = {**JSON, "Content-Encoding": "gzip"}
LINES = {"Content-Type": "application/x-ndjson"}
SMALL = 10_000


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start()


@pytest.fixture(scope="module")
def small(store: ContextStore) -> TestClient:
    """A service that takes small bodies."""
    return TestClient(create_app(store, ServiceOptions(longest_body=SMALL)), base_url="http://127.0.0.1")


def path(session: Session, verb: str = "message") -> str:
    return f"/api/v1/sessions/{session.id}/{verb}"


@pytest.mark.parametrize("members", [1, 2])
def test_a_compressed_body_is_opened(client: TestClient, session: Session, members: int) -> None:
    text = json.dumps({"content": "Hello. " * 1000}).encode()
    half = len(text) // members
    body = b"".join(gzip.compress(text[at : at + half]) for at in range(0, len(text), half))
    answer = client.post(path(session), content=body, headers=ZIPPED)
    assert (answer.status_code, session.text(2)) == (201, "Hello. " * 1000)


@pytest.mark.parametrize(
    "broken",
    [b"{}", gzip.compress(b'{"content": "x"}')[:-4], gzip.compress(b"{}") + b"x"],
    # A compressed text holds the time, and each worker's would have a name of its own.
    ids=["not compressed", "cut", "with more behind it"],
)
def test_one_that_is_no_gzip_is_refused(client: TestClient, session: Session, broken: bytes) -> None:
    answer = client.post(path(session), content=broken, headers=ZIPPED)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert session.version == 1


def test_another_encoding_is_refused(client: TestClient, session: Session) -> None:
    answer = client.post(path(session), content=b"{}", headers={**JSON, "Content-Encoding": "br"})
    assert (answer.status_code, session.version) == (415, 1)


def test_answers_are_compressed_for_those_who_ask(client: TestClient, session: Session) -> None:
    session.message("Hello. " * 1000)
    plain = client.get(path(session, "state"), headers={"Accept-Encoding": "identity"})
    zipped = client.get(path(session, "state"), headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert zipped.json() == plain.json()


def test_one_that_is_too_large_is_refused(small: TestClient, session: Session) -> None:
    large = json.dumps({"content": "x" * SMALL}).encode()
    pieces = [large[:100], large[100:]]
    for answer in (
        small.post(path(session), content=large, headers=JSON),
        small.post(path(session), content=iter(pieces), headers=JSON),
        small.post(path(session), content=gzip.compress(large), headers=ZIPPED),
        small.post("/login", content=large, headers=JSON),
    ):
        assert answer.status_code == 413
        assert (answer.json()["type"], answer.json()["status"]) == ("about:blank", 413)
    assert session.version == 1


def test_a_small_one_does_not_become_a_large_one(small: TestClient, session: Session) -> None:
    bomb = gzip.compress(b" " * 200_000_000)
    answer = small.post(path(session), content=bomb, headers=ZIPPED)
    assert (answer.status_code, session.version) == (413, 1)


def test_lines_may_be_any_number(small: TestClient, session: Session) -> None:
    line = json.dumps({"do": "message", "content": "x" * 1000}).encode() + b"\n"
    answer = small.post(path(session, "events"), content=iter([line] * 50), headers=LINES)
    assert answer.json()["versions"] == list(range(2, 52))


def test_lines_before_one_that_is_refused_stay(client: TestClient, session: Session) -> None:
    body = b'{"do": "message", "content": "one"}\n\n{"do": "message"}\n{"do": "message", "content": "two"}\n'
    answer = client.post(path(session, "events"), content=body, headers=LINES)
    assert (answer.status_code, answer.json()["line"]) == (422, 3)
    assert session.version == 2


def test_lines_repeated_under_a_key_go_on_where_they_ended(client: TestClient, session: Session) -> None:
    lines = [json.dumps({"do": "message", "content": f"{number}"}).encode() for number in range(4)]
    headers = {**LINES, "Idempotency-Key": uuid4().hex}
    client.post(path(session, "events"), content=b"\n".join(lines[:2]), headers=headers)
    answer = client.post(path(session, "events"), content=b"\n".join(lines), headers=headers)
    assert answer.json()["versions"] == [2, 3, 4, 5]
    assert session.version == 5


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe",
        b'{"content": NaN}',
        b'{"content": "\\ud800"}',
        b"[" * 9999,
    ],
)
def test_what_is_no_body_is_refused(client: TestClient, session: Session, body: bytes) -> None:
    answer = client.post(path(session), content=body, headers=JSON)
    assert answer.status_code in (400, 422), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert session.version == 1
