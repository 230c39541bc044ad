"""Events of types and versions that are not known are carried: read, replayed, verified, applied."""

import json

import pytest

from backstory import ContextStore, Session
from backstory.domain.effects import Effects
from backstory.domain.events import BODIES, MessageAdded, UnknownBody, decode_body
from backstory.domain.log.guards import NO_GUARD
from backstory.domain.log.references import SALT_BYTES, digest
from backstory.infrastructure.postgres.append import NewContent, PendingEvent

BRINGS = '{"brings":{"type":"plan","tokens":5,"importance":0.5,"tier":"WARM"}}'
PAYLOADS = {
    "a type nobody knows": ("nobody:knows", 1, b'{"a":1}'),
    "a newer schema of a known type": (MessageAdded.type, 99, b'{"said":"hello","tone":"kind"}'),
    "a known type with fields that do not fit": (MessageAdded.type, 1, b'{"role":"user","parts":7}'),
    "a payload that is no object": ("nobody:knows", 1, b"[1,2]"),
}


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start()


def append(session: Session, type_: str, version: int, payload: bytes, effects: str | None = None) -> int:
    event = PendingEvent(type_, version, payload, effects)
    return session._runtime.append(session.id, [event], guard=NO_GUARD, epoch=session.epoch).last_version


@pytest.mark.parametrize("name", PAYLOADS)
class TestCarried:
    def test_it_is_read_as_it_was_stored(self, session: Session, name: str) -> None:
        type_, schema_version, payload = PAYLOADS[name]
        version = append(session, type_, schema_version, payload, BRINGS)
        event = list(session.events())[-1]
        assert event.body == UnknownBody(payload=payload)
        assert event.body.encode() == payload
        assert (event.type, event.schema_version, event.version) == (type_, schema_version, version)

    def test_its_effects_apply_to_the_state_and_to_the_read_models(self, session: Session, name: str) -> None:
        type_, schema_version, payload = PAYLOADS[name]
        removed = session.message("goes away")
        effects = json.loads(BRINGS) | {
            "removes": [{"items": [removed], "disposition": "replaced"}],
            "labels": {"status": "ended"},
            "marks": {"name": "here"},
        }
        version = append(session, type_, schema_version, payload, json.dumps(effects))
        state = session.state
        assert [(item.id, item.type, item.tokens) for item in state.live()] == [(version, "plan", 5)]
        assert (state.status, state.last_checkpoint, state.tokens) == ("ended", version, 5)
        assert [item.id for item in session.items.list(live=True)] == [version]
        assert [mark.name for mark in session.checkpoints.list()] == ["here"]

    def test_the_session_verifies(self, session: Session, name: str) -> None:
        type_, schema_version, payload = PAYLOADS[name]
        version = append(session, type_, schema_version, payload, BRINGS)
        session.message("after it")
        assert session.verify().problem is None
        session.items.remove(version)
        session.items.bring_back(version)
        assert session.verify().problem is None

    def test_the_session_can_be_backtracked_and_forked_across_it(self, session: Session, name: str) -> None:
        type_, schema_version, payload = PAYLOADS[name]
        version = append(session, type_, schema_version, payload, BRINGS)
        at_version = session.state
        session.message("after it")
        session.backtrack(version, "back to it")
        assert session.state.items == at_version.items
        fork = session.fork(at=version)
        assert fork.state.items == at_version.items
        assert session.verify().problem is None
        assert fork.verify().problem is None

    def test_the_context_document_has_it(self, session: Session, name: str) -> None:
        type_, schema_version, payload = PAYLOADS[name]
        version = append(session, type_, schema_version, payload, BRINGS)
        (row,) = session.views.current_context()["loaded_artifacts"]
        assert (row["id"], row["name"], row["tokens"]) == (f"ITEM-{version}", f"plan {version}", 5)


def test_its_contents_are_found_and_verified(session: Session) -> None:
    """A reference is known by its shape, whatever stands around it."""
    salt = bytes(SALT_BYTES)
    ref = {"sha256": digest(salt, "text/plain", b"deep"), "size": 4}
    payload = json.dumps({"deep": [{"er": ref}]}).encode()
    event = PendingEvent(
        "nobody:knows", 1, payload, BRINGS, contents=(NewContent(0, "text/plain", salt, b"deep"),)
    )
    version = session._runtime.append(session.id, [event], guard=NO_GUARD, epoch=session.epoch).last_version
    assert session.text(version) == "deep"
    assert session.verify().contents == 1
    session.erase(version, "asked to")
    assert session.verify().problem is None


def test_a_verb_of_a_newer_version_is_passed_over(session: Session) -> None:
    effects = '{"pins":[1],"brings":{"type":"plan","tokens":5,"importance":0.5,"tier":"WARM","colour":"red"}}'
    version = append(session, "nobody:knows", 1, b"{}", effects)
    assert session.state.items[version].tokens == 5
    assert session.verify().problem is None


def test_ones_own_effects_are_checked_to_the_letter() -> None:
    with pytest.raises(ValueError, match="pins"):
        Effects(pins=[1])  # type: ignore[call-arg]


def test_version_0_belongs_to_the_librarys_own_test_cases() -> None:
    assert decode_body(MessageAdded.type, 0, b"any bytes") == UnknownBody(payload=b"any bytes")


def test_a_type_becomes_known_once_its_class_is_there(session: Session) -> None:
    append(session, "late:arrived", 1, b'{"service":"api"}')
    code = "class Arrived(EventBody):\n    type: ClassVar[str] = 'late:arrived'\n    service: str\n"
    namespace: dict[str, object] = {"__name__": "late"}
    exec("from typing import ClassVar\nfrom backstory import EventBody\n" + code, namespace)
    try:
        (event,) = session.events(types=["late:arrived"])
        assert event.body.service == "api"  # type: ignore[union-attr]
    finally:
        del BODIES["late:arrived"]
