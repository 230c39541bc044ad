"""A session, and a fork of it, in which every table and every column has something to tamper with."""

from datetime import UTC, datetime

from backstory.application.session import Session
from backstory.application.store import ContextStore

LONG = "All work and no play makes Jack a dull boy. " * 40
LONGER = "The quick brown fox jumps over the lazy dog. " * 60


def write_session(store: ContextStore) -> Session:
    """Two windows that count differently, shared contents, an erasure, keys, abandoned branches and one that was
    redone."""
    session = store.start(title="Rich", tags=["audit", "demo"], project="P", limit=50_000)
    planner = session.by("planner")
    session.details.join("planner", version="2", mode="plan", capabilities=["read"])
    session.window.configure("review", limit=4000, encoding="cl100k_base", model="m-1")
    hello = session.message("hello")
    both = session.message("both see this", windows=("main", "review"), references=[hello])
    session.once("first").message(LONG)
    long = session.once("second").message(LONG, role="agent")
    planner.message(LONG, role="agent", task="T-1")
    planner.items.save(
        "code", LONG.encode() + b"\0", media_type="text/x-python", windows=("review",), path="a.py"
    )
    planner.items.save(
        "note", b'{"a": 1}', media_type="application/json", task="T-1", references=[hello, both]
    )
    short = session.message("my number is 1234")
    session.tool_call("grep", {"q": "x"}, call_id="c1")
    session.tool_result("c1", "found it")
    session.message(LONGER)
    session.message(LONGER, role="agent")
    session.message(LONGER, role="system")
    session.checkpoints.create("before the decision")
    decision = (
        session.occurred(datetime(2026, 5, 1, tzinfo=UTC))
        .caused_by(hello)
        .decide(
            "use RS256", rationale="keys are distributed", alternatives_rejected=["HS256"], impact=["auth"]
        )
    )
    goal = session.work.set_goal("be useful")
    session.work.update_goal(goal, text="be very useful", status="in-progress")
    session.work.set_goal("step one", parent=goal)
    question = session.work.ask("which port?")
    constraint = session.work.add_constraint("no downtime")
    error = session.progress.error("boom", name="ValueError")
    session.work.start_task("T-1", "write it", acceptance_criteria=["it runs"])
    session.items.touch(hello, decision)
    session.items.remove(both, window="review")
    session.items.remove(hello, why="noise")
    session.items.bring_back(hello)
    session.items.remove(constraint)
    before = session.checkpoints.create("a good place")
    session.work.answer(question, "5432")
    session.backtrack(before, "another way")
    with session.once("together").atomic() as tx:
        tx.message("one")
        tx.decide("two")
    session.progress.resolve_error(error)
    session.backtrack(decision, "further back")
    session.message("on the branch that is left")
    session.redo("it was better")
    session.message("after the redo", windows=("review", "main"))
    # An access that lifts it above its tier.
    session.items.touch(session.message("almost hot", importance=0.79))
    session.erase(short, "asked to")
    session.erase(long, "asked to")
    session.once("last").details.rename("Richer")
    return session


def write_fork(session: Session) -> Session:
    """A fork that goes on with what it inherited, and backtracks both into itself and into its parent."""
    fork = session.fork(at=session.version - 2, title="Fork", why="to compare")
    fork.window.configure("review", limit=8000, encoding="cl100k_base", model="m-2")
    first = fork.once("in the fork").message("in the fork", windows=("main", "review"))
    fork.items.touch(first)
    fork.message(LONG)
    fork.by("critic").message(LONG)
    fork.checkpoints.create("fork's own")
    fork.items.remove(first)
    fork.backtrack(16, "before the fork began")
    fork.message("on the parent's old branch")
    fork.backtrack(first, "back to the fork's own")
    fork.decide("keep it")
    fork.checkpoints.create("decided")
    fork.once("the end").message("the end")
    return fork
