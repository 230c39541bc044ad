"""The tutorial in Python, in Python through a service, and with curl records the same."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import backstory
from backstory.application.store import ContextStore
from tests.conftest import skip_or_fail
from tests.docs.test_examples_run import ROOT, blocks
from tests.serving import served

IN_PYTHON = ROOT / "docs" / "tutorial" / "first-session.md"
WITH_CURL = ROOT / "docs" / "tutorial" / "first-session-over-http.md"
OPENED = "store = ContextStore.open()"


def code(page: Path, info: str) -> str:
    return "\n".join(block.text for block in blocks(page) if block.info == info)


def told(store: ContextStore) -> list[tuple[str, str | None]]:
    """The events of the only session."""
    (summary,) = store.sessions()
    session = store.session(summary.id)
    assert summary.title == "Fix the login test"
    assert session.verify().ok
    return [(event.type, event.actor) for event in session.events()]


def run_python(store: ContextStore) -> None:
    written = code(IN_PYTHON, "python")
    assert OPENED in written
    # It closes the store at its end.
    exec(written.replace(OPENED, ""), {"ContextStore": ContextStore, "store": store})


def test_all_three_record_the_same(new_database: Callable[[], str]) -> None:
    if shutil.which("curl") is None:
        skip_or_fail("needs curl")
    one, two, three = (new_database() for _ in range(3))
    run_python(ContextStore.open(one))
    with ContextStore.open(one) as store:
        expected = told(store)
    with ContextStore.open(two) as store, served(store) as address:
        run_python(backstory.connect(address))
        assert told(store) == expected
    with ContextStore.open(three) as store, served(store) as address:
        session = str(uuid4())
        subprocess.run(
            ["bash", "-e", "-c", code(WITH_CURL, "sh")],
            env={**os.environ, "API": f"{address}/api/v1", "SESSION": session},
            check=True,
            capture_output=True,
        )
        assert told(store) == expected


def test_the_line_that_differs_is_on_the_page() -> None:
    assert "store = backstory.connect(" in code(WITH_CURL, "python")
