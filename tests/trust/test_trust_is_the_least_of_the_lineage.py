"""Whatever is made from what, nothing is trusted further than the least trusted thing it was made from."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from hypothesis import given, strategies as st

from backstory import ContextStore, Session
from backstory.domain.errors import SummaryRefused
from backstory.domain.events import SummaryMade
from backstory.domain.trust import ORIGINS, TRUST_OF_ORIGIN
from tests.properties import examples

STEPS = st.lists(
    st.tuples(
        st.sampled_from(("said", "saved", "compacted", "answered", "summarized")),
        st.sampled_from(ORIGINS),
        st.integers(0, 40),
        st.integers(1, 4),
    ),
    min_size=1,
    max_size=14,
)


@given(steps=STEPS)
@examples(20)
def test_along_any_lineage(store: ContextStore, steps: list[tuple[str, Any, int, int]]) -> None:
    session = store.start()
    made: dict[int, int] = {}
    """The trust of each item, worked out from what the test has done."""
    for number, (step, origin, some, many) in enumerate(steps):
        _take(session, made, step, origin, some, many, number)
    rows = {item.id: item for item in session.items.list()}
    assert {item: row.trust for item, row in rows.items()} == made
    for item in session.state.items.values():
        assert (item.origin, item.trust) == (rows[item.id].origin, rows[item.id].trust)
    assert session.verify().ok


def _take(
    session: Session, made: dict[int, int], step: str, origin: Any, some: int, many: int, number: int
) -> None:
    said = session.of_origin(origin)
    own = int(TRUST_OF_ORIGIN[origin])
    live = [item.id for item in session.state.live()]
    if step == "said":
        made[said.message(f"The parser fails on line {number} of the orders.")] = own
    elif step == "saved":
        sources = _some(list(made), some, many)
        item = said.items.save("note", f"note {number}", references=sources)
        made[item] = own if origin == "user" else min([own, *(made[source] for source in sources)])
    elif step == "compacted" and live:
        gone = _some(live, some, many)
        item = said.window.compacted("in short", summarized=gone, algorithm="by hand")
        made[item] = min([own, *(made[source] for source in gone)])
    elif step == "answered":
        item = session.tool_call("look", {}, call_id=f"c{number}")
        said.tool_result(f"c{number}", "found")
        made[item] = min(int(TRUST_OF_ORIGIN["model"]), own)
    elif step == "summarized":
        # A summary builds on the one before it. Where that has left the windows, its trust is not known any more.
        known = {item: made[item] for item in session.state.items}
        with suppress(SummaryRefused):
            if (version := session.summarize()) is not None:
                (body,) = [event.body for event in session.events(after=version - 1, upto=version)]
                assert isinstance(body, SummaryMade)
                sources = [known.get(source, 0) for source in body.derived_from()]
                made[version] = min([int(TRUST_OF_ORIGIN["model"]), *sources])


def _some(items: Sequence[int], first: int, many: int) -> list[int]:
    start = first % max(1, len(items))
    return list(items[start : start + many])
