"""Whatever happens in a session, whatever its policy and its summarizer: what a window must hold is there, it is never
over its limit, and all that left it can come back."""

from contextlib import suppress
from typing import Any

from hypothesis import given, strategies as st

from backstory import ContextStore, WindowPolicy
from backstory.application.session import Session
from backstory.domain.errors import BackstoryError, ContextOverflow, Refused, SummaryRefused
from backstory.domain.events import ItemsCompacted
from backstory.domain.window.essentials import replaceable_items
from backstory.domain.window.validation import state_problems
from tests.properties import examples
from tests.window.summarizers import HOSTILE, Hostile, Meddling

LIMIT = 1_500

steps = st.lists(
    st.tuples(
        st.sampled_from(
            (
                *("message", "message", "long", "tool", "tool", "huge", "open"),
                *("decide", "save", "goal", "task", "done", "error", "edit", "sum up"),
            )
        ),
        st.integers(0, 30),
    ),
    min_size=15,
    max_size=60,
)
shares = st.lists(st.floats(0.05, 0.95), min_size=6, max_size=6).map(sorted)


@st.composite
def policies(draw: st.DrawFn) -> WindowPolicy:
    ladder = draw(shares)
    names = ("stubs_from", "warning", "checkpoint_from", "danger", "low_space", "critical")
    numbers: dict[str, Any] = dict(zip(names, ladder, strict=True))
    return WindowPolicy(
        name="drawn",
        **numbers,
        prune_target=draw(st.floats(0.05, 0.7)) * numbers["danger"],
        stub_step=draw(st.integers(1, 6)),
        stub_step_tokens=draw(st.sampled_from([0, 200, 2_000])),
        stub_least_tokens=draw(st.integers(0, 200)),
        stub_results_older_than=draw(st.integers(0, 12)),
        summary_tokens=draw(st.integers(50, 600)),
        summary_share=draw(st.floats(0.01, 0.5)),
        compact_least=draw(st.floats(0.001, 0.3)),
        by_count=draw(st.booleans()),
        cluster_every=draw(st.integers(2, 20)),
        cluster_size=draw(st.integers(2, 5)),
        archive_every=draw(st.integers(5, 40)),
    )


def _happen(session: Session, kind: str, number: int) -> None:
    match kind:
        case "message":
            session.message(
                f"{number}: the parser in src/parser.py fails on empty input",
                role=("user", "agent")[number % 2],
            )
        case "long":
            session.message(f"{number}: read_header() is slow. " * (number + 5), role="user")
        case "tool":
            call = f"call-{session.version}"
            session.tool_call("read_file", {"path": f"src/{number}.py"}, call_id=call)
            session.tool_result(call, "a line of code\n" * (5 * number + 1))
        case "huge":
            call = f"call-{session.version}"
            session.tool_call("read_file", {"path": f"logs/{number}.log"}, call_id=call)
            session.tool_result(call, "verify_token failed in core/signer.py\n" * (20 * number + 100))
        case "open":
            session.tool_call("wait", {}, call_id=f"open-{session.version}")
            state = session.state
            # A meddling summarizer may have taken a call out by hand: that one cannot be answered any more.
            waiting = [call for call, item in state.open_calls.items() if item in state.items]
            if len(waiting) > 2:
                session.tool_result(waiting[0], "answered later")
        case "decide":
            session.decide(f"Decision {number}: keep the buffer")
        case "save":
            session.items.save(
                "code", f"def function_{number}(): ...\n" * (number + 1), importance=number / 30
            )
        case "error":
            session.progress.error(f"ValueError {number}", importance=number / 30)
        case "edit":
            session.items.save("code", "x = 1\n" * (number + 1), path=f"{number % 3}.py", importance=0.2)
            session.progress.focus([f"{number % 3}.py"], last_edited=f"{number % 3}.py")
        case "sum up" if session.state.message_count:
            # A call without a word has nothing to sum up.
            with suppress(SummaryRefused):
                session.summarize()
        case "goal":
            session.work.set_goal(f"Goal {number}")
        case "task":
            session.work.start_task(f"T-{session.version}", f"Task {number}")
        case "done" if session.state.current_task is not None:
            session.work.complete_task(session.state.current_task)


