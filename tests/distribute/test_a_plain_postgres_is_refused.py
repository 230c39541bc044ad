"""Without Citus there is nothing to spread over, and nothing is changed."""

import psycopg
import pytest

from backstory.application.operations.distribution import distribute_database
from backstory.domain.errors import Refused
from tests.cli.conftest import Cli
from tests.conftest import create_database


def test_it_says_what_is_missing(embedded_server: str) -> None:
    url = create_database(embedded_server)
    with pytest.raises(Refused, match="this is a plain Postgres.*create extension citus.*citus_add_node"):
        distribute_database(url)
    with psycopg.connect(url) as connection:
        assert connection.execute("select to_regnamespace('backstory')").fetchone() == (None,)


def test_the_command_ends_with_the_code_for_what_is_refused(cli: Cli, url: str) -> None:
    done = cli("--url", url, "db", "distribute", "--try", "--json")
    assert (done.code, done.error["code"]) == (4, "refused")
    assert "plain Postgres" in done.error["message"]


def test_the_command_says_that_it_does_not_work_yet(cli: Cli) -> None:
    done = cli("--url", "postgresql://nobody@127.0.0.1:1/nothing", "db", "distribute", "--json")
    assert (done.code, done.error["code"]) == (4, "refused")
    assert "does not work yet" in done.error["message"]
    assert "Does not work yet" in cli("db", "distribute", "--help").out
