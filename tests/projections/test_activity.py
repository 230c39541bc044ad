"""The activity counts every event for its day and for the project that its session belonged to then."""

from collections import Counter
from datetime import UTC, date, datetime

import pytest

from backstory.application.feed.projection_runner import ProjectionRunner
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput
from backstory.domain.events import ModelCalled


def at(day: int, hour: int = 12) -> datetime:
    return datetime(2026, 11, day, hour, tzinfo=UTC)


def costs(store: ContextStore) -> float:
    """What all model calls cost, by their events."""
    bodies = [entry.event.body for entry in store.feed(types=["model.called"])]
    return sum(body.cost_usd or 0.0 for body in bodies if isinstance(body, ModelCalled))


def test_by_day_and_project(own_store: ContextStore) -> None:
    session = own_store.start(project="orders")
    session.occurred(at(1)).message("hello there")
    session.occurred(at(1, 23)).decide("Use RS256")
    session.occurred(at(2, 0)).model_called(
        None, "gpt-4o", {"prompt_tokens": 100_000, "completion_tokens": 20}
    )
    session.occurred(at(2)).model_called(
        None, "of-no-known-price", {"prompt_tokens": 1, "completion_tokens": 2}
    )
    other = own_store.start()
    other.occurred(at(2)).message("elsewhere")
    ProjectionRunner(own_store).catch_up()
    second, first = own_store.activity(project="orders", before=date(2026, 11, 3))
    assert (first.day, first.project, first.events, first.messages, first.decisions) == (
        date(2026, 11, 1),
        "orders",
        2,
        1,
        1,
    )
    assert first.tokens == sum(item.tokens for item in session.items.list())
    assert first.types == {"message.added": 1, "decision.recorded": 1}
    assert (second.day, second.model_calls) == (date(2026, 11, 2), 2)
    assert (second.input_tokens, second.output_tokens) == (100_001, 22)
    assert second.cost_usd == pytest.approx(costs(own_store))
    assert second.cost_usd > 0
    assert [one.project for one in own_store.activity(since=date(2026, 11, 2), before=date(2026, 11, 3))] == [
        None,
        "orders",
    ]


def test_the_project_is_that_of_the_time(own_store: ContextStore) -> None:
    """Through changes, backtracks and forks; and counted anew it is the same, whatever the projects are now."""
    session = own_store.start(project="a")
    session.message("in a")  # 2
    session.details.set_project("b")
    session.message("in b")  # 4
    fork = session.fork(at=2)
    fork.message("in a, in the fork")
    fork.fork(at=2).message("in a, in a fork that begins before it")
    session.backtrack(2, "again")  # 5
    session.message("in a again")
    session.backtrack(4, "redo")  # 7
    session.message("in b again")
    session.details.set_project("c")
    plain = own_store.start()
    plain.message("in none")
    runner = ProjectionRunner(own_store, batch_size=2)
    runner.catch_up()
    counted = own_store.activity()
    messages = {one.project: one.messages for one in counted}
    assert messages == {"a": 4, "b": 2, "c": 0, None: 1}
    assert sum(one.events for one in counted) == len(list(own_store.feed()))
    runner.rebuild("activity")
    assert own_store.activity() == counted
    ProjectionRunner(own_store, batch_size=1_000).rebuild("activity")
    assert own_store.activity() == counted


def test_it_equals_what_the_events_say(own_store: ContextStore) -> None:
    for number in range(6):
        session = own_store.start(project=f"p{number % 2}")
        for turn in range(10):
            session.message(f"turn {turn}")
            session.model_called(None, "gpt-4o", {"prompt_tokens": 1000 * turn, "completion_tokens": 1})
        session.tool_call("build", {}, call_id="c")
        session.tool_result("c", "built")
    ProjectionRunner(own_store, batch_size=7).catch_up()
    types: Counter[str] = Counter()
    tokens = 0
    for entry in own_store.feed():
        types[entry.type] += 1
        brings, extends = entry.event.effects.brings, entry.event.effects.extends
        tokens += (brings.tokens if brings else 0) + (extends.tokens if extends else 0)
    counted = own_store.activity()
    assert sum((Counter(one.types) for one in counted), Counter()) == types
    assert sum(one.cost_usd for one in counted) == pytest.approx(costs(own_store), abs=1e-4)
    assert sum(one.tokens for one in counted) == tokens


def test_a_login_that_may_only_take_on_the_role_can_run_it(own_store: ContextStore) -> None:
    import psycopg

    from tests.schema.conftest import as_login

    url = own_store._runtime.database.url
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop role if exists mere_member")
        connection.execute("create role mere_member login in role backstory_service")
        connection.execute("alter role mere_member noinherit")
    own_store.start()
    with ContextStore.open(as_login(url, "mere_member")) as store:
        assert ProjectionRunner(store).catch_up()[0].behind == 0
        assert ProjectionRunner(store).rebuild("activity") == 1
        assert store.activity()[0].events == 1


@pytest.mark.parametrize("wrong", [{"since": "2026-11-01"}, {"before": at(1)}, {"project": ""}])
def test_bad_input_is_named(any_store: ContextStore, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        any_store.activity(**wrong)
