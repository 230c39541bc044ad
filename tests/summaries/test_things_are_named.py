"""Names of things in a sentence are found by looking back from the rare characters in them."""

import re

from hypothesis import given, strategies as st

from backstory.domain.summaries import cues


@given(st.text(alphabet="aZ1_./(`) 9é", max_size=12))
def test_a_thing_is_named_wherever_it_stands(text: str) -> None:
    spelled_out = re.search(
        r"`[^`]+`|\w+/\w+|\w+\.[a-z]{1,5}\b|\w+_\w+|[a-z]+[A-Z]\w+|\w+\(\)|\b\d+(?:\.\d+)?\b", text
    )
    assert cues.names_a_thing(text) == (spelled_out is not None)
