"""The timeline of a session over HTTP, and the reads of a version that a page makes."""

import pytest
from starlette.testclient import TestClient

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.documents.timeline import TimelineDocument


@pytest.fixture
def session(store: ContextStore) -> Session:
    """Messages, a decision on a branch that was left, a checkpoint, a call, a limit."""
    session = store.start(title="Mend the lamp", limit=4_000)
    for number in range(6):
        session.message(f"{number}: the lamp fails in fog.")
    session.decide("Use oil")
    session.backtrack(4, "oil smells")
    session.checkpoints.create("before gas")
    session.model_called(None, model="gpt-5-mini", usage={"prompt_tokens": 120, "completion_tokens": 4})
    return session


def read(client: TestClient, session: Session, **query: int) -> TimelineDocument:
    answer = client.get(f"/api/v1/sessions/{session.id}/timeline", params=query)
    assert answer.status_code == 200, answer.text
    return TimelineDocument.model_validate(answer.json())


def test_each_version_is_a_column_with_the_usage_after_it(client: TestClient, session: Session) -> None:
    found = read(client, session)
    assert (found.step, found.newest) == (1, session.version)
    assert [column.tokens for column in found.columns] == [point.tokens for point in session.window.usage()]
    assert [(mark.version, mark.kind) for mark in found.marks] == [
        (8, "decision"),
        (9, "backtrack"),
        (10, "checkpoint"),
    ]
    assert [(jump.version, jump.follows) for jump in found.jumps] == [(9, 4)]
    assert [(call.version, call.input_tokens) for call in found.calls or ()] == [(11, 120)]
    assert [(change.version, change.limit) for change in found.limits] == [(1, 4_000)]


def test_fewer_columns_hold_the_least_and_the_most_of_their_versions(
    client: TestClient, session: Session
) -> None:
    fine, coarse = read(client, session), read(client, session, columns=3)
    assert (coarse.step, len(coarse.columns)) == (4, 3)
    first = fine.columns[:4]
    assert coarse.columns[0].low == min(column.tokens for column in first)
    assert coarse.columns[0].high == max(column.tokens for column in first)
    assert sum(column.calls for column in coarse.columns) == 1


def test_what_is_appended_is_there_at_the_next_read(client: TestClient, session: Session) -> None:
    before = read(client, session)
    session.message("And now with gas.")
    after = read(client, session)
    assert (before.newest, after.newest) == (11, 12)
    assert after.columns[:-1] == before.columns
    assert after.columns[-1].tokens == session.state.tokens


def test_a_range_that_is_none_is_refused(client: TestClient, session: Session) -> None:
    answer = client.get(f"/api/v1/sessions/{session.id}/timeline", params={"after": 5, "upto": 3})
    assert (answer.status_code, answer.json()["field"]) == (422, "upto")


def test_a_state_comes_without_the_texts_of_its_items(client: TestClient, session: Session) -> None:
    path = f"/api/v1/sessions/{session.id}/state"
    bare = client.get(path, params={"at": 8, "item_texts": False}).json()
    whole = client.get(path, params={"at": 8}).json()
    assert {item["text"] for item in bare["items"]} == {None}
    assert bare["decisions"][0]["text"] == "Use oil"
    assert [item["item"] for item in bare["items"]] == [item["item"] for item in whole["items"]]


def test_the_score_of_an_item_is_that_of_the_tiers(client: TestClient, session: Session) -> None:
    items = client.get(f"/api/v1/sessions/{session.id}/state").json()["items"]
    weighed = {item.id: score for item, score in session.tiers.weighed()}
    assert {item["item"]: item["score"] for item in items} == pytest.approx(weighed, abs=0.01)


def test_events_are_read_by_their_versions(client: TestClient, session: Session) -> None:
    found = client.get(f"/api/v1/sessions/{session.id}/events", params={"version": [9, 2, 400]}).json()
    assert [event["version"] for event in found["events"]] == [2, 9]
    assert found["next"] is None


def test_events_can_be_read_with_the_beginnings_of_their_texts(client: TestClient, session: Session) -> None:
    answer = client.get(f"/api/v1/sessions/{session.id}/events", params={"version": 3, "text_length": 8})
    (content,) = answer.json()["events"][0]["contents"]
    whole = "1: the lamp fails in fog."
    assert (content["text"], content["size"]) == (whole[:8], len(whole))


def test_items_in_numbers_are_those_of_the_state(client: TestClient, session: Session) -> None:
    path = f"/api/v1/sessions/{session.id}"
    document = client.get(f"{path}/items/figures", params={"at": 8}).json()
    state = client.get(f"{path}/state", params={"at": 8}).json()
    assert document["version"] == 8
    assert [row[:3] for row in document["rows"]] == [
        [item["item"], item["type"], item["agent"]] for item in state["items"]
    ]
    assert [row[6] for row in document["rows"]] == [item["shown_tokens"] for item in state["items"]]
    assert {row[4] for row in document["rows"]} <= {"HOT", "WARM", "COLD"}


def test_a_state_can_be_read_without_its_items(client: TestClient, session: Session) -> None:
    path = f"/api/v1/sessions/{session.id}/state"
    whole, light = (client.get(path, params={"items": items}).json() for items in (True, False))
    assert light["items"] == []
    assert light | {"items": whole["items"]} == whole


def test_a_session_is_shown_with_the_reasons_of_its_backtracks(client: TestClient, session: Session) -> None:
    (backtrack,) = client.get(f"/api/v1/sessions/{session.id}").json()["backtracks"]
    assert backtrack == {"version": 9, "to": 4, "abandoned": 8, "why": "oil smells"}
