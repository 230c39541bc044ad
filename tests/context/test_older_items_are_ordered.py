"""Older items come by importance, which falls with time and rises with accesses."""

import math

from hypothesis import given, strategies as st

from backstory.domain.context.older import HOUR, by_importance
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY
from backstory.domain.records import MAIN, Item

NOW = 1_800_000_000_000_000
touches = st.tuples(
    st.integers(NOW - 500 * HOUR, NOW + HOUR), st.sampled_from((0.3, 0.5, 0.7, 1.0)), st.integers(0, 5)
)


def item(number: int, touched: int, importance: float, accesses: int) -> Item:
    return Item(
        id=number,
        type="message",
        tokens=1,
        importance=importance,
        tier="WARM",
        windows=MAIN,
        brought=touched,
        touched=touched,
        accesses=accesses,
        changed=number,
        versions=(number,),
        role="user",
        agent=None,
        private=False,
        task=None,
        references=(),
        encoding=None,
        recounts=None,
    )


@given(st.lists(touches, max_size=30))
def test_the_order_is_that_of_the_formula(drawn: list[tuple[int, float, int]]) -> None:
    found = [item(number, *one) for number, one in enumerate(drawn, 1)]
    tau = DEFAULT_ASSEMBLY.tau_hours * HOUR

    def score(one: Item) -> float:
        boost = 1 + math.log1p(one.accesses) / 10
        return one.importance * boost * math.exp(min(0, one.touched - NOW) / tau)

    assert by_importance(found, NOW, DEFAULT_ASSEMBLY) == sorted(
        found, key=lambda one: (-score(one), -one.id)
    )
