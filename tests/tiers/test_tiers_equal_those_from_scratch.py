"""The law of tiers: after an update for a moment, they are what the scores give at it, whatever happened before, in a
window and out of every one."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from backstory.application.queries.read_models import item_of
from backstory.domain.policies.tiers import due_of, tier_policy_of
from backstory.domain.values import microseconds
from backstory.infrastructure.postgres.queries import query
from tests.properties import examples
from tests.replay.histories import World, a_store, histories

MOMENTS = st.integers(-(10**6), 10**8).map(
    lambda seconds: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)


@examples(8)
@given(history=histories(25), moments=st.lists(MOMENTS, min_size=1, max_size=4))
def test_after_an_update_every_tier_is_right(store, history, moments):
    world = World(a_store(store))
    world.tell(history)
    for at in moments:
        for told in world.told:
            session = told.session
            session.tiers.update(at)
            tiers_are_right(session, at)
            assert session.tiers.update(at).moves == ()
    for told in world.told:
        assert told.session.verify().problem is None


def tiers_are_right(session, at):
    state = session.state
    policy = tier_policy_of(state.labels)
    rows = session._runtime.database.read(lambda c: c.execute(query("items"), (session.id,)).fetchall())
    if state.status == "open":
        wrong = [
            item
            for item in map(item_of, rows)
            if item.tier
            != policy.tier(policy.score(item.importance, item.accesses, item.touched, microseconds(at)))
        ]
        assert wrong == []
    assert [row[-2:] for row in rows] == [due_of(item_of(row), state.labels) for row in rows]
