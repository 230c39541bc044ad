"""docs/reference/python.md says what the code says: every public name, with its signature and its docstring."""

from pathlib import Path

import backstory
from scripts.reference_python import PAGE, entries, render

ROOT = Path(__file__).parents[2]
RENDERED = render()


def test_the_page_is_what_the_code_says() -> None:
    assert (ROOT / PAGE).read_text() == RENDERED, "run `make docs`"


def test_every_public_name_has_a_docstring() -> None:
    assert [entry.name for entry in entries() if not entry.doc] == []


def test_every_public_name_is_on_it() -> None:
    names = set(backstory.__all__) - {"__version__"}
    assert {
        name for name in names if f"### {name}\n" not in RENDERED and f"| `{name}` |" not in RENDERED
    } == set()


def test_methods_and_groups_of_a_session_are_on_it() -> None:
    assert "#### Session.message\n" in RENDERED
    assert "### Session.window\n" in RENDERED
    assert "#### window.compact\n" in RENDERED
