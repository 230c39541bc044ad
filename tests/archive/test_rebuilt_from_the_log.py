"""A project's memory rebuilt from its log is the memory that was there, whatever happened to it."""

from contextlib import suppress
from uuid import uuid4

from hypothesis import given, settings, strategies as st

from backstory import ContextStore, Project, Session
from backstory.domain.errors import Refused
from backstory.domain.fold.evolve import fold
from backstory.domain.state import ContextState

SAYINGS = (
    "From now on always log the tide in metres.",
    "Never log the tide in metres.",
    "Remember that the gauge reports feet.",
    "Let's use Postgres for the berth plan because it has exclusion constraints.",
    "The ferry is late.",
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ("say", "decide", "archive", "backtrack", "confirm", "dismiss", "forget", "erase", "end")
        ),
        st.integers(0, 50),
    ),
    min_size=3,
    max_size=10,
)


def do(store: ContextStore, project: Project, sessions: list[Session], step: str, number: int) -> None:
    session = sessions[-1]
    if step == "say":
        session.message(SAYINGS[number % len(SAYINGS)])
    elif step == "decide":
        session.decide(f"Berth {number % 3} is for ferries")
    elif step == "archive":
        session.memory.archive()
    elif step == "backtrack" and session.version > 2:
        session.backtrack(1 + number % (session.version - 1), "wrong")
    elif step == "end":
        session.end()
        sessions.append(store.start(project=project.name))
    elif project.version:
        waiting = project.memories(candidates=True).memories
        holding = project.memories().memories
        if step in ("confirm", "dismiss") and waiting:
            getattr(project, step)(waiting[number % len(waiting)].id)
        elif step in ("forget", "erase") and holding:
            memory = holding[number % len(holding)].id
            project.forget(memory) if step == "forget" else project.erase(memory, "asked to")


@settings(max_examples=6, deadline=None)
@given(STEPS)
def test_the_log_gives_the_same(url: str, steps: list[tuple[str, int]]) -> None:
    with ContextStore.open(url) as store:
        project = store.project(f"harbour-{uuid4()}")
        sessions = [store.start(project=project.name)]
        sessions[0].message(SAYINGS[0])
        for step, number in steps:
            with suppress(Refused):
                do(store, project, sessions, step, number)
        sessions[-1].memory.archive()
        folded = fold(None, project.events())
        assert folded is not None
        assert folded.digest() == project.state.digest()
        assert ContextState.decode(folded.encode()).digest() == folded.digest()
        assert project.verify().ok
        # Nothing that holds has been made twice of the same words.
        held = [one.text for one in project.memories().memories if one.kind != "fragment" and one.text]
        assert len(held) == len(set(held))
    with ContextStore.open(url) as fresh:
        again = fresh.project(project.name)
        assert again.state.digest() == folded.digest()
