"""Nothing of one task, agent or project stands in the context of another."""

from pathlib import Path
from uuid import uuid4

from hypothesis import given, strategies as st

from backstory import ContextStore, create_context_system
from tests.properties import examples
from tests.tasks.conftest import TASK

AGENTS = ("planner", "coder")


def mark(kind: str, *names: object) -> str:
    return f"{kind}zq{'zq'.join(map(str, names))}zq"


@examples(6)
@given(steps=st.lists(st.tuples(st.sampled_from(AGENTS), st.integers(0, 2)), min_size=2, max_size=6))
def test_a_context_has_nothing_of_another(
    store: ContextStore, tmp_path_factory, steps: list[tuple[str, int]]
) -> None:
    root: Path = tmp_path_factory.mktemp("apart")
    (root / "basket.py").write_text("def total():\n    return 0\n")
    name = f"apart-{uuid4().hex[:8]}"
    system = create_context_system(store, {"name": name, "path": str(root)})
    other = create_context_system(store, {"name": f"other-{name}", "path": str(root)})
    store.project(f"other-{name}").remember(f"The basket total of another project {mark('project')}.")
    for agent in AGENTS:
        store.project(name).by(agent).remember(
            f"The basket total, as only I know: {mark('memory', agent)}.", agent=agent
        )
    for agent, number in steps:
        task = {"id": f"T{number}", "name": "Basket total", "description": mark("task", number)}
        context = system.manager.build_fresh_context(task, agent=agent)
        shown = str(context.messages)
        assert mark("task", number) in shown
        assert mark("memory", agent) in shown
        assert mark("project") not in shown
        assert "answerzq" not in shown
        for another in AGENTS:
            assert (mark("memory", another) in shown) == (another == agent)
        for further in range(3):
            assert (mark("task", further) in shown) == (further == number)
        # What is said in the task's session stays there, and out of the next context of the same task.
        store.session(context.session).by(agent).message(f"{mark('answer', agent, number)}", role="agent")
    assert mark("project") in str(other.manager.build_fresh_context(TASK | {"files": []}).messages)


def test_each_task_has_a_session_of_its_own(store: ContextStore, system) -> None:
    first = system.manager.build_fresh_context(TASK, agent="coder")
    second = system.manager.build_fresh_context({**TASK, "id": "task-002"}, agent="coder")
    again = system.manager.build_fresh_context(TASK, agent="coder")
    assert first.session == again.session != second.session
    session = store.session(first.session)
    assert session.state.current_task == "task-001"
    assert session.state.labels["project"] == system.project_config.name


def test_a_call_of_the_model_leads_back_to_what_the_agent_saw(store: ContextStore, system) -> None:
    context = system.manager.build_fresh_context(TASK, agent="coder")
    session = store.session(context.session).by("coder")
    call = session.model_called(context.version, "gpt-5")
    answer = session.caused_by(call).message("I round at the end.", role="agent")
    decision = session.caused_by(answer).decide("Round half up")
    seen = session.saw(decision)
    assert seen.assembly == context.version
    assert seen.reproduction.context.data == context.data
