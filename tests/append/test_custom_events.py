from typing import Any

import pytest
from pydantic import ValidationError

from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.effects import Effects, NewItem, Removal, Resume, Return
from backstory.domain.errors import InvalidInput
from backstory.domain.events import EventBody
from backstory.domain.log.references import ContentRef


class Reviewed(EventBody):
    """A review, with a text of its own."""

    type = "append:reviewed"
    verdict: str
    text: ContentRef | None = None
    details: dict[str, Any] | None = None


def brought(**changes: Any) -> Effects:
    return Effects(
        brings=NewItem(**({"type": "review", "tokens": 3, "importance": 0.9, "tier": "HOT"} | changes))
    )


def test_an_event_of_a_users_brings_an_item_with_a_text(any_store):
    session = any_store.start()
    draft = ContentBundle()
    body = Reviewed(verdict="good", text=draft.text("text", "well\0done"))
    version = session.record(body, effects=brought(), contents=draft)
    assert session.text(version) == "well\0done"
    assert session.state.items[version].type == "review"
    assert session.state.tokens == 3
    assert next(session.events(after=version - 1)).body == body
    assert session.verify().ok


def test_an_event_whose_type_nobody_knows_any_more_is_carried(any_store, monkeypatch):
    from backstory.domain.events import BODIES, UnknownBody

    session = any_store.start()
    version = session.record(Reviewed(verdict="good"), effects=brought())
    seen = session.state
    monkeypatch.delitem(BODIES, Reviewed.type)
    event = next(session.events(after=version - 1))
    assert isinstance(event.body, UnknownBody)
    assert event.type == "append:reviewed"
    assert session.state == seen
    session.backtrack(1, "away with it")
    session.redo()
    assert session.items.list()[0].id == version
    assert session.verify().ok


@pytest.mark.parametrize(
    ("body", "contents"),
    [
        (Reviewed(verdict="good", details={"sha256": "x" * 43, "size": 5}), None),
        (Reviewed(verdict="good", text=ContentBundle().text("text", "not handed over")), None),
        (Reviewed(verdict="good"), "unnamed"),
    ],
    ids=["looks like a reference", "reference without its content", "content without its reference"],
)
def test_contents_and_references_must_fit(any_store, body, contents):
    session = any_store.start()
    draft = ContentBundle()
    if contents is not None:
        draft.text("text", contents)
    with pytest.raises(InvalidInput, match=r"names a content|must each be named"):
        session.record(body, contents=draft)
    assert session.version == 1


def test_what_belongs_to_the_store_is_refused(any_store):
    session = any_store.start()
    item = session.message("hello")
    with pytest.raises(InvalidInput, match="belongs to backtracks and forks"):
        session.record(Reviewed(verdict="x"), effects=Effects(resumes=Resume(stream=session.id, version=1)))
    returned = Return(items=(item,), rows=((item,),), window="main")
    with pytest.raises(InvalidInput, match="belongs to `bring_back`"):
        session.record(Reviewed(verdict="x"), effects=Effects(returns=(returned,)))
    assert session.version == 2


@pytest.mark.parametrize(
    "effects",
    [
        {"labels": {"title": "plain"}},
        {"labels": {"title": {"part": "x"}}},
        {"labels": {"title": {"part": 0, "version": 1}}},
        {"labels": {"tags": "one"}},
        {"labels": {"status": 5}},
        {"labels": {"mood": {"deep": 1}}},
        {"labels": {"mood": float("nan")}},
        {"labels": {"mood": "nul \0"}},
        {"labels": {"nul \0": "x"}},
        {"touches": (1, 1)},
        {"touches": (2**31,)},
        {"tiers": {"HOT": (1,), "COLD": (1,)}},
        {"removes": (Removal(items=(1,), disposition="x"),), "unheard_of": 1},
    ],
    ids=str,
)
def test_effects_that_could_not_be_applied_cannot_be_made(effects):
    with pytest.raises(ValidationError):
        Effects(**effects)


def test_labels_of_ones_own_are_kept(any_store):
    session = any_store.start()
    labels = {"mood": "good", "count": 5, "ready": True, "names": ["a", "b"]}
    session.record(Reviewed(verdict="x"), effects=Effects(labels=labels))
    assert {name: session.state.labels[name] for name in labels} == labels
    session.record(Reviewed(verdict="x"), effects=Effects(labels={"mood": None}))
    assert "mood" not in session.state.labels
    assert session.verify().ok
    assert any_store.summary(session.id).id == session.id
