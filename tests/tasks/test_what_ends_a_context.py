"""Contexts that are in use, and what ends them."""

import pytest

from backstory import ContextStore, ContextSystem, InvalidInput, NotFound
from tests.tasks.conftest import TASK

OTHER = {**TASK, "id": "task-002", "name": "Send receipts"}


def in_use(system: ContextSystem) -> set[tuple[str, str | None]]:
    return {(one.task_spec.id, one.agent) for one in system.manager.get_active_contexts().values()}


def test_each_agent_has_its_newest_context_of_a_task(system: ContextSystem) -> None:
    system.manager.build_fresh_context(TASK, agent="coder")
    newest = system.manager.build_fresh_context(TASK, agent="coder")
    system.manager.build_fresh_context(TASK, agent="tester")
    system.manager.build_fresh_context(OTHER, agent="coder")
    active = system.manager.get_active_contexts()
    assert in_use(system) == {("task-001", "coder"), ("task-001", "tester"), ("task-002", "coder")}
    assert active[newest.context_id] == newest


def test_an_agent_s_contexts_are_cleared_and_nobody_else_s(system: ContextSystem) -> None:
    for agent in ("coder", "tester"):
        for task in (TASK, OTHER):
            system.manager.build_fresh_context(task, agent=agent)
    assert system.manager.clear_agent_context("coder") == 2
    assert in_use(system) == {("task-001", "tester"), ("task-002", "tester")}
    assert system.manager.clear_agent_context("coder") == 0


def test_a_task_s_contexts_are_cleared_and_no_other_s(system: ContextSystem) -> None:
    for task in (TASK, OTHER):
        for agent in ("coder", "tester"):
            system.manager.build_fresh_context(task, agent=agent)
    assert system.manager.clear_task_context("task-001") == 2
    assert in_use(system) == {("task-002", "coder"), ("task-002", "tester")}
    assert system.manager.clear_task_context("task-999") == 0


def test_a_cleared_context_can_still_be_read(system: ContextSystem) -> None:
    context = system.manager.build_fresh_context(TASK)
    system.manager.clear_task_context(TASK["id"])
    assert system.manager.get_context(TASK["id"]) == context


def test_an_agent_is_prepared(system: ContextSystem) -> None:
    result = system.integration.prepare_agent_context("agent-001", TASK)
    assert result.success
    assert (result.agent, result.task, result.error) == ("agent-001", "task-001", None)
    assert result.context is not None
    assert result.context.agent == "agent-001"
    assert result.validation is not None
    assert result.validation.valid
    assert list(system.integration.get_agent_contexts()) == ["agent-001"]


def test_what_is_refused_is_told_and_recorded_nowhere(store: ContextStore, system: ContextSystem) -> None:
    result = system.integration.prepare_agent_context("agent-001", TASK, {"max_tokens": 10})
    assert not result.success
    assert "at least 24,000" in str(result.error)
    assert store.project(system.project_config.name).version == 0


def test_a_completed_task_ends_its_contexts(store: ContextStore, system: ContextSystem) -> None:
    context = system.integration.prepare_agent_context("coder", TASK).context
    assert context is not None
    system.integration.on_task_complete("coder", TASK["id"])
    assert in_use(system) == set()
    state = store.session(context.session).state
    assert (state.status, state.completed_tasks) == ("ended", ["task-001"])


def test_a_failed_task_ends_its_contexts_and_says_why(store: ContextStore, system: ContextSystem) -> None:
    context = system.integration.prepare_agent_context("coder", TASK).context
    assert context is not None
    system.integration.on_task_failed("coder", TASK["id"], "the tests do not pass")
    session = store.session(context.session)
    (failed,) = session.events(types=("task.failed",))
    assert session.items.text_at((failed.version, 0)) == "the tests do not pass"
    assert (session.state.status, session.state.current_task) == ("ended", None)
    assert in_use(system) == set()


def test_a_failed_task_can_be_tried_again(store: ContextStore, system: ContextSystem) -> None:
    first = system.integration.prepare_agent_context("coder", TASK).context
    system.integration.on_task_failed("coder", TASK["id"])
    second = system.integration.prepare_agent_context("coder", TASK).context
    assert first is not None
    assert second is not None
    assert first.session == second.session
    assert store.session(second.session).state.current_task == "task-001"
    assert in_use(system) == {("task-001", "coder")}


def test_ending_twice_changes_nothing(store: ContextStore, system: ContextSystem) -> None:
    context = system.integration.prepare_agent_context("coder", TASK).context
    assert context is not None
    system.integration.on_task_complete("coder", TASK["id"])
    version = store.session(context.session).version
    system.integration.on_task_complete("coder", TASK["id"])
    system.integration.on_task_failed("coder", TASK["id"])
    assert store.session(context.session).version == version


def test_a_task_that_nobody_prepared_is_unknown(system: ContextSystem) -> None:
    with pytest.raises(NotFound, match="task-404"):
        system.integration.on_task_complete("coder", "task-404")
    with pytest.raises(NotFound, match="task-404"):
        system.manager.get_context("task-404")


def test_a_task_that_changed_is_started_again(store: ContextStore, system: ContextSystem) -> None:
    context = system.manager.build_fresh_context(TASK)
    system.manager.build_fresh_context(TASK)
    session = store.session(context.session)
    assert len(list(session.events(types=("task.started",)))) == 1
    system.manager.build_fresh_context({**TASK, "description": "Round down."})
    assert len(list(session.events(types=("task.started",)))) == 2
    assert len([one for one in session.state.items.values() if one.type == "task"]) == 1


def test_statistics(system: ContextSystem) -> None:
    empty = system.manager.get_context_stats()
    assert (empty.active, empty.built, empty.mean_tokens, empty.mean_usage) == (0, 0, 0.0, 0.0)
    contexts = [system.manager.build_fresh_context(task, agent="coder") for task in (TASK, OTHER, TASK)]
    system.integration.on_task_complete("coder", TASK["id"])
    system.integration.on_task_failed("coder", OTHER["id"])
    stats = system.manager.get_context_stats()
    assert (stats.active, stats.built, stats.tasks) == (0, 3, 2)
    assert (stats.completed, stats.failed) == (1, 1)
    assert stats.total_tokens == sum(one.token_count for one in contexts)
    assert stats.largest_tokens == max(one.token_count for one in contexts)
    assert sum(stats.tokens_by_part.values()) == stats.total_tokens
    assert 0 < stats.mean_usage < 0.2


@pytest.mark.parametrize(
    ("task", "field"),
    [
        ({}, "id"),
        ({"id": "T"}, "name"),
        ({"id": "", "name": "x"}, "id"),
        ({"id": "T", "name": "x", "files": [7]}, "files.0"),
        ({"id": "T", "name": "x", "files": ["a\0b"]}, "files.0"),
        ({"id": "T", "name": "x", "estimated_time": -1}, "estimated_time"),
        ({"id": "T", "name": "x", "color": "red"}, "color"),
        ("T", "task"),
    ],
)
def test_a_task_that_breaks_a_rule_is_refused(system: ContextSystem, task: object, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        system.manager.build_fresh_context(task)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"max_tokens": -1}, "max_tokens"),
        ({"max_relevant_files": -1}, "max_relevant_files"),
        ({"max_code_results": "many"}, "max_code_results"),
        ({"format": "xml"}, "format"),
        ({"code_search_query": ""}, "code_search_query"),
    ],
)
def test_an_option_that_breaks_a_rule_is_refused(system: ContextSystem, options: dict, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        system.manager.build_fresh_context(TASK, options)
    assert refused.value.field == field
