"""Triggers fire once for a change, and each of their actions is carried out and recorded once."""

import threading
from pathlib import Path
from typing import Any

import pytest

from backstory import (
    ActionContext,
    ContextStore,
    InvalidInput,
    Outcome,
    Project,
    ProjectionRunner,
    register_action,
)
from backstory.application.triggers.projection import TriggersProjection
from tests.triggers.conftest import Start, Write, done


def _on(condition: str, *actions: str, name: str = "mine") -> dict[str, Any]:
    return {"name": name, "condition": condition, "actions": list(actions)}


class TestTheDocuments:
    def test_a_transition_to_another_layer(self, start: Start) -> None:
        session = start()
        session.artifacts.load("IDEA-001")
        session.progress.set_layer(1)
        session.triggers.run()
        assert set(done(session)["layer_transition"].values()) == {"done"}
        assert [one.artifact for one in session.artifacts.list()] == ["templates-module.md", "MODULE-001"]

    def test_a_jump_of_the_clarity(self, start: Start, project: Project) -> None:
        session = start()
        session.progress.set_clarity(85)
        session.progress.set_clarity(90)
        session.progress.set_clarity(91)
        session.triggers.run()
        (record,) = [one for one in session.triggers.history() if one.trigger == "clarity_significant_change"]
        tracked = next(one for one in record.actions if one.action == "update_progress_tracking")
        assert tracked.detail is not None
        assert (tracked.detail["clarity"], tracked.detail["clarity_change"]) == (85, 85)
        assert project.artifacts.get("IDEA-001").clarity == 85

    def test_a_decision_of_high_priority(self, start: Start, project: Project) -> None:
        session = start()
        decision = session.decide("Keep six layers", rationale="ERP", priority="high", decided_by="Boss")
        session.triggers.run()
        assert decision in session.state.pins
        assert session.state.project is not None
        assert session.state.project.status == "IDEA, clarity 0 %, 1 decisions"
        (memory,) = project.memories(kinds=["decision"]).memories
        assert memory.text == "Keep six layers, because ERP"
        assert [source.items for source in memory.sources] == [(decision,)]

    def test_it_takes_outdated_artifacts_out_of_the_window(self, start: Start, write: Write) -> None:
        session = start()
        session.artifacts.load("IDEA-001")
        session.artifacts.load("MODULE-001")
        write("ideas/IDEA-001/current.md", "# AI tool\n\nAnother one.")
        session.decide("Another tool", priority="high")
        session.triggers.run()
        assert [one.artifact for one in session.artifacts.list()] == ["MODULE-001"]

    @pytest.mark.parametrize(
        "fields", [{"priority": "medium"}, {"priority": "high", "decided_by": "planner"}]
    )
    def test_a_lesser_decision_and_an_agents_own_set_nothing_off(
        self, start: Start, fields: dict[str, Any]
    ) -> None:
        session = start()
        session.details.join("planner")
        session.decide("Use tabs", **fields)
        assert session.triggers.run() == []

    def test_a_window_over_70_percent_fires_when_it_gets_there_and_not_again(self, start: Start) -> None:
        session = start(limit=1_500)
        session.decide("Keep six layers")
        for number in range(30):
            session.message(f"{number}: about the module structure, at some length. " * 6)
        session.triggers.run()
        fired = [one for one in session.triggers.history() if one.trigger == "context_window_threshold"]
        assert len(fired) == 1
        assert {one.action: one.outcome for one in fired[0].actions}["trigger_compaction"] == "done"
        assert session.window.compactions()
        assert [note.id for note in session.state.decisions]

    def test_the_end_of_a_session(self, start: Start, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BACKSTORY_SYNC_DIR", str(root / ".forgemind"))
        session = start()
        session.artifacts.load("IDEA-001")
        session.message("We decided to keep six layers, because ERP systems need them.")
        assert session.command("facilitator end session").ok
        outcomes = done(session)["session_end"]
        assert outcomes["full_sync_all_files"] == outcomes["clear_temporary_data"] == "done"
        assert (root / ".forgemind/context/current-context.json").exists()
        assert session.artifacts.list() == []
        assert session.state.status == "ended"


class TestOnce:
    def test_however_often_and_by_however_many_it_is_run(self, start: Start, project: Project) -> None:
        session = start()
        session.decide("Keep six layers", priority="high")
        session.progress.set_layer(1)

        threads = [threading.Thread(target=session.triggers.run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        session.triggers.run()
        history = session.triggers.history()
        assert sorted(one.trigger for one in history) == ["boss_major_decision", "layer_transition"]
        assert all(action.version is not None for one in history for action in one.actions)
        assert len(list(session.events(types=["trigger.acted"]))) == 8
        assert len(project.memories(kinds=["decision"]).memories) == 1
        assert session.verify().ok

    def test_a_worker_misses_none_and_repeats_none(self, store: ContextStore, start: Start) -> None:
        session = start()
        session.progress.set_layer(1)
        projection = TriggersProjection(store)
        for _ in range(2):
            ProjectionRunner(store, [projection]).catch_up()
        assert [one.trigger for one in session.triggers.history()] == ["layer_transition"]
        assert session.triggers.run() == []

    def test_a_crash_between_firing_and_actions_loses_none(
        self, start: Start, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from backstory.application.triggers import firing

        session = start()
        session.progress.set_layer(1)
        with monkeypatch.context() as patch:
            patch.setattr(firing._Firing, "_act", _dies)
            with pytest.raises(KeyboardInterrupt):
                session.triggers.run()
        (record,) = session.triggers.history()
        assert {one.outcome for one in record.actions} == {"waiting"}
        session.triggers.run()
        (record,) = session.triggers.history()
        assert {one.outcome for one in record.actions} <= {"done", "nothing"}

    def test_every_event_of_an_action_names_the_firing_as_its_cause(self, start: Start) -> None:
        session = start()
        change = session.progress.set_layer(1)
        session.triggers.run()
        events = list(session.events(after=change))
        (fired,) = [event for event in events if event.type == "trigger.fired"]
        assert fired.cause == change
        assert {event.cause for event in events if event.type != "trigger.fired"} == {fired.version}

    def test_what_was_recorded_before_the_trigger_was_set_sets_nothing_off(
        self, start: Start, project: Project
    ) -> None:
        session = start()
        session.progress.set_phase("early")
        project.triggers.set([_on("state.phase != previous_state.phase", "save_context_snapshot")])
        late = session.progress.set_phase("late")
        assert [one.change for one in session.triggers.run()] == [late]

    def test_one_that_is_off_does_not_fire(self, start: Start, project: Project) -> None:
        project.triggers.set([{**_on("current_layer > 0", "save_context_snapshot"), "enabled": False}])
        session = start()
        session.progress.set_layer(1)
        assert session.triggers.run() == []

    def test_a_change_that_was_backtracked_before_anybody_came_to_it_sets_nothing_off(
        self, start: Start
    ) -> None:
        session = start()
        before = session.message("hello")
        session.progress.set_layer(1)
        session.backtrack(before, "a mistake")
        session.triggers.run()
        assert [one.event for one in session.triggers.history()] == ["session.backtracked"]

    def test_a_fork_does_not_fire_again_what_fired_in_its_parent(self, start: Start) -> None:
        session = start()
        session.progress.set_layer(1)
        session.triggers.run()
        fork = session.fork()
        assert fork.triggers.run() == []


class TestOwnActions:
    def test_they_are_called_with_the_change(self, start: Start, project: Project) -> None:
        seen: list[tuple[str, int]] = []

        def note(context: ActionContext) -> Outcome:
            seen.append((context.event.type, context.values["current_layer"]))
            return Outcome("done", {"told": "somebody"})

        register_action("tests:note", note)
        project.triggers.set([_on("current_layer == 2", "tests:note")])
        session = start()
        session.progress.set_layer(2)
        session.triggers.run()
        assert seen == [("layer.changed", 2)]
        (record,) = session.triggers.history()
        assert record.actions[0].detail == {"told": "somebody"}

    def test_one_that_raises_has_failed_and_the_next_is_carried_out(
        self, start: Start, project: Project
    ) -> None:
        def fail(context: ActionContext) -> None:
            raise RuntimeError("the password is hunter2")

        register_action("tests:fail", fail)
        project.triggers.set([_on("current_layer == 2", "tests:fail", "save_context_snapshot")])
        session = start()
        session.progress.set_layer(2)
        session.triggers.run()
        (record,) = session.triggers.history()
        assert [(one.outcome, one.detail) for one in record.actions] == [
            ("failed", {"why": "it raised RuntimeError"}),
            ("done", {"name": "session end"}),
        ]

    def test_one_that_this_process_does_not_know_is_left_to_a_worker(
        self, store: ContextStore, start: Start, project: Project
    ) -> None:
        project.triggers.set([_on("current_layer == 2", "elsewhere:notify")])
        session = start()
        session.progress.set_layer(2)
        (fired,) = session.triggers.run()
        assert [one.outcome for one in fired.actions] == ["waiting"]
        projection = TriggersProjection(store)
        ProjectionRunner(store, [projection]).catch_up()
        (record,) = session.triggers.history()
        assert record.actions[0].outcome == "failed"

    def test_a_loop_is_cut_and_reported(self, start: Start, project: Project) -> None:
        def up(context: ActionContext) -> None:
            context.session.progress.set_clarity((context.state().clarity or 0) + 10)

        register_action("tests:up", up)
        project.triggers.set(
            [
                _on("current_clarity > previous_clarity", "tests:other", name="one"),
                _on("current_layer != previous_layer", "tests:up", name="two"),
            ]
        )

        def other(context: ActionContext) -> None:
            layer = context.state().project_layer or 0
            context.session.progress.set_layer(1 - layer)

        register_action("tests:other", other)
        session = start()
        session.progress.set_clarity(10)
        session.triggers.run()
        outcomes = [(one.trigger, one.outcome) for one in reversed(session.triggers.history())]
        assert outcomes == [("one", "fired"), ("two", "fired"), ("one", "loop")]
        assert (session.state.clarity, session.state.project_layer) == (20, 1)

    def test_a_condition_that_cannot_be_told_of_a_change_is_reported_once(
        self, start: Start, project: Project
    ) -> None:
        project.triggers.set([_on("10 / (state.messages - 1) > 100", "save_context_snapshot")])
        session = start()
        session.message("one")
        session.message("two")
        session.backtrack(session.version - 1, "again")
        session.triggers.run()
        (record,) = session.triggers.history()
        assert record.outcome == "condition"
        assert record.reason is not None
        assert "division by zero" in record.reason

    @pytest.mark.parametrize("name", ["notify", ":x", "a:b:c", ""])
    def test_a_name_without_a_module_is_refused(self, name: str) -> None:
        with pytest.raises(InvalidInput, match="module:name"):
            register_action(name, lambda context: None)


def test_a_dry_run_tells_what_would_have_fired_and_records_nothing(start: Start, project: Project) -> None:
    session = start()
    session.progress.set_layer(1)
    session.decide("Keep six layers", priority="high")
    before = session.version
    found = project.triggers.dry_run()
    assert [(one.event, one.trigger) for one in found] == [
        ("layer.changed", "layer_transition"),
        ("decision.recorded", "boss_major_decision"),
    ]
    other = project.triggers.dry_run([_on("state.decisions > 0", "save_context_snapshot")])
    assert [one.event for one in other] == ["decision.recorded"]
    assert session.version == before


def _dies(self: object, *args: object) -> None:
    raise KeyboardInterrupt
