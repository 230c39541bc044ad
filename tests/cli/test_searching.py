"""A query on the command line: what it prints, what it chooses among, how it goes on."""

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


@pytest.fixture
def session(store: ContextStore) -> Session:
    session = store.start(project="harbours")
    session.message("Where is the lantern of the harbour master?")
    kept = session.by("ana").decide("Keep the lanterns in the shed.")
    session.by("ana").items.save("note", "The lantern is hidden.")
    session.message("The lantern burns.")
    session.backtrack(kept, "no fire")
    return session


def test_hits_are_printed_with_their_place_and_snippet(cli: Cli, session: Session) -> None:
    out = cli("search", "harbour lanterns", "--session", session.id).out
    lines = out.splitlines()
    assert lines[0].startswith("2 message user  2")
    assert lines[1] == "    Where is the lantern of the harbour master?"
    assert lines[2].startswith("3 decision ana  2")
    assert len(lines) == 4
    assert session.id.hex[-12:] in cli("search", "harbour", "--project", "harbours").out


def test_what_is_asked_for_is_chosen(cli: Cli, session: Session) -> None:
    def found(*words: str) -> list[int]:
        page = cli("search", "lantern", "--session", session.id, "--json", *words).document
        return [hit["item"] for hit in page["hits"]]

    assert sorted(found()) == [2, 3]
    assert found("--type", "decision") == [3]
    assert found("--speaker", "user") == [2]
    assert sorted(found("--agent", "ana", "--abandoned")) == [2, 3, 4, 5]
    assert sorted(found("--abandoned")) == [2, 3, 5]
    assert sorted(found("--at", "5")) == [2, 3, 5]
    assert found("--since", "2999-01-01") == []
    assert sorted(found("--before", "2999-01-01T00:00")) == [2, 3]
    session.safety.quarantine(2, why="read again first")
    assert found() == [3]
    assert sorted(found("--quarantined")) == [2, 3]
    assert "abandoned" in cli("search", "burns", "--session", session.id, "--abandoned").out


def test_the_next_page_is_named(cli: Cli, session: Session) -> None:
    words = ("search", "lantern", "--session", session.id, "--limit", "1")
    first = cli(*words, "--json").document
    assert f"→ --after {first['next']}" in cli(*words).out
    second = cli(*words, "--json", "--after", first["next"]).document
    assert {first["hits"][0]["item"], second["hits"][0]["item"]} == {2, 3}
    assert second["next"] is None
    assert "→" not in cli(*words, "--after", first["next"]).out


def test_nothing_is_found(cli: Cli, session: Session) -> None:
    assert cli("search", "zeppelin", "--session", session.id).out == "nothing found\n"


def test_nothing_found_names_the_filters(cli: Cli, session: Session) -> None:
    narrowed = cli("search", "lantern", "--session", session.id, "--type", "lamp", "--speaker", "ana")
    assert narrowed.out == "nothing found with --type, --speaker\n"
    assert "not searched" in cli("search", "what", "the", "--session", session.id).out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--session", "ID", "--project", "p"), 2, "project: cannot be given with --session"),
        (("--at", "3"), 2, "at: needs --session"),
        (("--session", "ID", "--at", "99"), 3, "version 99"),
        (("--session", "ffffffffffff"), 3, "ffffffffffff"),
        (("--after", "x"), 2, "after: must be"),
        (("--since", "soon"), 2, "soon"),
        (("--limit", "0"), 2, "limit"),
    ],
)
def test_what_cannot_be_asked(
    cli: Cli, session: Session, words: tuple[str, ...], code: int, said: str
) -> None:
    done = cli("search", "lantern", *(str(session.id) if word == "ID" else word for word in words))
    assert done.code == code
    assert said in done.err
