"""`backstory projections`: list, check and rebuild."""

from collections.abc import Iterator

import psycopg
import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


@pytest.fixture
def session(database: str) -> Iterator[Session]:
    with ContextStore.open(database) as store:
        session = store.start()
        session.message("hello")
        session.checkpoints.create("here")
        yield session


@pytest.fixture
def altered(database: str, session: Session) -> Session:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("update backstory.items set tokens = 1000 where item = 2")
        connection.execute("delete from backstory.checkpoints")
    return session


def test_a_list_has_its_keys(cli: Cli, database: str, session: Session) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("select backstory.track('an index', 1)")
    found = cli("--url", database, "projections", "list", "--json").documents
    assert [(one["name"], one["rows"]) for one in found if one["kind"] == "inline"] == [
        ("items", 1),
        ("checkpoints", 1),
        ("branch_points", 0),
        ("summaries", 1),
    ]
    assert [(one["name"], one["position"], one["behind"]) for one in found if one["kind"] == "feed"] == [
        ("activity", 0, 3),
        ("search", 0, 3),
        ("triggers", 0, 3),
        ("an index", 1, 2),
    ]
    told = cli("--url", database, "projections", "list").out
    assert "up to date" in told
    assert "2 behind" in told


def test_a_check_of_what_nobody_altered(cli: Cli, database: str, session: Session) -> None:
    done = cli("--url", database, "projections", "check", "--json")
    assert done.code == 0
    assert (done.document["sessions"], done.document["events"], done.document["ok"]) == (1, 3, True)
    assert "equal to the log" in cli("--url", database, "projections", "check", session.id).out


def test_a_check_names_what_was_altered(cli: Cli, database: str, altered: Session) -> None:
    done = cli("--url", database, "projections", "check")
    assert done.code == 7
    assert "items.tokens, item 2: is 1000, the log says" in done.out
    assert "checkpoints, version 3" in done.out
    assert str(altered.id) in done.err
    said = cli("--url", database, "projections", "check", "last", "--json")
    assert said.code == 7
    (wrong,) = said.document["wrong"]
    assert (wrong["session"], wrong["differing"]) == (str(altered.id), 2)
    assert wrong["differences"][0]["where"] == "items.tokens, item 2"


def test_a_rebuild_says_what_differed(cli: Cli, database: str, altered: Session) -> None:
    done = cli("--url", database, "projections", "rebuild", "--json")
    assert done.code == 0
    assert [one["differing"] for one in done.document["changed"]] == [2]
    assert altered.verify().ok
    assert "none of them had differed" in cli("--url", database, "projections", "rebuild", "last").out


def test_a_session_that_is_not_there(cli: Cli, database: str, session: Session) -> None:
    assert cli("--url", database, "projections", "rebuild", "ffffffff").code == 3
