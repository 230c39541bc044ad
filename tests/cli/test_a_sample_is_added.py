"""`sample`: adds sample sessions to whichever database, once."""

from collections.abc import Callable

from tests.cli.conftest import Cli


def test_once(cli: Cli, new_database: Callable[[], str]) -> None:
    database = new_database()
    first = cli("--url", database, "sample", "--json").document
    again = cli("--url", database, "sample", "--json").document
    assert (first["made"], again["made"]) == (True, False)
    assert again["session"] == first["session"]
    listed = cli("--url", database, "sessions", "list", "--tag", "sample", "--json").documents
    assert first["session"] in [session["session"] for session in listed]


def test_in_words(cli: Cli, new_database: Callable[[], str]) -> None:
    outcome = cli("--url", new_database(), "sample")
    assert outcome.code == 0
    assert "Add JWT authentication to the invoice service" in outcome.err
    assert outcome.out.startswith("Added: session ")
