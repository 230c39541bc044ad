"""Each command on a state, or with a wish, that does not allow it: one named error that says why."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from backstory.domain import events as e
from backstory.domain.commands import facts, items, work
from backstory.domain.effects import Effects, Removal, Resume
from backstory.domain.errors import (
    InvalidInput,
    ItemNotLive,
    ItemsChanged,
    NoLiveCall,
    SessionNotOpen,
    UnknownItem,
    VersionConflict,
)
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.policies.importance import ImportancePolicy
from backstory.testing import SESSION, given, item, part, text
from tests.domain.scenarios import (
    ACTION,
    CALLED,
    CONSTRAINT,
    ERROR,
    GOAL,
    HELLO,
    QUESTION,
    SAVED,
    SCENARIOS,
    SUBGOAL,
    TASK,
)

ON_OPEN_THINGS: list[tuple[Callable[..., Any], str, dict[str, Any], e.EventBody, e.EventBody]] = [
    (work.set_goal, "parent", {"item": item("goal"), "text": text("x")}, GOAL, e.GoalCompleted(goal=1)),
    (work.update_goal, "goal", {"status": "in-progress"}, GOAL, e.GoalCompleted(goal=1)),
    (work.complete_goal, "goal", {}, GOAL, e.GoalCompleted(goal=1)),
    (work.block_action, "action", {"by": None}, ACTION, e.ActionCompleted(action=1)),
    (work.complete_action, "action", {}, ACTION, e.ActionCompleted(action=1)),
    (
        work.answer_question,
        "question",
        {"answer": text("x")},
        QUESTION,
        e.QuestionAnswered(question=1, answer=text("x")),
    ),
    (work.remove_constraint, "constraint", {}, CONSTRAINT, e.ConstraintRemoved(constraint=1)),
    (work.resolve_error, "item", {}, ERROR, e.ErrorResolved(item=1)),
]


@pytest.mark.parametrize(("command", "field", "inputs", "opened", "closed"), ON_OPEN_THINGS)
class TestOnThingsThatAreOpen:
    def test_what_does_not_exist_yet(
        self, command: Any, field: str, inputs: Any, opened: e.EventBody, closed: e.EventBody
    ) -> None:
        outcome = given(opened).when(command, **{field: 9}, **inputs)
        outcome.then_refused(UnknownItem, "9 does not exist: the session is at version 1")

    def test_what_is_closed_already(
        self, command: Any, field: str, inputs: Any, opened: e.EventBody, closed: e.EventBody
    ) -> None:
        given(opened, closed).when(command, **{field: 1}, **inputs).then_refused(ItemNotLive, "1 is not open")

    def test_what_is_something_else(
        self, command: Any, field: str, inputs: Any, opened: e.EventBody, closed: e.EventBody
    ) -> None:
        given(HELLO).when(command, **{field: 1}, **inputs).then_refused(ItemNotLive, "1 is not open")

    @pytest.mark.parametrize("wrong", [0, -1, True, "1", 1.0])
    def test_what_is_no_version(
        self, command: Any, field: str, inputs: Any, opened: e.EventBody, closed: e.EventBody, wrong: Any
    ) -> None:
        outcome = given(opened).when(command, **{field: wrong}, **inputs)
        outcome.then_refused(InvalidInput, "must be a version")


BRINGING = [s for s in SCENARIOS if "brings" in s.expected.verbs and s.command.__module__ == facts.__name__]


@pytest.mark.parametrize("scenario", BRINGING, ids=lambda s: s.command.__name__)
def test_an_ended_session_takes_no_new_items(scenario: Any) -> None:
    outcome = given(*scenario.history, e.SessionEnded()).when(scenario.command, **scenario.inputs)
    outcome.then_refused(SessionNotOpen, "resume it first")


def test_an_ended_session_still_takes_other_facts() -> None:
    given(e.SessionEnded()).when(facts.tag_session, tags=["kept"]).then(e.SessionTagged(tags=("kept",)))


class TestItems:
    @pytest.mark.parametrize("wrong", [[], [0], [True], ["1"]])
    def test_a_removal_names_items(self, wrong: Any) -> None:
        given(HELLO).when(items.remove_items, items=wrong).then_refused(InvalidInput, "items: must")

    def test_a_removal_of_what_does_not_exist(self) -> None:
        given(HELLO).when(items.remove_items, items=[1, 5]).then_refused(UnknownItem, "item 5 does not exist")

    def test_a_removal_of_what_has_left(self) -> None:
        history = given(HELLO, e.ItemsRemoved(items=(1,)))
        history.when(items.remove_items, items=[1]).then_refused(
            ItemNotLive, "item 1 is not live in any window"
        )

    def test_a_removal_from_a_window_that_it_is_not_in(self) -> None:
        outcome = given(HELLO).when(items.remove_items, items=[1], window="side")
        outcome.then_refused(ItemNotLive, "not live in window 'side'")

    def test_a_return_of_what_is_there(self) -> None:
        history = given(HELLO)
        outcome = history.when(items.return_items, rows=[history.state.items[1]])
        outcome.then_refused(ItemNotLive, "already live in window 'main'")

    def test_a_return_of_nothing(self) -> None:
        given(HELLO).when(items.return_items, rows=[]).then_refused(InvalidInput, "at least one item")

    def test_a_deprecation_of_what_has_left(self) -> None:
        history = given(SAVED, e.ItemDeprecated(item=1))
        history.when(items.deprecate_item, item=1).then_refused(ItemNotLive)

    def test_a_deprecation_by_what_does_not_exist(self) -> None:
        given(SAVED).when(items.deprecate_item, item=1, by=7).then_refused(UnknownItem, "item 7")

    def test_a_touch_of_nothing(self) -> None:
        given(HELLO).when(facts.touch_items, items=[], reason="cited").then_refused(
            InvalidInput, "at least one"
        )

    def test_a_touch_of_no_version(self) -> None:
        outcome = given(HELLO).when(facts.touch_items, items=[2**31], reason="cited")
        outcome.then_refused(InvalidInput, "items")

    def test_a_count_in_an_encoding_without_a_name(self) -> None:
        outcome = given(HELLO).when(items.count_tokens, encoding="", tokens={1: 1})
        outcome.then_refused(InvalidInput, "encoding: must not be empty")

    def test_a_backtrack_to_no_version(self) -> None:
        resumes = Resume(stream=SESSION, version=1)
        outcome = given(HELLO).when(items.backtrack, to=0, resumes=resumes, status="open", why=text("x"))
        outcome.then_refused(InvalidInput, "to:")

    def test_a_fork_at_no_version(self) -> None:
        given(HELLO).when(items.fork, parent=SESSION, at=0, why=None, title=None).then_refused(
            InvalidInput, "at:"
        )


class TestTools:
    SAID = {"role": "tool", "parts": (part("found", kind="tool_result", call_id="c1"),)}  # noqa: RUF012

    def test_calls_of_one_message_are_told_apart(self) -> None:
        twice = CALLED.model_copy(update={"calls": ("c1", "c1")})
        given().when(facts.call_tools, twice, item("tool_exchange")).then_refused(
            InvalidInput, "distinct call ids"
        )

    def test_a_call_whose_id_is_still_open(self) -> None:
        outcome = given(CALLED).when(items.open_exchange, body=CALLED, item=item("tool_exchange"))
        outcome.then_refused(InvalidInput, "'c1' is the id of a call that is still open")

    def test_a_result_of_no_call(self) -> None:
        outcome = given(HELLO).when(items.answer_calls, answers=["c1"], tokens=1, said=self.SAID)
        outcome.then_refused(NoLiveCall, "'c1' answers no live call")

    def test_a_second_result(self) -> None:
        answered = e.ToolAnswered(exchange=1, answers=("c1",), **self.SAID)
        outcome = given(CALLED, answered).when(items.answer_calls, answers=["c1"], tokens=1, said=self.SAID)
        outcome.then_refused(NoLiveCall)

    def test_a_result_of_a_call_that_was_removed(self) -> None:
        history = given(CALLED, e.ItemsRemoved(items=(1,)))
        history.when(items.answer_calls, answers=["c1"], tokens=1, said=self.SAID).then_refused(NoLiveCall)

    def test_results_of_calls_of_two_messages(self) -> None:
        other = CALLED.model_copy(update={"calls": ("c2",)})
        outcome = given(CALLED, other).when(
            items.answer_calls, answers=["c1", "c2"], tokens=1, said=self.SAID
        )
        outcome.then_refused(InvalidInput, "calls of one assistant message")


class TestWork:
    def test_an_update_that_changes_nothing(self) -> None:
        given(GOAL).when(work.update_goal, goal=1).then_refused(InvalidInput, "text, priority or status")

    def test_a_status_that_goals_do_not_have(self) -> None:
        given(GOAL).when(work.update_goal, goal=1, status="done").then_refused(InvalidInput, "status")

    def test_a_priority_that_does_not_exist(self) -> None:
        given(GOAL).when(work.update_goal, goal=1, priority="P9").then_refused(InvalidInput, "priority")

    def test_a_task_that_is_not_open(self) -> None:
        given(TASK).when(work.complete_task, task="T-2").then_refused(ItemNotLive, "'T-2' is not open")

    def test_a_task_that_is_done(self) -> None:
        given(TASK, e.TaskCompleted(task="T-1")).when(work.complete_task, task="T-1").then_refused(
            ItemNotLive
        )

    def test_a_subgoal_that_closed_with_its_parent(self) -> None:
        closed = e.GoalCompleted(goal=1, closed=(2,))
        given(GOAL, SUBGOAL, closed).when(work.complete_goal, goal=2).then_refused(ItemNotLive)


BAD_FACTS: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (
        facts.start_session,
        {"title": None, "tags": ["a\nb"], "project": None, "window": None},
        "tags.0: must be printable",
    ),
    (facts.tag_session, {"tags": [""]}, "tags.0: must not be empty"),
    (facts.set_project, {"name": " "}, "name: must not be empty"),
    (facts.join_agent, {"name": "a" * 201}, "name: must have at most 200 characters"),
    (facts.record_decision, {"item": item("decision"), "text": text("x"), "priority": "urgent"}, "priority"),
    (facts.set_goal, {"item": item("goal"), "text": text("x"), "status": "done"}, "status"),
    (facts.add_action, {"item": item("action"), "text": text("x"), "layer": 6}, "layer"),
    (
        facts.add_action,
        {"item": item("action"), "text": text("x"), "estimate_minutes": -1},
        "estimate_minutes",
    ),
    (facts.add_action, {"item": item("action"), "text": text("x"), "due": datetime(2026, 1, 1)}, "due"),  # noqa: DTZ001
    (facts.ask_question, {"item": item("question"), "text": text("x"), "blocks": (0,)}, "blocks.0"),
    (facts.add_constraint, {"item": item("constraint"), "text": None}, "text"),
    (facts.start_task, {"item": item("task"), "task": "", "text": text("x")}, "task"),
    (facts.meet_error, {"item": item("error"), "text": text("x"), "name": "\x00"}, "name"),
    (facts.take_checkpoint, {"name": "", "triggers": ()}, "name"),
    (facts.touch_items, {"items": [1], "reason": ""}, "reason"),
    (facts.configure_window, {"limit": -1, "encoding": None, "model": None}, "limit"),
    (facts.configure_window, {"limit": 2**31, "encoding": None, "model": None}, "limit"),
    (facts.new_item, {"type_": "note", "tokens": -1}, "tokens"),
    (facts.new_item, {"type_": "note", "tokens": 1, "importance": 1.5}, "importance"),
    (facts.new_item, {"type_": "note", "tokens": 1, "importance": float("nan")}, "importance"),
    (facts.new_item, {"type_": "", "tokens": 1}, "type"),
    # Messages as usual are made without the checks of the others.
    (facts.new_item, {"type_": "message", "tokens": -1}, "tokens"),
    (facts.new_item, {"type_": "message", "tokens": True, "windows": ("main", "main")}, "windows"),
    (facts.new_item, {"type_": "message", "tokens": 1, "agent": ""}, "agent"),
    (facts.new_item, {"type_": "message", "tokens": 1, "task": "\0"}, "task"),
    (
        facts.new_item,
        {
            "type_": "tool_exchange",
            "tokens": 1,
            "policy": ImportancePolicy(ranges={"tool_exchange": (2.0, 3.0)}),
        },
        "importance",
    ),
    (facts.assemble_context, {"found": (), "at": 0}, "at"),
    (
        facts.new_item,
        {"type_": "note", "tokens": 1, "windows": ("a", "a")},
        "windows: must name each window once",
    ),
]


@pytest.mark.parametrize(("command", "inputs", "message"), BAD_FACTS)
def test_a_fact_that_breaks_a_rule_names_the_field(
    command: Any, inputs: dict[str, Any], message: str
) -> None:
    given().when(command, **inputs).then_refused(InvalidInput, message)


def test_a_note_with_a_value_out_of_range() -> None:
    given().when(facts.note, e.ClarityChanged, clarity=101).then_refused(InvalidInput, "clarity")


class TestWhatTheAppendRefuses:
    CHANGE = e.Change(
        e.ItemsRemoved(items=(1,)), Effects(removes=(Removal(items=(1,), disposition="removed"),))
    )

    def test_an_expected_version_that_is_past(self) -> None:
        given(HELLO, HELLO).when(lambda: Decided(self.CHANGE, Guard(expected=1))).then_refused(
            VersionConflict
        )

    def test_a_guarded_item_that_changed(self) -> None:
        history = given(GOAL, e.GoalUpdated(goal=1, text=text("other")))
        history.when(lambda: Decided(self.CHANGE, Guard(items=(1,), since=1))).then_refused(ItemsChanged)

    def test_a_guarded_item_that_left(self) -> None:
        history = given(HELLO, e.ItemsRemoved(items=(1,)))
        history.when(lambda: Decided(self.CHANGE, Guard(items=(1,)))).then_refused(ItemsChanged)
