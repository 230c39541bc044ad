"""Whatever the order of writers, evaluators and crashes: each trigger fires once for a change, each of its actions is
recorded once, and the state is that of a run without any of them in each other's way."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, strategies as st

from backstory import ContextStore, Project, Session
from backstory.application.handle import SessionHandle
from tests.properties import examples

CHANGES = st.one_of(
    st.tuples(st.just("layer"), st.integers(0, 5)),
    st.tuples(st.just("clarity"), st.integers(0, 100)),
    st.tuples(st.just("decide"), st.sampled_from(["high", "low"])),
    st.tuples(st.just("say"), st.just(0)),
)
STEPS = st.lists(
    st.tuples(CHANGES, st.integers(0, 3), st.one_of(st.none(), st.integers(0, 6)), st.booleans()),
    min_size=1,
    max_size=6,
)
"""Changes, each with the evaluators that run at once after it, the append at which they die, and whether they die after
that append instead of before it."""


class Died(BaseException):
    """The process is gone."""


@contextmanager
def _dying(monkeypatch: pytest.MonkeyPatch, at: int | None, *, after: bool) -> Iterator[None]:
    """Lets the appends of triggers die at one of them."""
    append, left = SessionHandle.append, [at]

    def dies(self: SessionHandle, *args: Any, **named: Any) -> Any:
        if left[0] is None or not str(named.get("key")).startswith("trigger/"):
            return append(self, *args, **named)
        left[0] -= 1
        if left[0] >= 0:
            return append(self, *args, **named)
        if after:
            append(self, *args, **named)
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr(SessionHandle, "append", dies)
        yield


def _project(store: ContextStore) -> Project:
    project = store.project(f"any-{uuid4()}")
    project.triggers.set()
    return project


def _do(session: Session, change: tuple[str, Any]) -> None:
    match change:
        case ("layer", layer):
            session.progress.set_layer(layer)
        case ("clarity", clarity):
            session.progress.set_clarity(clarity)
        case ("decide", priority):
            session.decide("Keep six layers", priority=priority)
        case _:
            session.message("The modules are drawn. " * 40)


def _evaluate(
    session: Session, number: int, monkeypatch: pytest.MonkeyPatch, at: int | None, after: bool
) -> None:
    def run() -> None:
        try:
            session.triggers.run()
        except Died:
            return

    with _dying(monkeypatch, at, after=after):
        threads = [threading.Thread(target=run) for _ in range(number)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def _outcome(session: Session) -> tuple[Any, ...]:
    """The state as far as the order of records does not show in it."""
    state = session.state
    status = state.project.status if state.project else None
    texts = sorted(session.text(pin) for pin in state.pins)
    return (state.project_layer, state.clarity, state.decision_count, texts, status, state.message_count)


@examples(15)
@given(steps=STEPS)
def test_each_fires_once_and_the_state_is_that_of_a_sequential_run(
    store: ContextStore, monkeypatch: pytest.MonkeyPatch, steps: list[Any]
) -> None:
    project = _project(store)
    session = store.start(project=project.name, limit=4_000)
    for change, evaluators, dies_at, after in steps:
        _do(session, change)
        _evaluate(session, evaluators, monkeypatch, dies_at, after)
    session.triggers.run()

    history = session.triggers.history()
    assert max(Counter((one.trigger, one.change) for one in history).values(), default=0) <= 1
    fired = {(one.trigger, one.change) for one in history if one.outcome == "fired"}
    would = {(one.trigger, one.change) for one in project.triggers.dry_run(limit=1_000)}
    assert would == fired
    acted = Counter(
        (event.body.fired, event.body.action)  # type: ignore[union-attr]
        for event in session.events(types=["trigger.acted"])
    )
    assert set(acted.values()) <= {1}
    assert all(action.version is not None for one in history for action in one.actions)
    memories = project.memories(kinds=["decision"], limit=100).memories
    assert len(memories) == sum(change == ("decide", "high") for change, *_ in steps)

    other = store.start(project=_project(store).name, limit=4_000)
    for change, *_ in steps:
        _do(other, change)
    other.triggers.run()
    assert _outcome(session)[:4] == _outcome(other)[:4]
    assert session.verify().ok
