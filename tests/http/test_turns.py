"""A turn over HTTP: messages, a context, the call, the answer; and what can be read of it."""

import base64
from typing import Any
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.effects import Effects
from backstory.domain.events.base import decode_body
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.values import dumps
from backstory.domain.state import ContextState
from backstory.interfaces.documents.contexts import ContextDocument, ReproductionDocument, SawDocument
from backstory.interfaces.documents.events import EventsDocument
from backstory.interfaces.documents.messages import NeutralMessageDocument
from backstory.interfaces.documents.states import DiffDocument, ItemsDocument, StateDocument
from backstory.interfaces.documents.window import BeforeCallDocument

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Web:
    """A session, over HTTP."""

    def __init__(self, client: TestClient, session: Session) -> None:
        self._client = client
        self._path = f"/api/v1/sessions/{session.id}"

    def post(self, path: str, /, headers: dict[str, str] | None = None, **body: Any) -> Any:
        answer = self._client.post(f"{self._path}/{path}", json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    def write(self, path: str, /, headers: dict[str, str] | None = None, **body: Any) -> int:
        version: int = self.post(path, headers, **body)["version"]
        return version

    def get(self, path: str, /, **query: Any) -> Any:
        answer = self._client.get(f"{self._path}/{path}", params=query)
        assert answer.is_success, answer.text
        return answer.json()


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start(limit=8000)


@pytest.fixture
def web(client: TestClient, session: Session) -> Web:
    return Web(client, session)


def test_a_turn_is_recorded_from_the_question_to_the_decision(web: Web, session: Session) -> None:
    asked = web.write("message", content="Which port does the gateway use?")
    made = ContextDocument.model_validate(web.post("context", budget=4000))
    assert made.prompt.encode() == session.reproduce(made.version or 0).context.data  # type: ignore[union-attr]
    answered = web.write(
        "answered", context=made.version, answer="It uses 8443.", model="gpt-4o", usage={"prompt_tokens": 9}
    )
    decided = web.write("decide", {"Backstory-Cause": str(answered)}, text="Port 8443.", priority="P0")
    saw = SawDocument.model_validate(web.get("saw", version=decided))
    assert (saw.message, saw.assembly, saw.model, saw.gap) == (answered, made.version, "gpt-4o", None)
    again = ReproductionDocument.model_validate(web.get("reproduce", version=made.version))
    assert (again.ok, again.found, again.sections) == (True, made.sha256, made.sections)
    assert session.text(asked) == "Which port does the gateway use?"


def test_messages_come_in_every_form(web: Web, session: Session) -> None:
    plain = web.write("message", content="Hello.", role="agent", metadata={"ui": 7})
    openai = web.write("message", content={"role": "user", "content": "Hi."}, format="openai")
    parts = (Part("text", b"Look: \x00"), Part("image", PIXEL, "image/png"), Part("text", b"\xff\xfe"))
    message = Message("user", parts)
    document = NeutralMessageDocument.of(message)
    neutral = web.write("message", content=document.as_json())
    assert session.items.parts(neutral) == list(parts)
    assert document.message("content") == message
    assert (session.text(plain), session.items.metadata(plain)) == ("Hello.", {"ui": 7})
    assert session.text(openai) == "Hi."
    saved = web.write("items/save", type="screenshot", content=[document.as_json()["parts"][1]])
    assert session.items.parts(saved) == [parts[1]]


def test_a_preview_writes_nothing(web: Web, session: Session) -> None:
    session.message("Hello.")
    version = session.version
    got = ContextDocument.model_validate(web.get("context", budget=4000, format="markdown"))
    posted = ContextDocument.model_validate(
        web.post("context", budget=4000, format="markdown", record=False, policy={"settings": {}})
    )
    assert (got.version, got.prompt) == (None, posted.prompt)
    assert session.version == version


def test_who_when_and_why_are_headers(web: Web, session: Session) -> None:
    first = session.message("Hello.")
    said = {
        "Backstory-Actor": "Jos%C3%A9",
        "Backstory-Occurred-At": "2026-01-02T03:04:05Z",
        "Backstory-Cause": str(first),
        "Backstory-Origin": "document",
        "Idempotency-Key": uuid4().hex,
    }
    versions = {web.write("items/save", said, type="note", content="x", private=False) for _ in range(2)}
    (version,) = versions
    (event,) = session.events(after=version - 1, upto=version)
    assert (event.actor, event.cause, event.occurred_at.year) == ("José", first, 2026)
    assert session.state.items[version].origin == "document"


def test_a_check_before_a_call_makes_room(web: Web, session: Session) -> None:
    for number in range(60):
        session.message(f"{number}: " + "the lamp fails in fog and the ships wait. " * 12)
    done = BeforeCallDocument.model_validate(web.post("before-call", next_tokens=500))
    assert done.actions
    assert done.usage < done.usage_before
    assert done.alerts
    assert [event.version for event in done.events] == sorted(event.version for event in done.events)


def test_states_can_be_read_at_any_version(web: Web, session: Session) -> None:
    goal = web.write("work/set-goal", text="Light the lamp.")
    web.write("work/complete-goal", goal=goal)
    shown = StateDocument.model_validate(web.get("state", at=goal))
    assert [one.text for one in shown.goals] == ["Light the lamp."]
    for at in (None, goal):
        data = web.get("state/data", **({} if at is None else {"at": at}))
        state = ContextState.decode(base64.b64decode(data["data"]))
        assert state == (session.state if at is None else session.at(at))
    diff = DiffDocument.model_validate(web.get("diff", from_version=goal, to_version=session.version))
    assert [one.item for one in diff.goals_gone] == [goal]


def test_events_come_in_pages_and_say_all_they_say_in_python(web: Web, session: Session) -> None:
    for number in range(5):
        session.by("ana").message(f"{number}")
    session.backtrack(3, "no")
    after, pages = 0, []
    while True:
        page = EventsDocument.model_validate(web.get("events", after=after, limit=3))
        pages.append(page)
        if page.next is None:
            break
        after = page.next
    found = [event for page in pages for event in page.events]
    for shown, event in zip(found, session.events(), strict=True):
        assert decode_body(shown.type, shown.schema_version, dumps(shown.payload)) == event.body
        assert Effects.model_validate(shown.effects) == event.effects
    assert [one.live for one in found][3:6] == [False] * 3
    some = EventsDocument.model_validate(web.get("events", actor="ana", branch=True))
    assert [event.contents[0].text for event in some.events] == ["0", "1"]


def test_items_are_listed_in_pages_with_their_texts(web: Web, session: Session) -> None:
    items = [session.message(f"message {number}") for number in range(4)]
    session.items.remove(items[0])
    first = ItemsDocument.model_validate(web.get("items", texts=True, limit=3))
    rest = ItemsDocument.model_validate(web.get("items", texts=True, after=first.next))
    assert [item.text for item in (*first.items, *rest.items)] == [f"message {number}" for number in range(4)]
    assert rest.next is None
    live = ItemsDocument.model_validate(web.get("items", live=True))
    assert [(item.item, item.text) for item in live.items] == [(item, None) for item in items[1:]]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("message", {}, "content"),
        ("message", {"content": ""}, "content"),
        ("message", {"content": {"role": "user"}}, "parts"),
        ("message", {"content": {"role": "user", "parts": [{"data": "%"}]}}, "content.parts.0"),
        ("work/set-goal", {"text": "x", "priority": "soon"}, "priority"),
        ("work/set-goal", {"txt": "x"}, "text"),
        (
            "window/choose-policy",
            {"policy": {"kind": "tiers", "settings": {"hott": 1}}},
            "policy.settings.hott",
        ),
        (
            "window/choose-policy",
            {"policy": {"kind": "window", "settings": {"warning": "x"}}},
            "policy.warning",
        ),
        ("answered", {"context": 10**9, "answer": "x"}, None),
        ("context", {"budget": -1}, "budget"),
    ],
)
def test_what_breaks_a_rule_is_named_and_changes_nothing(
    client: TestClient, session: Session, path: str, body: dict[str, Any], field: str | None
) -> None:
    answer = client.post(f"/api/v1/sessions/{session.id}/{path}", json=body)
    assert answer.status_code in (404, 422), answer.text
    assert answer.json().get("field") == field
    assert session.version == 1
