"""A database is brought to this code's schema, once, whoever asks and however many at a time."""

import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import SchemaMismatch
from backstory.infrastructure.schema import migrate as schema
from backstory.infrastructure.schema.protection import Gaps
from tests.conftest import create_database

UPGRADE = """
import sys
from backstory.infrastructure.schema import migrate as schema
for url in sys.argv[1:]:
    schema.upgrade(url)
"""
PROCESSES = 4


def test_the_second_time_there_is_nothing_to_do(empty_database: str) -> None:
    first = schema.upgrade(empty_database)
    assert first.migrations == tuple(migration.name for migration in schema.migrations())
    before = _catalog(empty_database)
    assert schema.upgrade(empty_database) == ((), False, Gaps())
    assert _catalog(empty_database) == before


def test_several_processes_upgrade_one_database(empty_database: str) -> None:
    _upgrade_at_once([[empty_database]] * PROCESSES)
    numbers = _rows(
        empty_database, "select number from backstory.schema_migrations where number >= 0 order by 1"
    )
    assert numbers == [(number,) for number in range(len(schema.migrations()) + 1)]


def test_several_processes_upgrade_databases_of_one_server(server: str) -> None:
    """The lock is a database's, the role a server's."""
    databases = [create_database(server) for _ in range(PROCESSES)]
    _upgrade_at_once([[database] for database in databases])
    assert all(_status(database).current for database in databases)


def test_functions_of_older_code_are_replaced_or_dropped(empty_database: str) -> None:
    schema.upgrade(empty_database)
    current = _catalog(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("create function backstory.forgotten() returns int language sql as 'select 1'")
        connection.execute("create function backstory.append(text) returns int language sql as 'select 1'")
        connection.execute("drop function backstory.tokens_in")
        connection.execute("drop function backstory.branch_of")
        connection.execute(
            "create function backstory.branch_of(p_stream uuid, p_version integer) returns int "
            "language sql as 'select 1'"
        )
        connection.execute("update backstory.schema_migrations set checksum = 'older' where number = 0")
    assert schema.upgrade(empty_database) == ((), True, Gaps())
    assert _catalog(empty_database) == current


def test_a_newer_database_that_serves_older_code_is_used_as_it_is(empty_database: str) -> None:
    """A rolling deploy may start the older release once more."""
    schema.upgrade(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("insert into backstory.schema_migrations values (9999, 'from the future', '')")
        connection.execute("update backstory.schema_migrations set checksum = 'newer' where number = 0")
    before = _catalog(empty_database)
    with ContextStore.open(empty_database) as store:
        assert store.start().version == 1
    assert _catalog(empty_database) == before
    with pytest.raises(SchemaMismatch, match="has migration 9999.*install a newer backstory"):
        schema.upgrade(empty_database)


def test_a_newer_database_that_serves_no_older_code_is_refused(empty_database: str) -> None:
    schema.upgrade(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("insert into backstory.schema_migrations values (9999, 'from the future', '')")
        connection.execute(
            "update backstory.schema_migrations set name = 'objects for code from migration 9999 on' "
            "where number = 0"
        )
    with pytest.raises(SchemaMismatch, match="has migration 9999.*install a newer backstory"):
        schema.upgrade(empty_database)
    with pytest.raises(SchemaMismatch):
        ContextStore.open(empty_database)


def test_a_database_of_an_earlier_layout_is_refused_with_a_way_out(empty_database: str) -> None:
    schema.upgrade(empty_database)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("update backstory.schema_migrations set checksum = 'earlier' where number = 1")
    before = _catalog(empty_database)
    with pytest.raises(SchemaMismatch, match="cannot be upgraded.*drop schema backstory cascade"):
        schema.upgrade(empty_database)
    for migrate in (True, False):
        with pytest.raises(SchemaMismatch, match="cannot be upgraded.*backstory db stop"):
            ContextStore.open(empty_database, migrate=migrate)
    assert _catalog(empty_database) == before
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("drop schema backstory cascade")
    with ContextStore.open(empty_database) as store:
        assert store.start().version == 1


def test_a_database_without_the_schema_is_left_alone_when_told_so(empty_database: str) -> None:
    with pytest.raises(SchemaMismatch, match="backstory db upgrade"):
        ContextStore.open(empty_database, migrate=False)
    assert _rows(empty_database, "select to_regnamespace('backstory')") == [(None,)]


@pytest.mark.parametrize(("version", "accepted"), [(130022, False), (140000, True), (180006, True)])
def test_a_server_that_is_too_old_is_refused(version: int, accepted: bool) -> None:
    connection = cast(psycopg.Connection, SimpleNamespace(info=SimpleNamespace(server_version=version)))
    if accepted:
        schema.check_server(connection)
    else:
        with pytest.raises(SchemaMismatch, match="Postgres 13 is too old: version 14 or newer is needed"):
            schema.check_server(connection)


def _upgrade_at_once(targets: list[list[str]]) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", UPGRADE, *urls], stderr=subprocess.PIPE, text=True)
        for urls in targets
    ]
    told = [process.communicate()[1] for process in running]
    assert [process.returncode for process in running] == [0] * len(targets), told


def _status(url: str) -> schema.SchemaStatus:
    with psycopg.connect(url) as connection:
        return schema.status(connection)


def _catalog(url: str) -> list[Any]:
    """Everything in the schema, with the text of what has one."""
    return _rows(
        url,
        "select 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid), p.proacl::text "
        "from pg_proc p where pronamespace = 'backstory'::regnamespace "
        "union all select 'view', relname, pg_get_viewdef(oid), relacl::text from pg_class "
        "where relnamespace = 'backstory'::regnamespace and relkind = 'v' "
        "union all select 'table', relname, relkind::text, relacl::text from pg_class "
        "where relnamespace = 'backstory'::regnamespace and relkind <> 'v' "
        "union all select 'trigger', tgrelid::regclass::text, pg_get_triggerdef(oid), tgenabled::text "
        "from pg_trigger where not tgisinternal order by 1, 2",
    )


def _rows(url: str, query: str) -> list[Any]:
    with psycopg.connect(url) as connection:
        return connection.execute(query.encode()).fetchall()
