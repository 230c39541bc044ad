"""The kit itself: it passes what holds, and fails what does not with a message that tells why."""

import subprocess
import sys
from typing import ClassVar

import pytest

from backstory import (
    Change,
    ContentRef,
    ContextState,
    ContextStore,
    Effects,
    EventBody,
    InvalidInput,
    NewItem,
    Refused,
)
from backstory.domain import events as e
from backstory.domain.commands import facts, work
from backstory.domain.log.guards import Decided
from backstory.testing import BEGINNING, SESSION, given, item, part, text

GOAL = e.GoalSet(text=text("ship it"))


class Deployed(EventBody):
    """Something was deployed."""

    type: ClassVar[str] = "kit:deployed"
    service: str
    log: ContentRef


def deploy(state: ContextState, *, service: str, log: ContentRef) -> Change:
    """Deploys, unless an error is open."""
    if state.errors:
        raise Refused("an error is open.")
    brought = NewItem(type="deploy", tokens=log.size, importance=0.6, tier="WARM")
    return Change(Deployed(service=service, log=log), Effects(brings=brought, labels={"deployed": service}))


class TestTypesOfTheUsersOwn:
    def test_a_command_leads_to_an_event(self) -> None:
        outcome = given(GOAL).when(deploy, service="api", log=text("green"))
        outcome.then(Deployed(service="api", log=text("green")))
        outcome.then_state(lambda state: state.items[2].tokens == 5 and state.labels["deployed"] == "api")

    def test_effects_are_compared_where_they_are_given(self) -> None:
        outcome = given().when(deploy, service="api", log=text("green"))
        body = Deployed(service="api", log=text("green"))
        brought = NewItem(type="deploy", tokens=5, importance=0.6, tier="WARM")
        outcome.then((body, Effects(brings=brought, labels={"deployed": "api"})))
        with pytest.raises(AssertionError, match="event 1 is"):
            outcome.then((body, Effects(brings=brought)))

    def test_a_command_refuses(self) -> None:
        history = given(e.ErrorMet(text=text("down")))
        history.when(deploy, service="api", log=text("green")).then_refused(Refused, match="an error is open")

    def test_an_event_stands_for_a_command(self) -> None:
        body = Deployed(service="api", log=text("green"))
        given().when(body).then(body).then_state(lambda state: state.items == {} and state.version == 1)
        brought = Effects(brings=item("deploy", tokens=5))
        given().when(body, effects=brought).then_state(lambda state: state.tokens == 5)
        given().when(Change(body, brought)).then_state(lambda state: state.tokens == 5)

    def test_history_can_have_effects(self) -> None:
        body = Deployed(service="api", log=text("green"))
        assert given((body, Effects(brings=item("deploy", tokens=5)))).state.tokens == 5


class TestCommands:
    def test_one_without_state_gets_none(self) -> None:
        given().when(facts.tag_session, tags=["a"]).then(e.SessionTagged(tags=("a",)))
        given().when(facts.note, e.PhaseChanged, phase="x").then(e.PhaseChanged(phase="x"))

    def test_one_may_return_several_events_or_none(self) -> None:
        outcome = given().when(lambda: [GOAL, e.GoalCompleted(goal=1)])
        outcome.then(GOAL, e.GoalCompleted(goal=1)).then_state(lambda state: state.goals == {})
        given().when(lambda: None).then()

    def test_one_may_return_what_it_decided(self) -> None:
        outcome = given(GOAL).when(lambda state: Decided(work.complete_goal(state, goal=1).change))
        outcome.then(e.GoalCompleted(goal=1))

    def test_all_or_nothing(self) -> None:
        outcome = given(e.SessionEnded()).when(lambda: [e.SessionTagged(tags=("a",)), GOAL])
        outcome.then_refused(Refused)
        assert outcome.changes == ()
        assert outcome.state.version == 1
        assert outcome.state.tags == ()

    def test_the_history_is_not_changed_by_what_is_tried_on_it(self) -> None:
        history = given(GOAL)
        history.when(work.complete_goal, goal=1).then(e.GoalCompleted(goal=1))
        history.when(work.complete_goal, goal=1).then(e.GoalCompleted(goal=1))
        assert list(history.state.goals) == [1]


class TestFailures:
    def test_another_event(self) -> None:
        outcome = given(GOAL).when(work.complete_goal, goal=1)
        with pytest.raises(AssertionError, match=r"event 1 is\n  GoalCompleted\(goal=1"):
            outcome.then(e.GoalCompleted(goal=2))

    def test_another_number_of_events(self) -> None:
        outcome = given(GOAL).when(work.complete_goal, goal=1)
        with pytest.raises(AssertionError, match="recorded 1 events, not 0"):
            outcome.then()

    def test_a_refusal_that_was_not_expected(self) -> None:
        outcome = given().when(work.complete_goal, goal=1)
        with pytest.raises(AssertionError, match="it was refused: UnknownItem"):
            outcome.then(e.GoalCompleted(goal=1))
        with pytest.raises(AssertionError, match="it was refused: UnknownItem"):
            outcome.then_state(lambda state: True)

    def test_a_refusal_that_did_not_come(self) -> None:
        outcome = given(GOAL).when(work.complete_goal, goal=1)
        with pytest.raises(AssertionError, match="it was not refused, and recorded GoalCompleted"):
            outcome.then_refused(Refused)

    def test_another_refusal(self) -> None:
        outcome = given().when(work.complete_goal, goal=1)
        with pytest.raises(AssertionError, match="not with InvalidInput"):
            outcome.then_refused(InvalidInput)
        with pytest.raises(AssertionError, match="'goal 7' is not in 'goal 1"):
            outcome.then_refused(Exception, match="goal 7")

    def test_another_state(self) -> None:
        outcome = given(GOAL).when(work.complete_goal, goal=1)
        with pytest.raises(AssertionError, match="not as expected"):
            outcome.then_state(lambda state: 1 in state.goals)


class TestValues:
    def test_the_same_text_is_the_same_reference(self) -> None:
        assert text("a") == text("a")
        assert text("a") != text("b")
        assert text("a") != text("a", part=1)
        assert text("a").size == 1

    def test_parts_hold_texts(self) -> None:
        assert part("a", part=2).content == text("a", part=2)
        assert part("{}", kind="tool_use", call_id="c", name="n").call_id == "c"

    def test_items_are_as_important_as_their_type(self) -> None:
        assert item("decision", tokens=7) == facts.new_item("decision", tokens=7)

    def test_versions_and_times_are_known(self) -> None:
        state = given(GOAL, GOAL, actor="planner").state
        assert (state.stream, state.version, state.last_actor) == (SESSION, 2, "planner")
        assert (state.recorded_at - BEGINNING).total_seconds() == 2
        assert (state.started_at - BEGINNING).total_seconds() == 1

    def test_an_empty_history_has_an_empty_state(self) -> None:
        assert given().state == ContextState(SESSION)


def test_the_events_of_a_session_give_its_state(store: ContextStore) -> None:
    session = store.start(title="Real")
    session.message("hello")
    goal = session.work.set_goal("be useful")
    session.items.remove(2)
    session.items.bring_back(2)
    session.backtrack(goal, "another way")
    session.by("planner").decide("something")
    for branch in (True, False):
        assert given(*session.events(branch=branch)).state == session.state
    fork = session.fork(at=goal)
    fork.message("in the fork")
    assert given(*fork.events(branch=True)).state == fork.state


def test_no_database_driver_is_loaded() -> None:
    script = "import sys, backstory.testing; print(*{'psycopg', 'eventsourcing'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
