"""The law of tiers: after an update for a moment, they are what the scores give at it, whatever happened before."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

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
    if state.status == "open":
        wrong = [
            item
            for item in state.items.values()
            if item.tier
            != policy.tier(policy.score(item.importance, item.accesses, item.touched, microseconds(at)))
        ]
        assert wrong == []
    rows = session._runtime.database.read(lambda c: c.execute(query("items"), (session.id,)).fetchall())
    for row in rows:
        item = state.items.get(row[0])
        assert row[-2:] == (due_of(item, state.labels) if item is not None else (None, None))
