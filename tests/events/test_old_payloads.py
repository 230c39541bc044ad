"""A payload that was stored before its event's fields changed is read as the event is now."""

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from backstory import ContextStore, EventBody, InvalidInput, Session
from backstory.domain.events import BODIES, UnknownBody, decode_body
from backstory.domain.log.guards import NO_GUARD
from backstory.infrastructure.postgres.append import PendingEvent

V1_PAYLOAD = b'{"service":"api","took":"90 s","ok":true}'
V1_EFFECTS = '{"brings":{"type":"deploy","tokens":4,"importance":0.5,"tier":"WARM"}}'
V2_PAYLOAD = b'{"service":"api","seconds":90,"ok":true}'


def _seconds(fields: dict[str, Any]) -> dict[str, Any]:
    """Version 2 has a number where version 1 had a text."""
    return {
        **{key: value for key, value in fields.items() if key != "took"},
        "seconds": int(fields["took"].split()[0]),
    }


def _outcome(fields: dict[str, Any]) -> dict[str, Any]:
    """Version 3 has an outcome where version 2 had yes or no."""
    return {
        **{key: value for key, value in fields.items() if key != "ok"},
        "outcome": "done" if fields["ok"] else "failed",
    }


class DeployFinished(EventBody):
    type: ClassVar[str] = "upcast:deploy.finished"
    schema_version: ClassVar[int] = 3
    upcasters: ClassVar[dict[int, Any]] = {1: _seconds, 2: _outcome}
    service: str
    seconds: int
    outcome: str


UPCAST = DeployFinished(service="api", seconds=90, outcome="done")


def append_raw(session: Session, type_: str, version: int, payload: bytes, effects: str | None = None) -> int:
    """Appends bytes as another version of the code would have."""
    event = PendingEvent(type_, version, payload, effects)
    done = session._runtime.append(session.id, [event], guard=NO_GUARD, epoch=session.epoch)
    return done.last_version


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start()


def test_a_stored_v1_payload_is_upcast_when_it_is_read(session: Session) -> None:
    version = append_raw(session, "upcast:deploy.finished", 1, V1_PAYLOAD, V1_EFFECTS)
    (event,) = session.events(types=["upcast:deploy.finished"])
    assert event.body == UPCAST
    assert (event.version, event.schema_version) == (version, 1)
    assert session.state.items[version].type == "deploy"


def test_each_step_starts_where_the_payload_is(session: Session) -> None:
    append_raw(session, "upcast:deploy.finished", 2, V2_PAYLOAD)
    session.record(UPCAST)
    assert [event.body for event in session.events(after=1)] == [UPCAST, UPCAST]


def test_what_is_stored_stays_as_it_was(session: Session) -> None:
    append_raw(session, "upcast:deploy.finished", 1, V1_PAYLOAD, V1_EFFECTS)
    list(session.events())
    assert session.verify().problem is None
    row = session._runtime.log.rows(session.id, 1)[0]
    assert (row.state, row.schema_version) == (V1_PAYLOAD, 1)


def test_a_new_event_is_stored_at_the_current_version(session: Session) -> None:
    session.record(UPCAST)
    row = session._runtime.log.rows(session.id, 1)[0]
    assert (row.state, row.schema_version) == (UPCAST.encode(), 3)


def test_an_old_payload_that_no_step_makes_valid_is_carried() -> None:
    payload = b'{"service":7,"took":"90 s","ok":true}'
    assert decode_body("upcast:deploy.finished", 1, payload) == UnknownBody(payload=payload)


@pytest.fixture
def registry() -> Iterator[None]:
    before = dict(BODIES)
    yield
    BODIES.clear()
    BODIES.update(before)


@pytest.mark.usefixtures("registry")
class TestTypes:
    def test_a_type_of_ones_own_needs_a_namespace(self) -> None:
        with pytest.raises(InvalidInput, match="'deployed' needs a namespace, as in 'acme:deployed'"):

            class Deployed(EventBody):
                type: ClassVar[str] = "deployed"

    @pytest.mark.parametrize("name", ["", " ", ":deployed", "acme:", "acme\n:x", "x" * 201])
    def test_a_type_has_a_printable_name_in_a_namespace(self, name: str) -> None:
        with pytest.raises(InvalidInput, match="type"):
            type("Deployed", (EventBody,), {"type": name, "__annotations__": {"type": ClassVar[str]}})

    def test_a_type_belongs_to_one_class(self) -> None:
        with pytest.raises(InvalidInput, match="already the type of DeployFinished"):

            class Other(EventBody):
                type: ClassVar[str] = "upcast:deploy.finished"

    def test_backstorys_own_types_are_taken(self) -> None:
        with pytest.raises(InvalidInput, match="needs a namespace"):

            class Message(EventBody):
                type: ClassVar[str] = "message.added"

    def test_a_newer_version_needs_a_step_from_every_older_one(self) -> None:
        with pytest.raises(InvalidInput, match="no step from schema version 2"):

            class Deployed(EventBody):
                type: ClassVar[str] = "acme:deployed.thrice"
                schema_version: ClassVar[int] = 3
                upcasters: ClassVar[dict[int, Any]] = {1: lambda fields: fields}

    def test_a_refused_type_is_not_registered(self) -> None:
        with pytest.raises(InvalidInput):

            class Deployed(EventBody):
                type: ClassVar[str] = "deployed"

        assert "deployed" not in BODIES

    def test_a_base_class_has_no_type(self) -> None:
        class Base(EventBody):
            service: str

        class Deployed(Base):
            type: ClassVar[str] = "acme:base.deployed"

        assert BODIES["acme:base.deployed"] is Deployed
