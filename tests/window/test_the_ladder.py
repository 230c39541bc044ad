"""What the check before a call does as a window fills."""

import pytest

from backstory import ContextStore, WindowPolicy
from backstory.application.session import Session
from backstory.domain.errors import ContextOverflow, InvalidInput
from backstory.domain.events import (
    CheckpointTaken,
    Event,
    ItemsCompacted,
    PrunePlanned,
    ResultsStubbed,
    WindowAlerted,
)
from backstory.domain.log.ranges import from_ranges
from backstory.domain.window.essentials import essential_items
from backstory.domain.window.validation import state_problems
from tests.compact.conversations import a_session, live, talk, use_tools


def _filled_to(session: Session, usage: float) -> None:
    """Sets the limit so that the window is used to this share."""
    session.window.configure(limit=int(session.state.tokens / usage))


def _types(events: tuple[Event, ...]) -> list[type]:
    return [type(event.body) for event in events]


def test_an_empty_window_is_left_alone(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    talk(session, 5)
    version = session.version
    checked = session.before_call()
    assert (checked.zone, checked.actions, checked.events) == ("safe", (), ())
    assert checked.usage == session.state.tokens / 100_000
    assert session.version == version


def test_a_window_without_a_limit_is_left_alone(store: ContextStore) -> None:
    session = store.start()
    talk(session, 5)
    checked = session.before_call(next_tokens=1_000_000)
    assert (checked.limit, checked.zone, checked.usage, checked.events) == (None, "safe", 0.0, ())


def test_from_half_full_old_results_become_stubs_in_steps(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    exchanges = use_tools(session, 4)
    talk(session, 20)
    _filled_to(session, 0.6)
    assert session.before_call().events == ()
    exchanges += use_tools(session, 1, start=4)
    talk(session, 10, start=20)
    _filled_to(session, 0.6)
    checked = session.before_call()
    assert (checked.actions, _types(checked.events)) == (("stubs",), [ResultsStubbed])
    assert set(session.state.stubs) == set(exchanges)
    assert checked.usage < checked.usage_before


def test_the_warning_zone_alerts_and_sums_up_clarifications(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    clarified = [
        session.message(f"I mean file {n}, not the one before it. " * 12, kind="clarification")
        for n in range(4)
    ]
    talk(session, 30)
    _filled_to(session, 0.75)
    checked = session.before_call()
    assert checked.zone_before == "warning"
    assert checked.actions == ("alert", "clarifications")
    assert not live(session) & set(clarified)


def test_from_80_percent_a_checkpoint_comes_before_the_middle_is_summed_up(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    said = talk(session, 40)
    _filled_to(session, 0.82)
    before = live(session)
    checked = session.before_call()
    assert checked.actions == ("checkpoint", "alert", "middle")
    assert _types(checked.events) == [CheckpointTaken, WindowAlerted, ItemsCompacted]
    assert live(session) & set(said) == set(said[-10:])
    assert checked.zone == "safe"
    session.window.undo_compaction()
    assert live(session) == before


def _full_of_code(store: ContextStore, usage: float) -> Session:
    """Nothing in it can be summed up or cooled away."""
    session = a_session(store, limit=1_000_000)
    for number in range(20):
        session.items.save("code", f"def function_{number}(): ...\n" * 20, importance=0.9)
    talk(session, 10)
    _filled_to(session, usage)
    return session


def test_the_danger_zone_plans_a_prune_and_takes_nothing_out(store: ContextStore) -> None:
    session = _full_of_code(store, 0.88)
    before = live(session)
    checked = session.before_call()
    assert checked.zone_before == checked.zone == "danger"
    assert checked.actions == ("checkpoint", "alert", "plan_prune")
    assert live(session) == before
    planned = checked.events[-1].body
    assert isinstance(planned, PrunePlanned)
    assert (planned.trigger, planned.policy) == ("danger", "default")
    limit = session.state.windows["main"].limit
    assert limit is not None
    assert planned.tokens_after <= planned.target == int(limit * 0.70)
    assert session.state.prune_plans == {"main": checked.events[-1].version}
    assert session.before_call().actions == ()


def test_the_plan_is_carried_out_before_the_call_that_would_pass_90_percent(store: ContextStore) -> None:
    session = _full_of_code(store, 0.86)
    plan = session.before_call().events[-1]
    assert isinstance(plan.body, PrunePlanned)
    newer = session.items.save("code", "def newer(): ...\n" * 10, importance=0.9)
    limit = session.state.windows["main"].limit
    assert limit is not None
    checked = session.before_call(next_tokens=int(limit * 0.91) - session.state.tokens)
    assert checked.actions[-1] == "prune"
    pruned = checked.events[-1].body
    assert isinstance(pruned, ItemsCompacted)
    assert pruned.plan == plan.version
    assert set(from_ranges(plan.body.dropped)) <= set(from_ranges(pruned.dropped))
    assert newer in live(session)
    assert checked.usage <= 0.70
    assert essential_items(session.state) <= live(session)
    assert session.state.prune_plans == {}
    session.verify().require()


def test_a_window_that_fills_at_once_is_planned_and_pruned_in_one_check(store: ContextStore) -> None:
    session = _full_of_code(store, 0.92)
    checked = session.before_call()
    assert checked.actions == ("checkpoint", "alert", "plan_prune", "prune")
    assert checked.usage <= 0.70


def test_a_critical_window_is_recovered(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    talk(session, 9)
    long = session.message("word " * 3_000, role="user")
    newest = session.message("And now?", role="user")
    _filled_to(session, 0.97)
    checked = session.before_call()
    assert checked.zone_before == "critical"
    assert checked.actions[-1] == "recover:minimal"
    assert long not in live(session)
    assert newest in live(session)
    assert state_problems(session.state) == []


def test_an_agent_that_only_calls_tools_keeps_what_it_was_asked_for(store: ContextStore) -> None:
    session = store.start(limit=3_000)
    asked = [session.message(f"{number}: mend the signer", role="user") for number in range(5)]
    for number in range(40):
        use_tools(session, 1, words=300 + 40 * (number % 7), start=number)
        assert session.before_call(next_tokens=50).tokens <= 2_950
        assert set(asked[-3:]) <= live(session)
    assert asked[0] not in live(session)
    session.window.configure(limit=1_000)
    assert session.before_call(next_tokens=800).actions[-1].startswith("recover:")
    assert asked[-1] in live(session)


def test_when_nothing_fits_the_error_is_clear_and_the_state_intact(store: ContextStore) -> None:
    session = a_session(store, limit=300)
    talk(session, 3)
    before = live(session)
    with pytest.raises(ContextOverflow) as error:
        session.before_call(next_tokens=10_000)
    assert error.value.needed > 300
    assert live(session) == before


def test_the_next_call_counts(store: ContextStore) -> None:
    session = a_session(store, limit=10_000)
    talk(session, 30)
    used = session.state.tokens
    checked = session.before_call(next_tokens=8_300 - used)
    assert checked.usage_before == pytest.approx(0.83)
    assert "middle" in checked.actions
    assert checked.tokens + checked.next_tokens <= 10_000


def test_a_risky_operation_takes_a_checkpoint(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    talk(session, 2)
    checked = session.before_call(next_operation="major_refactor")
    assert checked.actions == ("checkpoint",)
    assert session.state.last_checkpoint == checked.events[0].version


def test_by_count_similar_messages_are_clustered_and_old_ones_archived(store: ContextStore) -> None:
    policy = WindowPolicy(name="by-count", by_count=True, cluster_every=20, archive_every=50)
    session = a_session(store, limit=1_000_000)
    session.window.choose_policy(policy)
    seen = []
    for number in range(60):
        session.message(
            f"Build {number} failed: the linker found no symbol read_header in libparser, again. " * 2
        )
        checked = session.before_call()
        seen += [(number + 1, action) for action in checked.actions if action in ("cluster", "archive")]
    assert seen == [(20, "cluster"), (40, "cluster"), (50, "archive"), (60, "cluster")]


def test_a_second_check_finds_nothing_to_do(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    talk(session, 40)
    _filled_to(session, 0.82)
    session.before_call()
    version = session.version
    assert session.before_call().events == ()
    assert session.version == version


def test_a_large_next_call_again_finds_nothing_to_do(store: ContextStore) -> None:
    session = a_session(store, limit=10_000)
    talk(session, 10)
    asked = 8_300 - session.state.tokens
    session.before_call(next_tokens=asked)
    version = session.version
    assert session.before_call(next_tokens=asked).actions == ()
    assert session.version == version


def test_a_window_of_ones_own(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    session.window.configure("small", limit=1_000)
    for number in range(40):
        session.message(
            f"{number}: the parser in src/parser.py fails on empty input.", windows=("main", "small")
        )
        checked = session.before_call(window="small")
        assert checked.tokens <= 1_000
    assert session.state.windows["main"].items > 40
    assert state_problems(session.state) == []


@pytest.mark.parametrize(
    ("field", "asked"),
    [
        ("next_tokens", {"next_tokens": -1}),
        ("next_operation", {"next_operation": ""}),
        ("window", {"window": "nowhere"}),
        ("policy", {"policy": 7}),
    ],
)
def test_what_is_wrong_is_named(store: ContextStore, field: str, asked: dict[str, object]) -> None:
    session = a_session(store)
    version = session.version
    with pytest.raises(InvalidInput) as error:
        session.before_call(**asked)  # type: ignore[arg-type]
    assert error.value.field == field
    assert session.version == version
