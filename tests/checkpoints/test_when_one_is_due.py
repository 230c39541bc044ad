"""A checkpoint is taken when something calls for it, and says what did."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory import ContextStore, InvalidInput, Session, WindowPolicy

NOON = datetime(2026, 11, 9, 12, tzinfo=UTC)


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start(limit=1000)


def due(session: Session, *, minutes: float = 0, **said: Any) -> tuple[str, ...]:
    """What led to a checkpoint so many minutes after the session began."""
    taken = session.occurred(session.state.started_at + timedelta(minutes=minutes)).checkpoints.create_if_due(
        **said
    )
    return () if taken is None else taken.triggers


def test_nothing_calls_for_one(any_store: Any) -> None:
    session = any_store.start(limit=1000)
    session.message("hello")
    assert session.checkpoints.create_if_due() is None
    assert session.checkpoints.list() == []


def test_the_triggers_are_recorded_and_name_it(session: Session) -> None:
    session.progress.set_phase("build")
    taken = session.checkpoints.create_if_due("major_refactor")
    assert taken is not None
    assert taken.triggers == ("phase_transition", "risky_operation")
    assert [(mark.version, mark.name) for mark in session.checkpoints.list()] == [
        (taken.version, "phase_transition")
    ]


class TestUsage:
    def fill(self, session: Session, to: float) -> None:
        while session.state.tokens < to * 1000:
            session.message("ten words that are here to fill the window up a bit")

    def test_above_80_percent(self, session: Session) -> None:
        self.fill(session, 0.79)
        assert due(session) == ()
        self.fill(session, 0.81)
        assert due(session) == ("context_size_threshold",)

    def test_the_next_call_counts(self, session: Session) -> None:
        self.fill(session, 0.7)
        assert due(session, next_tokens=150) == ("context_size_threshold",)

    def test_once_until_it_has_risen_by_a_step(self, session: Session) -> None:
        self.fill(session, 0.81)
        due(session)
        session.message("hello")
        assert due(session) == ()
        self.fill(session, 0.88)
        assert due(session) == ("context_size_threshold",)

    def test_again_after_it_had_fallen(self, session: Session) -> None:
        self.fill(session, 0.86)
        due(session)
        session.window.prune()
        assert due(session) == ()
        self.fill(session, 0.82)
        assert due(session) == ("context_size_threshold",)

    def test_never_without_a_limit(self, store: ContextStore) -> None:
        session = store.start()
        session.message("hello " * 2000)
        assert due(session) == ()


class TestProgress:
    def test_another_phase(self, session: Session) -> None:
        session.progress.set_phase("build")
        assert due(session) == ("phase_transition",)
        session.progress.set_phase("build")
        assert due(session) == ()
        session.progress.set_phase("test")
        assert due(session) == ("phase_transition",)

    def test_another_layer(self, session: Session) -> None:
        session.progress.set_layer(1)
        assert due(session) == ("layer_transition",)
        session.progress.set_layer(1)
        assert due(session) == ()
        session.progress.set_layer(2)
        assert due(session) == ("layer_transition",)

    def test_every_fifth_task(self, session: Session) -> None:
        found = []
        for number in range(11):
            session.work.start_task(f"T-{number}", "x")
            session.work.complete_task(f"T-{number}")
            if due(session):
                found.append(number + 1)
        assert found == [5, 10]

    def test_a_milestone_that_was_passed_between_two_looks(self, session: Session) -> None:
        for number in range(7):
            session.work.start_task(f"T-{number}", "x")
            session.work.complete_task(f"T-{number}")
        assert due(session) == ("task_milestone",)
        assert due(session) == ()

    def test_before_a_risky_operation(self, session: Session) -> None:
        assert due(session, next_operation="write a test") == ()
        assert due(session, next_operation="large_merge") == ("risky_operation",)
        assert due(session, next_operation="large_merge") == ("risky_operation",)


class TestTime:
    def test_every_30_minutes_of_work(self, session: Session) -> None:
        session.message("hello")
        assert due(session, minutes=29) == ()
        assert due(session, minutes=30) == ("time_interval",)
        session.message("go on")
        assert due(session, minutes=59) == ()
        assert due(session, minutes=60) == ("time_interval",)

    def test_not_for_an_idle_session(self, session: Session) -> None:
        assert due(session, minutes=600) == ()
        session.message("hello")
        assert due(session, minutes=630) == ("time_interval",)
        session.details.rename("as nobody works, this is no work")
        assert due(session, minutes=6000) == ()

    def test_not_for_an_ended_session(self, session: Session) -> None:
        session.message("hello")
        session.progress.set_phase("over")
        session.end()
        assert due(session, minutes=60, next_operation="large_merge") == ()


def test_the_numbers_are_the_sessions_own_policy(session: Session) -> None:
    session.window.choose_policy(
        WindowPolicy(name="careful", risky_operations=("deploy",), checkpoint_tasks=1)
    )
    assert due(session, next_operation="large_merge") == ()
    assert due(session, next_operation="deploy") == ("risky_operation",)
    session.work.start_task("T-1", "x")
    session.work.complete_task("T-1")
    assert due(session) == ("task_milestone",)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"next_operation": ""}, "next_operation"),
        ({"next_tokens": -1}, "next_tokens"),
        ({"policy": 3}, "policy"),
    ],
)
def test_bad_input_is_named(session: Session, said: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}: "):
        session.checkpoints.create_if_due(**said)
