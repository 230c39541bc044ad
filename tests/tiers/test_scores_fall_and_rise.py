"""The closed form: when a score crosses a threshold is known beforehand, in Python and in SQL alike."""

import math
from datetime import UTC, datetime

import psycopg
import pytest
from hypothesis import given, strategies as st
from psycopg.types.json import Jsonb

from backstory.domain.errors import InvalidInput
from backstory.domain.policies.tiers import (
    ALWAYS,
    DEFAULT_TIERS,
    TIER_LABEL,
    TieredItem,
    TierPolicy,
    tier_policy_of,
)
from backstory.domain.values import Tier, from_microseconds, microseconds
from tests.properties import examples

NOON = microseconds(datetime(2026, 11, 9, 12, tzinfo=UTC))
HOUR = 3_600_000_000

policies = st.builds(
    lambda warm, above, tau, weight: TierPolicy(
        "p", 1, min(1.0, warm + above * (1 - warm)), warm, tau, weight
    ),
    st.floats(0.01, 0.9),
    st.floats(0.05, 1.0),
    st.floats(0.001, 100_000),
    st.floats(0, 1),
)
shares = st.floats(0, 1)
moments = st.integers(
    microseconds(datetime(1, 1, 2, tzinfo=UTC)), microseconds(datetime(9990, 1, 1, tzinfo=UTC))
)


def test_an_item_that_was_never_read_is_worth_its_importance():
    assert DEFAULT_TIERS.score(0.9, 0, NOON, NOON) == 0.9


def test_a_score_falls_to_a_third_in_tau_and_an_access_lifts_it():
    later = NOON + 48 * HOUR
    assert DEFAULT_TIERS.score(0.9, 0, NOON, later) == pytest.approx(0.9 / math.e)
    assert DEFAULT_TIERS.score(0.5, 9, later, later) == pytest.approx(0.5 * (1 + math.log(10) / 10))


def test_a_score_is_at_most_one_and_nothing_ages_before_its_last_access():
    assert DEFAULT_TIERS.score(1.0, 1000, NOON, NOON - HOUR) == 1.0


def test_thresholds_belong_to_the_tier_above():
    assert [DEFAULT_TIERS.tier(score) for score in (0.8, 0.79, 0.4, 0.39)] == ["HOT", "WARM", "WARM", "COLD"]


@examples(25)
@given(
    policy=policies,
    importance=shares,
    accesses=st.integers(0, 10**6),
    touched=moments,
    tier=st.sampled_from(list(Tier)),
    age=st.integers(-(10**15), 10**16),
)
def test_whatever_is_in_the_wrong_tier_is_due(policy, importance, accesses, touched, tier, age):
    at = touched + age
    due = policy.due(importance, accesses, touched, tier)
    minute = at // 60_000_000
    is_due = (due.cools_from is not None and due.cools_from <= minute) or (
        due.warms_until is not None and due.warms_until >= minute
    )
    if policy.moves([TieredItem(1, importance, accesses, touched, tier)], at):
        assert is_due or minute > 2**31 - 1


@examples(25)
@given(
    policy=st.one_of(st.none(), policies),
    importance=shares,
    accesses=st.integers(0, 10**6),
    touched=moments,
    tier=st.sampled_from(list(Tier)),
)
def test_sql_and_python_say_the_same(url, policy, importance, accesses, touched, tier):
    labels = {"status": "open"} | ({TIER_LABEL: policy.as_label()} if policy else {})
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "select backstory.cools_from(l, i, a, t, r), backstory.warms_until(l, i, a, t, r) "
            "from (values (%s::jsonb, %s::float8, %s::integer, %s::timestamptz, %s::text)) v (l, i, a, t, r)",
            (Jsonb(labels), importance, accesses, from_microseconds(touched), tier),
        ).fetchone()
    assert found == tier_policy_of(labels).due(importance, accesses, touched, tier)


def test_the_default_policy_is_the_same_in_sql(url):
    with psycopg.connect(url) as connection:
        assert connection.execute("select backstory.tier_policy('{}')").fetchone() == (
            DEFAULT_TIERS.as_label(),
        )


def test_nothing_is_due_in_an_ended_session(url):
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "select backstory.cools_from(l, 1, 0, now(), 'HOT'), backstory.warms_until(l, 1, 0, now(), 'COLD') "
            """from (values ('{"status": "ended"}'::jsonb)) v (l)"""
        ).fetchone()
    assert found == (None, None)


def test_a_tier_that_was_never_deserved_is_always_due():
    assert DEFAULT_TIERS.due(0.1, 0, NOON, "HOT").cools_from == ALWAYS
    assert DEFAULT_TIERS.due(0.0, 0, NOON, "COLD") == (None, None)


def test_what_differs_from_the_defaults_is_told():
    assert DEFAULT_TIERS.settings() == {}
    assert TierPolicy(name="quick", tau_hours=1.0).settings() == {"tau_hours": 1.0}


@pytest.mark.parametrize(
    ("field", "numbers"),
    [
        ("policy.warm", {"warm": 0.9}),
        ("policy.warm", {"warm": 0.0}),
        ("policy.warm", {"hot": 1.1}),
        ("policy.hot", {"hot": float("nan")}),
        ("policy.tau_hours", {"tau_hours": 0}),
        ("policy.tau_hours", {"tau_hours": float("inf")}),
        ("policy.boost_weight", {"boost_weight": -0.1}),
        ("policy.version", {"version": 0}),
        ("policy.name", {"name": ""}),
    ],
)
def test_numbers_that_make_no_sense_are_refused(field, numbers):
    with pytest.raises(InvalidInput) as refused:
        TierPolicy(**numbers)
    assert refused.value.field == field


def test_an_important_item_cools_after_the_hours_that_the_formula_says():
    cools = DEFAULT_TIERS.due(1.0, 0, NOON, "HOT").cools_from
    assert cools == math.floor((NOON / 1e6 + 48 * 3600 * math.log(1 / 0.8) - 1) / 60)
