"""Names alone are those that all entities hold."""

from hypothesis import given, strategies as st

from backstory.domain.entities.entities import extract, extract_names
from tests.properties import examples

TEXTS = (
    "The parser in src/parser.py raises ParseError in read_header(); see https://example.org/docs.",
    "```python\ndef read_header():\n    raise ValueError\n```\nwas slow on Postgres for class HeaderReader.",
    "Event sourcing keeps the history. Ask @maria about config/settings.toml.",
)


@examples(8)
@given(st.lists(st.sampled_from(TEXTS) | st.text(max_size=80), max_size=6).map("\n".join))
def test_they_are_what_is_found_but_for_concepts(text: str) -> None:
    assert extract_names(text) == tuple(one for one in extract(text) if one.kind != "concept")
