"""A project is asked what it knew at a time: by what was known then, and by what held then."""

from datetime import UTC, datetime, timedelta

import pytest

from backstory import ContextStore, Project

MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)
TUESDAY, WEDNESDAY, THURSDAY = (MONDAY + timedelta(days=days) for days in (1, 2, 3))


@pytest.fixture
def deploys(project: Project) -> tuple[Project, int, int]:
    fly = project.occurred(MONDAY).remember("we deploy to Fly", key="deploy target")
    hetzner = project.occurred(WEDNESDAY).remember("we deploy to Hetzner", key="deploy target")
    return project, fly, hetzner


def known(project: Project, as_of: datetime | None) -> list[int]:
    found = {one.memory.id for one in project.recall("where do we deploy", as_of=as_of).found}
    assert found == {one.id for one in project.memories(as_of=as_of).memories}
    return sorted(found)


def test_what_was_superseded_later_still_held(deploys: tuple[Project, int, int]) -> None:
    project, fly, hetzner = deploys
    assert known(project, MONDAY - timedelta(hours=1)) == []
    assert known(project, TUESDAY) == [fly]
    assert known(project, THURSDAY) == [hetzner]
    assert known(project, None) == [hetzner]


def test_both_are_read_with_their_times(deploys: tuple[Project, int, int]) -> None:
    project, fly, hetzner = deploys
    old, new = project.history(fly)
    assert (old.id, old.at, old.left_at, old.superseded_by) == (fly, MONDAY, WEDNESDAY, hetzner)
    assert (new.id, new.left_at) == (hetzner, None)
    assert new.recorded_at > WEDNESDAY
    assert project.history(hetzner) == [old, new]


def test_what_was_forgotten_is_known_before_that_and_not_after(project: Project) -> None:
    memory = project.occurred(MONDAY).remember("where we deploy is a secret")
    project.occurred(WEDNESDAY).forget(memory, "it is not")
    assert known(project, TUESDAY) == [memory]
    assert known(project, WEDNESDAY) == []
    assert known(project, None) == []
    assert [one.id for one in project.memories(past=True).memories] == [memory]


def test_a_memory_holds_in_its_time_only(project: Project) -> None:
    frozen = project.occurred(MONDAY).remember(
        "we do not deploy this week", valid_from=TUESDAY, valid_until=THURSDAY
    )
    assert known(project, MONDAY) == []
    assert known(project, WEDNESDAY) == [frozen]
    assert known(project, THURSDAY) == []


def test_it_is_one_call_across_agents_and_sessions(store: ContextStore, project: Project) -> None:
    sessions = [store.start(project=project.name).by(who) for who in ("planner", "coder", "tester")]
    made = [
        session.occurred(MONDAY + timedelta(days=day)).memory.remember(f"we deploy with tool {day}")
        for day, session in enumerate(sessions)
    ]
    assert known(project, TUESDAY) == made[:2]
    assert [one.by for one in project.memories(as_of=THURSDAY).memories] == ["tester", "coder", "planner"]
