"""The sample has something to show of everything, its record is intact, and it is made once."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.cli.sample import sign_in
from backstory.interfaces.cli.sample.recorder import TAG, UNFINISHED
from backstory.interfaces.cli.sample.sample import ensure_sample

NOW = datetime(2026, 3, 17, 10, tzinfo=UTC)


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[ContextStore]:
    with ContextStore.open(module_database) as store:
        yield store


@pytest.fixture(scope="module")
def session(store: ContextStore) -> Session:
    session, made = ensure_sample(store, lambda title: None, NOW)
    assert made
    return session


def test_the_long_session_has_every_kind_of_event(session: Session) -> None:
    counted = Counter(event.type for event in session.events())
    for type_ in (
        "items.compacted",
        "results.stubbed",
        "tiers.reassigned",
        "summary.made",
        "checkpoint.taken",
        "session.backtracked",
        "window.alerted",
        "error.met",
        "error.resolved",
        "goal.set",
        "constraint.added",
        "question.answered",
        "action.completed",
        "task.completed",
        "commit.made",
    ):
        assert counted[type_], type_
    assert counted["model.called"] >= 25
    assert session.version >= 200


def test_something_is_still_under_way(session: Session) -> None:
    state = session.state
    assert len(state.open_calls) == 2
    assert state.questions
    assert state.actions
    assert state.errors
    assert state.current_task == "T3"


def test_two_agents_have_items_of_their_own(session: Session) -> None:
    private = {(item.agent, item.private) for item in session.items.list() if item.private}
    assert private == {("coder", True), ("reviewer", True)}


def test_a_branch_was_left_and_a_fork_made(store: ContextStore, session: Session) -> None:
    assert len(session.views.branches()) > 1
    (fork,) = store.sessions(tag="experiment")
    assert fork.title == sign_in.FORK_TITLE


def test_a_decision_leads_to_its_prompt(session: Session) -> None:
    newest = session.decisions.list(limit=1)[0]
    seen = session.saw(newest.id).reproduction
    assert seen is not None
    assert seen.ok


def test_every_tier_has_items(session: Session) -> None:
    assert {item.tier for item in session.items.list()} == {"HOT", "WARM", "COLD"}


def test_other_sessions_differ_in_state_cost_and_zone(store: ContextStore, session: Session) -> None:
    found = store.sessions(tag=TAG)
    assert len(found) == 7
    assert {one.status for one in found} == {"open", "ended"}
    assert len({one.project for one in found}) == 3
    assert all(one.cost_usd > 0 for one in found)
    assert {one.zone for one in found} == {"safe", "warning"}
    assert not store.sessions(tag=UNFINISHED)
    assert found[0].id == session.id


def test_projects_remember(store: ContextStore, session: Session) -> None:
    memories = store.project("invoices").memories(past=True).memories
    assert {"knowledge", "preference", "lesson"} <= {memory.kind for memory in memories}
    assert any(memory.superseded_by for memory in memories)


def test_everything_is_intact(store: ContextStore, session: Session) -> None:
    assert store.verify_all().ok


def test_it_is_made_once(store: ContextStore, session: Session) -> None:
    again, made = ensure_sample(store, lambda title: None)
    assert (again.id, made) == (session.id, False)


def test_it_is_the_same_each_time(session: Session, own_store: ContextStore) -> None:
    other, _ = ensure_sample(own_store, lambda title: None, NOW)

    def told(one: Session) -> list[object]:
        return [(event.type, event.actor, event.occurred_at, event.cause) for event in one.events()]

    assert told(other) == told(session)
    shown, same = other.context(record=False), session.context(record=False)
    assert shown.messages
    assert shown.messages == same.messages


def test_what_a_run_left_behind_is_removed(own_store: ContextStore) -> None:
    def stop(title: str) -> None:
        if title == sign_in.TITLE:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ensure_sample(own_store, stop, NOW)
    assert own_store.sessions() == []
