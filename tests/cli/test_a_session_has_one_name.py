"""A session is called by its title everywhere; without one, by the first words of its user, in quotation marks."""

from collections.abc import Sequence
from uuid import uuid4

import pytest

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli

PLACES = [
    ("status", "ID"),
    ("sessions", "restore-view", "ID"),
    ("replay", "ID", "--all"),
    ("sessions", "show", "ID"),
    ("at", "ID", "2"),
    ("sessions", "list", "--project", "P"),
]


def said(cli: Cli, words: Sequence[str], id_: str, project: str) -> str:
    return cli(*({"ID": id_, "P": project}.get(word, word) for word in words)).out


@pytest.mark.parametrize("words", PLACES, ids=" ".join)
def test_a_session(cli: Cli, store: ContextStore, words: tuple[str, ...]) -> None:
    project = f"lamps-{uuid4().hex}"
    session = store.start(project=project)
    earlier = (*words[:-1], "1") if words[0] == "at" else words
    assert "“" not in said(cli, earlier, str(session.id), project)
    session.message("Mend the lantern, please. It is dark.")
    assert "“Mend the lantern, please”" in said(cli, words, str(session.id), project)
    session.details.rename("Lamps")
    told = said(cli, words, str(session.id), project)
    assert "Lamps" in told
    assert "“" not in told


def test_status_is_of_the_last_session(cli: Cli, store: ContextStore) -> None:
    store.start(title="Older")
    store.start(title="Newer").message("Hello.")
    assert cli("status").out == cli("status", "last").out
    assert cli("status").out.startswith("Newer")


@pytest.mark.parametrize("option", ["--since", "--before"])
def test_a_time_that_cannot_be_read_names_the_option_and_the_forms(cli: Cli, option: str) -> None:
    done = cli("search", "lantern", option, "soon", "--json")
    assert done.code == 2
    assert option in done.err
    for form in ("2026-11-09", "2026-11-09T12:00:00Z", "7d", "got 'soon'"):
        assert form in done.err
    assert "%Y" not in done.err
