"""Searches over HTTP."""

from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.interfaces.documents.search import SearchPageDocument
from backstory.interfaces.documents.window import DroppedDocument


def test_items_are_found_in_a_session_and_in_a_project(client: TestClient, store: ContextStore) -> None:
    project = uuid4().hex
    session = store.start(project=project)
    said = session.message("The lantern of the harbour master burns.")
    decided = session.by("ana").decide("Lanterns are kept in the shed.")
    private = session.by("ana").items.save("note", "The lantern is hidden.")
    for path, more in (
        (f"/api/v1/sessions/{session.id}/search", {}),
        ("/api/v1/search", {"project": project}),
    ):

        def found(**how: object) -> list[int]:
            answer = client.get(path, params={"query": "lantern", **more, **how})  # noqa: B023
            return [hit.item for hit in SearchPageDocument.model_validate(answer.json()).hits]

        assert sorted(found()) == [said, decided]
        assert found(type="decision") == [decided]
        assert found(speaker="user") == [said]
        assert private in found(agent="ana")
        session.safety.quarantine(said, why="read again first")
        assert found() == [decided]
        assert sorted(found(quarantined=True, limit=1_000)) == [said, decided]
        session.safety.release(said)
        version = session.version
        first = client.get(path, params={"query": "lantern", **more, "limit": 1}).json()
        assert found(limit=1, after=first["next"]) == [({said, decided} - {first["hits"][0]["item"]}).pop()]
        assert session.version == version


def test_what_was_dropped_is_ranked(client: TestClient, store: ContextStore) -> None:
    session = store.start(limit=4_000)
    for number in range(20):
        session.message(f"{number}: The parser in src/parser.py fails on empty input. " * 5)
    done = session.window.compact("everything")
    told = client.get(f"/api/v1/sessions/{session.id}/window/dropped", params={"limit": 3}).json()
    dropped = DroppedDocument.model_validate(told)
    assert dropped.compaction == done.summary
    assert [item.item for item in dropped.items] == [
        item.item for item in session.window.dropped(limit=3).items
    ]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("search", "query"),
        ("search?query=", "query"),
        ("search?query=x&after=nowhere", "after"),
        ("search?query=x&limit=0", "limit"),
    ],
)
def test_bad_input_names_the_field(client: TestClient, path: str, field: str) -> None:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 422
    assert answer.json()["field"] == field
