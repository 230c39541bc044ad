"""Sessions become memory by themselves: at their end and after every hundred messages, by the project's policy."""

import pytest

from backstory import ContextStore, InvalidInput, MemoryPolicy, Project
from backstory.application.archive.due import archive_due
from backstory.application.jobs.jobs import JOBS
from tests.archive.conftest import Talk

SAID = [f"Container {n} goes to stack {n % 9}." for n in range(8)]


def by_a_worker(store: ContextStore, mark: str | None = None) -> str | None:
    _, mark = archive_due(store._runtime, mark, lambda: None, lambda: False)
    return mark


def test_at_its_end(talk: Talk, project: Project) -> None:
    session = talk(*SAID)
    session.decide("Heavy containers go to the bottom")
    session.decide("Stack 9 stays empty")
    session.end()
    kinds = sorted(one.kind for one in project.memories().memories)
    assert kinds == ["decision", "decision", "fragment"]
    (fragment,) = project.memories(kinds=["fragment"]).memories
    assert "Stack 9 stays empty" in (fragment.text or "")


def test_small_talk_becomes_no_fragment(talk: Talk, project: Project) -> None:
    session = talk("Good morning!", "Good morning, how can I help?")
    verdict = session.memory.should_archive()
    assert (verdict.worth, verdict.messages, verdict.decisions) == (False, 2, 0)
    session.end()
    assert project.memories().memories == ()
    assert session.memory.archive().parts == 0


def test_after_every_hundred_messages_by_a_worker(own_store: ContextStore) -> None:
    project = own_store.project("harbour")
    project.choose(MemoryPolicy(archive_every=10, least_important=0))
    session = own_store.start(project="harbour")
    for number in range(9):
        session.message(f"Barge {number} carries coal to pier {number}.")
    mark = by_a_worker(own_store)
    assert project.memories().memories == ()
    session.message("Barge 9 carries sand to pier 9.")
    mark = by_a_worker(own_store, mark)
    assert len(project.memories().memories) == 1
    by_a_worker(own_store, by_a_worker(own_store, mark))
    assert len(project.memories().memories) == 1


def test_a_worker_does_what_an_end_left_undone(own_store: ContextStore) -> None:
    session = own_store.start(project="harbour")
    for text in SAID:
        session.message(text)
    session.decide("Heavy containers go to the bottom")
    session.decide("Stack 9 stays empty")
    with session.atomic() as tx:
        tx.end()
    by_a_worker(own_store)
    assert len(own_store.project("harbour").memories(kinds=["fragment"]).memories) == 1
    assert "memory" in [job.name for job in JOBS]


def test_a_project_may_choose_that_it_is_not_done(talk: Talk, project: Project) -> None:
    project.choose(MemoryPolicy(name="by hand", automatic=False))
    assert project.policy.name == "by hand"
    session = talk(*SAID)
    session.decide("Heavy containers go to the bottom")
    session.decide("Stack 9 stays empty")
    session.end()
    assert project.memories().memories == ()


def test_the_memories_name_the_policy(talk: Talk, project: Project) -> None:
    project.choose(MemoryPolicy(name="keen", version=3, least_important=0, least_messages=1))
    talk("The harbour master is called Ines.").end()
    (event,) = project.events(types=["memory.recorded"])
    assert event.body.policy == "keen/3"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("field", "value"), [("archive_every", 0), ("automatic", "no"), ("most_noticed", -1), ("notice", 1)]
)
def test_a_bad_policy_is_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=f"policy.{field}"):
        MemoryPolicy(**{field: value})  # type: ignore[arg-type]


def test_all_sessions_of_a_project_in_one_call(talk: Talk, project: Project) -> None:
    talk("The tug is called Otter.")
    talk("The pilot lives on the hill.")
    assert len(project.archive()) == 2
    assert project.archive() == []
