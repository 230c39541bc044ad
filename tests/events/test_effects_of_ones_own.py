"""Effects that no event of Backstory's own has, but that an event of a user's own may have."""

from typing import ClassVar

import pytest

from backstory import ContextStore, Effects, EventBody, NewItem, Removal, Session
from backstory.domain.effects import Extension, Revision


class Noted(EventBody):
    """Something was noted."""

    type: ClassVar[str] = "effects:noted"


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start()


def note(tokens: int = 3, **fields: object) -> NewItem:
    return NewItem.model_validate(
        {"type": "note", "tokens": tokens, "importance": 0.5, "tier": "WARM", **fields}
    )


def gone_and_back(session: Session, item: int) -> None:
    session.items.remove(item)
    session.items.bring_back(item)
    session.backtrack(session.version - 1, "to have a snapshot of it")
    session.redo()
    assert session.verify().problem is None


def test_an_event_may_extend_the_item_that_it_brings(session: Session) -> None:
    effects = Effects(brings=note(), extends=Extension(item=2, tokens=4))
    item = session.record(Noted(), effects=effects)
    assert session.state.items[item].versions == (item,)
    assert session.state.tokens == 7
    gone_and_back(session, item)


def test_an_event_may_extend_one_item_and_revise_another(session: Session) -> None:
    extended = session.record(Noted(), effects=Effects(brings=note()))
    revised = session.record(Noted(), effects=Effects(brings=note()))
    both = Effects(extends=Extension(item=extended, tokens=4), revises=Revision(item=revised, tokens=1))
    event = session.record(Noted(), effects=both)
    assert session.state.items[extended].versions == (extended, event)
    assert session.state.items[revised].versions == (event,)
    gone_and_back(session, extended)
    gone_and_back(session, revised)


def test_an_item_may_go_to_no_window(session: Session) -> None:
    item = session.record(Noted(), effects=Effects(brings=note(windows=())))
    assert session.state.items == {}
    assert session.state.counts == {"note": 1}
    assert [row.id for row in session.items.list()] == [item]
    session.message("more")
    session.backtrack(item, "to have a snapshot of it")
    session.items.bring_back(item)
    assert list(session.state.items) == [item]
    assert session.verify().problem is None


def test_an_item_is_counted_in_a_new_window_as_that_counts(session: Session) -> None:
    item = note(9, encoding="cl100k_base", recounts={"o200k_base": 4}, windows=("side", "third"))
    session.record(Noted(), effects=Effects(brings=item))
    assert session.state.windows["side"].tokens == 4
    assert session.verify().problem is None


def test_an_event_may_replace_items_by_the_one_it_brings(session: Session) -> None:
    old = [session.message("one"), session.message("two")]
    replaced = Effects(brings=note(), removes=(Removal(items=tuple(old), disposition="summarized"),))
    item = session.record(Noted(), effects=replaced)
    assert list(session.state.items) == [item]
    assert session.state.tokens == 3
    assert session.verify().problem is None
