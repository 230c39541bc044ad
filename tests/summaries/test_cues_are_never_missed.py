"""A cue is looked for only where one of its words stands. No sentence that has it may be passed over."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from backstory.domain.summaries import cues
from backstory.domain.summaries.words import folded_words

CUES: dict[str, tuple[re.Pattern[str], Callable[[str], bool]]] = {
    "done": (cues._DONE, lambda text: cues.done(text, folded_words(text))),
    "failed": (cues._FAILED, lambda text: cues.failed(text, folded_words(text))),
    "planned": (cues._PLANNED, lambda text: cues.planned(text, folded_words(text)) is not None),
    "comes next": (cues._NEXT, cues.comes_next),
}


@pytest.mark.parametrize("name", CUES)
@given(data=st.data())
def test_whatever_the_expression_matches_is_noticed(name: str, data: st.DataObject) -> None:
    expression, notices = CUES[name]
    assert notices(data.draw(st.from_regex(expression)))


@given(st.text(alphabet="aZ1_./(`) 9é", max_size=12))
def test_a_thing_is_named_wherever_it_stands(text: str) -> None:
    spelled_out = re.search(
        r"`[^`]+`|\w+/\w+|\w+\.[a-z]{1,5}\b|\w+_\w+|[a-z]+[A-Z]\w+|\w+\(\)|\b\d+(?:\.\d+)?\b", text
    )
    assert cues.names_a_thing(text) == (spelled_out is not None)
