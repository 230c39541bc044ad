"""What Backstory has put into a prompt is not taken in again as new."""

import pytest

from backstory import ContextStore, Project
from tests.archive.conftest import Talk

FACT = "FYI the gauge of quay 4 reports feet."
RULE = "From now on always log the tide in metres."


@pytest.fixture
def shown(talk: Talk, store: ContextStore, project: Project) -> str:
    """The block of memories in a prompt."""
    talk(f"{FACT} {RULE}").memory.archive()
    prompt = talk("What does the gauge of quay 4 report?").context(4_000, format="markdown").data.decode()
    block = prompt[prompt.index("<memory>") : prompt.index("</memory>") + len("</memory>")]
    assert FACT in block
    return block


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("role", ["user", "agent"])
def test_no_memory_is_made_of_it_or_said_again(
    store: ContextStore, project: Project, shown: str, role: str, *, cut: bool
) -> None:
    known = project.memories(past=True).memories
    session = store.start(project=project.name)
    block = shown.removesuffix("</memory>") if cut else shown
    session.message(f"The crane needs oil.\n\n{block}", role=role)
    made = session.memory.archive()
    assert (made.memories, made.candidates, made.corroborated) == ((), (), ())
    (fragment,) = made.fragments
    assert "feet" not in (project.memory(fragment).text or "")
    assert "metres" not in (project.memory(fragment).text or "")
    assert project.memories(past=True).memories[1:] == known


def test_what_stands_beside_it_is(store: ContextStore, project: Project, shown: str) -> None:
    session = store.start(project=project.name)
    session.message(f"{shown}\n\nFYI the crane of quay 7 lifts nine tons.")
    (memory,) = session.memory.archive().memories
    assert project.memory(memory).text == "FYI the crane of quay 7 lifts nine tons."


def test_no_decision_is_noticed_in_it(store: ContextStore, talk: Talk, project: Project) -> None:
    first = talk("Hello.")
    first.decide("Let's use Postgres for the berth plan because it has exclusion constraints.")
    first.memory.archive()
    prompt = talk("What about the berth plan?").context(4_000, format="markdown").data.decode()
    session = store.start(project=project.name)
    session.message(prompt[prompt.index("<memory>") :])
    session.context(4_000)
    assert session.state.candidates == []
