"""`db`: a database without the schema, one that is stopped, one that is another's."""

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli
from tests.conftest import create_database


@pytest.fixture
def nowhere(tmp_path: Path) -> dict[str, str]:
    """An environment with an embedded Postgres that was never started."""
    return {"BACKSTORY_DATABASE_URL": "", "BACKSTORY_DATA_DIR": str(tmp_path)}


def test_a_foreign_database_is_upgraded_only_on_demand(cli: Cli, embedded_server: str) -> None:
    url = create_database(embedded_server)
    refused = cli("--url", url, "sessions", "list", "--json")
    assert (refused.code, refused.error["code"]) == (6, "schema-mismatch")
    assert "backstory db upgrade" in refused.error["message"]
    status = cli("--url", url, "db", "status", "--json").document
    assert (status["migration"], status["schema_current"], status["events"]) == (0, False, None)
    assert cli("--url", url, "db", "status").code == 0
    assert cli("--url", url, "db", "upgrade", "--json").document["migrations"][0].startswith("0001")
    assert cli("--url", url, "sessions", "list").code == 0
    assert cli("--url", url, "db", "status", "--json").document["schema_current"] is True


def test_a_role_that_may_not_upgrade(cli: Cli, embedded_server: str) -> None:
    url = create_database(embedded_server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop role if exists cli_visitor")
        connection.execute("create role cli_visitor login")
    visitor = url.replace("postgres@", "cli_visitor@")
    outcome = cli("--url", visitor, "db", "upgrade", "--json")
    assert (outcome.code, outcome.error["code"]) == (6, "schema-mismatch")
    assert "permission denied" in outcome.error["message"]


def test_status_shows_no_secrets_and_all_sizes(cli: Cli) -> None:
    shown = cli("db", "status").out
    assert "Postgres 18" in shown
    assert "grants and triggers" in shown
    assert "backstory_service (logged in as postgres)" in shown
    assert "up to date" in shown
    assert "contents" in shown


def test_a_server_that_does_not_run_is_not_started(cli: Cli, nowhere: dict[str, str], tmp_path: Path) -> None:
    status = cli("db", "status", "--json", env=nowhere).document
    assert (status["embedded"], status["running"]) == (True, False)
    assert status["data_directory"] == str(tmp_path)
    assert cli("db", "stop", "--json", env=nowhere).document == {"stopped": False}
    assert list(tmp_path.iterdir()) == []


def test_only_the_embedded_one_can_be_stopped(cli: Cli, url: str) -> None:
    outcome = cli("--url", url, "db", "stop", "--json")
    assert (outcome.code, outcome.error["code"]) == (2, "invalid-input")


def test_a_setting_that_breaks_a_rule(cli: Cli) -> None:
    outcome = cli("sessions", "list", "--json", env={"BACKSTORY_POOL_SIZE": "many"})
    assert (outcome.code, outcome.error["code"]) == (2, "invalid-input")


def test_the_sizes_of_a_new_database(cli: Cli, new_database: Callable[[], str]) -> None:
    status = cli("--url", new_database(), "db", "status", "--json").document
    assert (status["sessions"], status["events"]) == (0, 0)
    assert sum(status["tables"].values()) < status["bytes"]


def test_status_tells_what_goes_on(cli: Cli, new_database: Callable[[], str]) -> None:
    """The feed's consumers, the longest transaction and the migrations."""
    url = new_database()
    with ContextStore.open(url) as store:
        store.start()
        store.start()
    with (
        psycopg.connect(url, autocommit=True) as connection,
        psycopg.connect(url, application_name="a forgotten shell") as forgotten,
    ):
        connection.execute("select backstory.track('an index', 1)")
        forgotten.execute("select pg_current_xact_id()")
        found = cli("--url", url, "db", "status", "--json").document
        assert found["feed"]["newest"] == 2
        assert [(one["name"], one["behind"]) for one in found["feed"]["consumers"]] == [("an index", 1)]
        longest = found["longest_transaction"]
        assert longest["pid"] == forgotten.info.backend_pid
        assert (longest["state"], longest["writes"]) == ("idle in transaction", True)
        assert longest["application"] == "a forgotten shell"
        assert [one["number"] for one in found["migrations"]] == list(range(1, found["migration"] + 1))
        assert found["replication"] == {"standby": False, "replayed_at": None, "standbys": []}
        shown = cli("--url", url, "db", "status").out
    assert "an index 1 behind" in shown
    assert f"process {longest['pid']}" in shown
    assert "the feed waits for it" in shown


def test_status_names_a_writer_of_another_database(cli: Cli, new_database: Callable[[], str]) -> None:
    """The feed waits for it. One that only reads there is nobody's concern here."""
    url, other = new_database(), new_database()
    with psycopg.connect(other) as forgotten:
        forgotten.execute("select 1")
        assert cli("--url", url, "db", "status", "--json").document["longest_transaction"] is None
        forgotten.execute("select pg_current_xact_id()")
        longest = cli("--url", url, "db", "status", "--json").document["longest_transaction"]
        assert (longest["pid"], longest["writes"]) == (forgotten.info.backend_pid, True)
        assert longest["database"] == forgotten.info.dbname
