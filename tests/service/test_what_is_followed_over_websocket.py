"""WebSocket: a client says what it follows, and is sent it as it changes."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.http.live import sockets
from tests.service.served import Served, served


class Live:
    """One connection."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    def say(self, **message: Any) -> None:
        self._connection.send(json.dumps(message))

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._connection.recv(timeout=60))
        return message

    def follow(self, what: str, **more: Any) -> dict[str, Any]:
        self.say(subscribe=what, **more)
        answer = self.hear()
        assert answer["type"] == "subscribed", answer
        return answer


@contextmanager
def live(service: Served, secret: str | None = None, **headers: str) -> Iterator[Live]:
    sent = headers if secret is None else {**headers, "Authorization": f"Bearer {secret}"}
    url = service.url.replace("http", "ws") + "/api/v1/live/ws"
    with connect(url, additional_headers=sent) as connection:
        yield Live(connection)


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start(project=f"project-{uuid4().hex[:8]}", limit=8000)


def test_events_tiers_and_windows_of_a_session(service: Served, session: Session) -> None:
    id = str(session.id)
    with live(service) as client:
        assert client.follow("events", session=id) == {
            "type": "subscribed",
            "to": "events",
            "session": id,
            "after": 1,
        }
        client.follow("tiers", session=id)
        assert client.hear()["total_items"] == 0
        client.follow("window", session=id)
        assert client.hear()["windows"][0]["tokens"] == 0
        session.message("Which oil?")
        found = {(message := client.hear())["type"]: message for _ in range(3)}
    assert (found["event"]["id"], found["event"]["event"]["type"]) == (2, "message.added")
    assert (found["tiers"]["version"], found["tiers"]["total_items"]) == (2, 1)
    assert found["window"]["windows"][0]["tokens"] > 0


def test_what_was_missed_comes_first(service: Served, session: Session) -> None:
    for number in range(5):
        session.message(f"{number}")
    with live(service) as client:
        client.follow("events", session=str(session.id), after=3)
        assert [client.hear()["id"] for _ in range(3)] == [4, 5, 6]


def test_a_project_is_followed(service: Served, store: ContextStore, session: Session) -> None:
    project = store.summary(session.id).project
    other = store.start(project="elsewhere")
    with live(service) as client:
        client.follow("events", project=project, after=store.feed_status().position)
        other.message("not this")
        session.message("this")
        heard = client.hear()
    assert (heard["project"], heard["event"]["session"]) == (project, str(session.id))


def test_what_is_no_longer_followed_is_not_sent(service: Served, session: Session) -> None:
    with live(service) as client:
        client.follow("events", session=str(session.id))
        client.say(unsubscribe="events", session=str(session.id))
        assert client.hear()["type"] == "unsubscribed"
        session.message("unheard")
        assert client.follow("events", session=str(session.id))["after"] == 2


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ("no json", "message"),
        ('{"subscribe": "everything"}', "subscribe"),
        ('{"subscribe": "tiers"}', "session"),
        ('{"subscribe": "events", "after": -1}', "after"),
        ('{"subscribe": "events", "unsubscribe": "events"}', "subscribe"),
        ('{"subscribe": "events", "session": "x", "project": "y"}', "project"),
        ('{"subscribe": "events", "more": 1}', "more"),
        ("[]", "message"),
    ],
)
def test_what_cannot_be_read_is_a_problem_and_ends_nothing(
    service: Served, session: Session, message: str, field: str
) -> None:
    with live(service) as client:
        client._connection.send(message)
        answer = client.hear()
        assert (answer["type"], answer["problem"]["field"]) == ("problem", field)
        client.follow("events", session=str(session.id))


def test_a_session_that_is_not_there_is_a_problem(service: Served) -> None:
    with live(service) as client:
        client.say(subscribe="events", session=str(uuid4()))
        assert client.hear()["problem"]["code"] == "unknown-session"


def test_one_connection_follows_only_so_much(
    service: Served, store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "MOST_SUBSCRIPTIONS", 2)
    with live(service) as client:
        for _ in range(2):
            client.follow("events", session=str(store.start().id))
        client.say(subscribe="events", session=str(store.start().id))
        assert client.hear()["problem"]["field"] == "subscribe"


def test_pages_of_others_are_kept_out(service: Served) -> None:
    with pytest.raises(InvalidStatus) as refused, live(service, Origin="http://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    with (
        service.connect() as rebound,
        pytest.raises(InvalidStatus) as refused,
        connect("ws://evil.example/api/v1/live/ws", sock=rebound),
    ):
        pass
    assert refused.value.response.status_code == 403


class TestWithKeys:
    @pytest.fixture
    def keyed(self, own_store: ContextStore) -> Iterator[Served]:
        own_store.keys.create("first", "admin")
        with served(own_store) as running:
            yield running

    def test_one_is_needed(self, keyed: Served) -> None:
        for secret in (None, "bsk_000000000000_" + "x" * 43):
            with pytest.raises(InvalidStatus) as refused, live(keyed, secret):
                pass
            assert refused.value.response.status_code == 401

    def test_it_reaches_its_projects_alone(self, keyed: Served, own_store: ContextStore) -> None:
        secret = own_store.keys.create("ci", "read", projects=["mine"]).secret
        mine, other = own_store.start(project="mine"), own_store.start(project="other")
        with live(keyed, secret) as client:
            client.say(subscribe="events", session=str(other.id))
            assert client.hear()["problem"]["code"] == "unknown-session"
            client.say(subscribe="events", project="other")
            assert client.hear()["problem"]["code"] == "access-denied"
            client.follow("events")
            other.message("hidden")
            mine.message("shown")
            assert client.hear()["event"]["session"] == str(mine.id)

    def test_private_items_are_their_agent_s(self, keyed: Served, own_store: ContextStore) -> None:
        secret = own_store.keys.create("ci", "read", agent="coder").secret
        session = own_store.start()
        with live(keyed, secret) as client:
            client.follow("events", session=str(session.id))
            session.by("planner").items.save("note", "the vault's code is 1234")
            heard = client.hear()
        assert heard["event"]["type"] == "item.saved"
        assert "1234" not in json.dumps(heard)

    def test_a_revoked_one_ends_it(
        self, keyed: Served, own_store: ContextStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sockets, "HEARTBEAT", 0.01)
        secret = own_store.keys.create("ci", "read").secret
        with live(keyed, secret) as client:
            client.follow("events")
            own_store.keys.revoke("ci")
            with pytest.raises(ConnectionClosed) as ended:
                client.hear()
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 1008