def _must_hold(session: Session, minimal: bool, aggressive: bool = False) -> None:
    state = session.state
    live = {item.id for item in state.live()}
    assert state_problems(state) == []
    assert state.system_prompt in live
    assert {note.id for note in state.decisions[-3:]} <= live
    if state.current_task is not None and not aggressive:
        assert state.tasks[state.current_task].item in live
    if not minimal:
        assert replaceable_items(state) <= live
        said = [item.id for item in session.items.list() if item.type in ("message", "tool_exchange")]
        assert set(said[-10:]) <= live
    # A tool call and its result: together or not at all.
    messages: list[Any] = session.messages(format="openai")
    called = {call["id"] for message in messages for call in message.get("tool_calls", ())}
    answered = {message["tool_call_id"] for message in messages if message["role"] == "tool"}
    assert answered == called - set(state.open_calls)


@examples(2)
@given(
    steps=steps,
    policy=policies(),
    hostile=st.sampled_from(sorted(HOSTILE)),
    meddles=st.none() | st.integers(0, 40),
)
def test_whatever_the_policy_and_the_summarizer(
    store: ContextStore, steps: list[tuple[str, int]], policy: WindowPolicy, hostile: str, meddles: int | None
) -> None:
    session = store.start(limit=LIMIT)
    session.set_system_prompt("You are a careful engineer.")
    session.window.choose_policy(policy)
    summarizer: Any = (
        Hostile(HOSTILE[hostile]) if meddles is None else Meddling(store.session(session.id), meddles)
    )
    minimal, aggressive = meddles is not None, False
    for kind, number in steps:
        _happen(session, kind, number)
        before = session.state
        try:
            checked = session.before_call(next_tokens=number, summarizer=summarizer)
        except ContextOverflow:
            # Only where not even the barest context fits.
            after = session.state
            assert [note.id for note in after.decisions] == [note.id for note in before.decisions]
            _must_hold(session, True, aggressive)
            return
        assert checked.tokens + number <= LIMIT or checked.usage < policy.critical
        assert session.state.tokens + number <= LIMIT
        minimal = minimal or any(action.startswith("recover") for action in checked.actions)
        aggressive = aggressive or "recover:checkpoint" in checked.actions
        if meddles is None or meddles % 4 not in (0, 3):
            _must_hold(session, minimal, aggressive)
    state = session.state
    recorded = [event.version for event in session.events(types=("decision.recorded",), branch=True)]
    assert {note.id for note in state.decisions} >= set(recorded[-50:])
    _everything_comes_back(session)


def _everything_comes_back(session: Session) -> None:
    """One event for each compaction, the newest first, and all that it took out is in the window again."""
    while session.state.compactions:
        newest = session.state.compactions[-1]
        (event,) = session.events(after=newest - 1, upto=newest)
        assert isinstance(event.body, ItemsCompacted)
        taken = {item for removal in event.effects.removes for item in removal.items}
        try:
            session.window.undo_compaction()
        except Refused:
            # Its summary was taken out by hand: that is taken back by hand, too.
            session.items.bring_back(newest)
            session.window.undo_compaction()
        assert taken <= {item.id for item in session.state.live()}
    assert state_problems(session.state) == []


def test_a_meddling_summarizer_cannot_make_a_compaction_lose_anything(store: ContextStore) -> None:
    for number in range(8):
        session = store.start(limit=LIMIT)
        for place in range(30):
            session.message(f"{place}: the parser in src/parser.py fails on empty input")
        pinned_or_gone = Meddling(store.session(session.id), number)
        with suppress(BackstoryError):
            session.window.compact("preserve_summarize_discard", threshold=0, summarizer=pinned_or_gone)
        assert state_problems(session.state) == []
        assert set(session.state.pins) <= {item.id for item in session.state.live()}
