"""What may not have been meant waits to be confirmed or dismissed, and is neither recalled nor shown until then."""

import pytest

from backstory import ItemNotLive, Project, UnknownItem
from tests.archive.conftest import Talk

SAID = "Let's use Postgres for the berth plan because it has exclusion constraints."


def waiting(talk: Talk, project: Project) -> int:
    (memory,) = talk(SAID).memory.archive().candidates
    return memory


def test_it_is_listed_on_request_and_not_recalled(talk: Talk, project: Project) -> None:
    memory = waiting(talk, project)
    (candidate,) = project.memories(candidates=True).memories
    assert (candidate.id, candidate.kind, candidate.candidate) == (memory, "decision", True)
    assert candidate.text == "use Postgres for the berth plan (because it has exclusion constraints)"
    assert memory not in [one.memory.id for one in project.recall("Postgres berth plan").found]
    assert memory not in [one.id for one in project.memories(past=True).memories]
    session = talk("Which database has the berth plan?")
    assert b"exclusion constraints)" not in session.context(4000).data


def test_confirmed_it_is_a_memory_from_then_on(talk: Talk, project: Project) -> None:
    memory = waiting(talk, project)
    before = project.memory(memory).recorded_at
    project.confirm(memory)
    assert memory in [one.memory.id for one in project.recall("Postgres berth plan").found]
    assert memory not in [one.id for one in project.memories(as_of=before).memories]
    with pytest.raises(ItemNotLive):
        project.confirm(memory)


def test_dismissed_it_is_not_noticed_again(talk: Talk, project: Project) -> None:
    project.dismiss(waiting(talk, project), "it was an example")
    assert project.memories(candidates=True).memories == ()
    again = talk("Hello").fork()
    assert again.memory.archive().candidates == ()


def test_what_was_dismissed_may_be_said_anew(talk: Talk, project: Project) -> None:
    project.dismiss(waiting(talk, project))
    assert len(talk(SAID).memory.archive().candidates) == 1


def test_what_was_forgotten_is_not_made_again_of_what_was_said_before(talk: Talk, project: Project) -> None:
    old = talk("From now on always log the tide in metres.")
    (memory,) = talk("From now on always log the tide in metres.").memory.archive().memories
    project.forget(memory, "we use feet now")
    made = old.memory.archive()
    assert (made.memories, made.candidates) == ((), ())


def test_what_does_not_exist_is_not_confirmed(talk: Talk, project: Project) -> None:
    with pytest.raises(UnknownItem):
        project.confirm(99)


def test_chat_commands_confirm_and_dismiss(talk: Talk, project: Project) -> None:
    first = waiting(talk, project)
    session = talk("Let's use Redis for the tide cache because it is fast.")
    (second,) = session.memory.archive().candidates
    shown = session.command("/memory_candidates")
    assert [row["memory"] for row in shown.data["memories"]] == [second, first]
    assert session.command(f"/confirm_memory M{first}").ok
    assert session.command(f"/dismiss_memory M{second} because it is too small").ok
    assert not session.command("/confirm_memory soon").ok
    assert session.command(f"/forget {first} because we moved").ok
    assert project.memory(first).left_at is not None
