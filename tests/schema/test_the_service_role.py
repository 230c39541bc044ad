"""The service reads everything and writes through functions alone; logins that have less than a superuser
work too."""

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from backstory.application.store import ContextStore
from backstory.domain.errors import Refused
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.schema import migrate as schema
from backstory.infrastructure.schema.protection import SERVICE_ROLE
from tests.conftest import create_database
from tests.schema.conftest import as_login

# A view over several tables refuses to be written to before anybody asks who would.
REFUSALS = (psycopg.errors.InsufficientPrivilege, psycopg.errors.ObjectNotInPrerequisiteState)
DOORS = {
    *(
        "append",
        "erase_contents",
        "mark_feed",
        "save_snapshot",
        "track",
        "hold_stream",
        "lock_stream",
        "purge",
        "set_retention",
    ),
    *(
        "import_events",
        "import_contents",
        "import_appends",
        "finish_import",
    ),
    *("add_key", "revoke_key", "use_key", "note_call", "begin_answer", "end_answer"),
    *("begin_job", "end_job", "job_due", "job_failures"),
    *("count_activity", "forget_activity", "set_aside", "start_over", "take_up"),
    *("hold_index", "save_segment", "forget_index", "save_embeddings", "forget_embeddings"),
    *("save_code_files", "save_code_commits", "use_code"),
}


@pytest.fixture
def database(empty_database: str) -> str:
    schema.upgrade(empty_database)
    return empty_database


def test_a_pooled_connection_may_change_nothing_by_itself(database: str) -> None:
    pool = Database(database, pool_size=1)
    pool.open()
    with pool.connection() as connection:
        assert connection.execute("select current_user").fetchone() == (SERVICE_ROLE,)
        for relation in _relations(connection):
            for statement in _changes(*relation):
                with pytest.raises(REFUSALS):
                    connection.execute(statement)
    pool.close()


def test_a_pooled_connection_may_call_the_doors_and_nothing_else(database: str) -> None:
    with psycopg.connect(database) as connection:
        rows = connection.execute(
            "select proname from pg_proc where pronamespace = 'backstory'::regnamespace "
            "and has_function_privilege(%s, oid, 'execute')",
            (SERVICE_ROLE,),
        ).fetchall()
        assert {name for (name,) in rows} == DOORS
        everyone = connection.execute(
            "select p.oid::regprocedure "
            "from pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner))) a "
            "where pronamespace = 'backstory'::regnamespace and a.grantee = 0"
        ).fetchall()
        assert everyone == []


def test_a_door_cannot_be_led_astray_by_the_callers_search_path(database: str) -> None:
    with psycopg.connect(database) as connection:
        rows = connection.execute(
            "select proname from pg_proc where pronamespace = 'backstory'::regnamespace and prosecdef "
            "and not coalesce(proconfig, '{}') @> '{\"search_path=pg_catalog, pg_temp\"}'"
        ).fetchall()
        assert rows == []


def test_a_login_that_may_only_take_on_the_role(
    database: str, new_login: Callable[..., str], tmp_path: Path
) -> None:
    url = as_login(database, new_login(member_of=SERVICE_ROLE))
    for migrate in (True, False):
        with ContextStore.open(url, migrate=migrate) as store:
            session = store.start(title="as a mere member")
            session.message("hello")
            session.backtrack(1, "again")
            session.erase(2, "asked to")
            assert session.verify().problem is None
            fork = session.fork()
            for each in (fork, session):
                store.purge(each.id, tmp_path / f"{each.id}.jsonl")
            assert len(store.import_file(tmp_path / f"{fork.id}.jsonl")) == 2
            assert store.verify_all().ok
    with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("delete from backstory.events")


def test_a_login_that_may_make_roles(server: str, new_login: Callable[..., str]) -> None:
    url = _own_database(server, new_login("createrole"))
    with ContextStore.open(url) as store:
        session = store.start()
        session.message("hello")
        assert session.verify().problem is None
    with psycopg.connect(url, autocommit=True) as connection:
        _assert_triggers_refuse(connection)


def test_a_login_that_may_not_take_on_the_role_that_is_there(
    database: str, server: str, new_login: Callable[..., str]
) -> None:
    """Another database of the same server made it. The owner of this one works as himself, behind triggers
    alone."""
    url = _own_database(server, new_login())
    with ContextStore.open(url) as store:
        session = store.start()
        session.message("hello")
        assert session.verify().problem is None
    with psycopg.connect(url, autocommit=True) as connection:
        assert not schema.may_become_service(connection)
        _assert_triggers_refuse(connection)


def test_a_server_where_the_role_was_never_made(tmp_path_factory: pytest.TempPathFactory) -> None:
    """First somebody works there who may not make it, then somebody who may."""
    home = tmp_path_factory.mktemp("no-role")
    embedded_server = embedded.start_or_join(home)
    try:
        superuser = embedded_server.url(database="postgres")
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute("create role plain login")
        url = _own_database(superuser, "plain")
        with ContextStore.open(url) as store:
            session = store.start()
            session.message("hello")
            session.fork().message("in the fork")
            assert session.verify().problem is None
        with psycopg.connect(url, autocommit=True) as connection:
            assert (
                connection.execute("select 1 from pg_roles where rolname = %s", (SERVICE_ROLE,)).fetchone()
                is None
            )
            _assert_triggers_refuse(connection)
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute("create role maker login createrole")
        pool = Database(_upgraded(_own_database(superuser, "maker")), pool_size=1)
        pool.open()
        with pool.connection() as connection:
            assert connection.execute("select current_user").fetchone() == (SERVICE_ROLE,)
        pool.close()
    finally:
        embedded.stop(home)


def test_a_login_that_may_do_nothing_is_told_so(database: str, new_login: Callable[..., str]) -> None:
    with pytest.raises(Refused, match="may not"):
        ContextStore.open(as_login(database, new_login()))


def _own_database(server: str, login: str) -> str:
    url = create_database(server)
    with psycopg.connect(server, autocommit=True) as connection:
        database = sql.Identifier(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
        connection.execute(sql.SQL("alter database {} owner to {}").format(database, sql.Identifier(login)))
    return as_login(url, login)


def _upgraded(url: str) -> str:
    schema.upgrade(url)
    return url


def _relations(connection: psycopg.Connection) -> list[tuple[str, str, str]]:
    """Every table and view, with its first column."""
    rows = connection.execute(
        "select relname, relkind::text, attname from pg_class join pg_attribute on attrelid = pg_class.oid "
        "and attnum = 1 where relnamespace = 'backstory'::regnamespace and relkind in ('r', 'p', 'v')"
    ).fetchall()
    assert len(rows) > 10
    return rows


def _changes(name: str, kind: str, column: str) -> list[sql.Composed]:
    texts = [
        "insert into {name} default values",
        "update {name} set {column} = {column}",
        "delete from {name}",
        "truncate {name}",
    ]
    named = {"name": sql.Identifier("backstory", name), "column": sql.Identifier(column)}
    return [sql.SQL(text).format(**named) for text in texts[: 3 if kind == "v" else 4]]


def _assert_triggers_refuse(connection: psycopg.Connection) -> None:
    for statement in ("update backstory.events set actor = 'x'", "delete from backstory.events"):
        with pytest.raises(psycopg.Error, match="events is append-only") as refused:
            connection.execute(statement.encode())
        assert refused.value.sqlstate == "BS008"
