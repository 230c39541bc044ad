"""The database schema: numbered migrations for tables, and everything else made anew from its current text.

Tables change by migrations, which are never edited once released. Functions, views, triggers and grants are
replaced as a whole whenever their text differs from what the database was last given.
"""

import hashlib
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

import psycopg

from backstory.domain.errors import SchemaMismatch
from backstory.infrastructure.queries import query

SERVICE_ROLE = "backstory_service"
OLDEST_SERVER = 140000


class Migration(NamedTuple):
    number: int
    name: str
    text: str


class SchemaStatus(NamedTuple):
    """How far a database is: the newest migration it has had, and whether its functions are this code's."""

    migration: int
    current: bool


class Upgraded(NamedTuple):
    migrations: tuple[str, ...]
    replaced_objects: bool


def migrations() -> list[Migration]:
    folder = files("backstory.infrastructure") / "migrations"
    found = sorted(f.name for f in folder.iterdir() if f.name.endswith(".sql"))
    texts = {name.removesuffix(".sql"): (folder / name).read_text() for name in found}
    return [Migration(int(name[:4]), name, text) for name, text in texts.items()]


def table_files() -> list[str]:
    """The tables as they are after all migrations, one a text. A test holds them equal to the migrations."""
    return _texts("tables")


def object_files() -> list[str]:
    """Functions, views, triggers and grants, in the order in which they can be made."""
    grants = files("backstory.infrastructure") / "sql" / "grants.sql"
    return [*function_files(), *_texts("views"), *_texts("triggers"), grants.read_text()]


def function_files() -> list[str]:
    return _texts("functions")


def _texts(kind: str) -> list[str]:
    roots: list[Traversable] = [
        files("backstory.projections") / "sql" / kind,
        files("backstory.infrastructure") / "sql" / kind,
    ]
    found = [sorted(root.iterdir(), key=lambda file: file.name) for root in roots if root.is_dir()]
    return [file.read_text() for folder in found for file in folder]


def status(connection: psycopg.Connection) -> SchemaStatus:
    """What the database has. A database that never saw Backstory is at migration 0."""
    found = connection.execute(query("migrations_table")).fetchone()
    if found is None or found[0] is None:
        return SchemaStatus(0, False)
    row = connection.execute(query("schema_status")).fetchone()
    assert row is not None
    newest = migrations()[-1].number
    return SchemaStatus(row[0], row[0] == newest and row[1] == _objects_checksum())


def upgrade(url: str) -> Upgraded:
    """Brings a database to this code's schema. Safe to call from several processes: one works, the others
    wait."""
    with psycopg.connect(url, autocommit=True) as connection:
        check_server(connection)
        connection.execute(query("lock_upgrades"))
        try:
            return _upgrade(connection)
        finally:
            connection.execute(query("unlock_upgrades"))


def check_server(connection: psycopg.Connection) -> None:
    if connection.info.server_version < OLDEST_SERVER:
        raise SchemaMismatch(
            f"Postgres {connection.info.server_version // 10000} is too old: version 14 or newer is needed."
        )


def _upgrade(connection: psycopg.Connection) -> Upgraded:
    before = status(connection)
    known = migrations()
    if before.migration > known[-1].number:
        raise SchemaMismatch(
            f"the database has migration {before.migration}, this version of backstory knows "
            f"{known[-1].number}: install a newer backstory."
        )
    if before.current:
        return Upgraded((), False)
    if before.migration == 0:
        _create_service_role(connection)
    applied = []
    # All at once: between new tables and new functions an append would be applied by the old functions, and its rows
    # would lack what the migration gave to all others.
    with connection.transaction():
        if before.migration > 0:
            connection.execute(query("hold_appends"))
        connection.execute(query("create_schema"))
        connection.execute(query("create_migrations_table"))
        for migration in known:
            if migration.number <= before.migration:
                continue
            connection.execute(migration.text.encode())
            _note(connection, migration.number, migration.name, _checksum([migration.text]))
            applied.append(migration.name)
        connection.execute(query("skip_function_bodies"))
        _replace_functions(connection)
        for text in object_files()[len(function_files()) :]:
            connection.execute(text.encode())
        connection.execute(query("forget_objects"))
        _note(connection, 0, "objects", _objects_checksum())
    return Upgraded(tuple(applied), True)


def _replace_functions(connection: psycopg.Connection) -> None:
    """Makes the functions anew, and drops those that this code does not know. Replacing keeps a function's
    identity, so calls that are under way are not disturbed; only one that now returns another type has to be
    dropped first."""
    before = _functions(connection)
    for text in function_files():
        try:
            with connection.transaction():
                connection.execute(text.encode())
        except psycopg.errors.InvalidFunctionDefinition:
            (name,) = re.findall(r"^create or replace function backstory\.(\w+)", text, re.MULTILINE)
            for function in before:
                if function.name == name:
                    connection.execute(function.drop.encode())
            connection.execute(text.encode())
    # Each was just written again, so a row of the catalog that has not changed is of a function from before.
    for function in before & _functions(connection):
        connection.execute(function.drop.encode())


class _Function(NamedTuple):
    """A function in the catalog: the transaction that wrote it, its name and the statement that drops it."""

    oid: int
    written: str
    name: str
    drop: str


def _functions(connection: psycopg.Connection) -> set[_Function]:
    return {_Function._make(row) for row in connection.execute(query("functions"))}


def may_become_service(connection: psycopg.Connection) -> bool:
    """Whether there is a service role that this login may take on."""
    # From 16 on, a role can be a member of another without being allowed to become it.
    right = "set" if connection.info.server_version >= 160000 else "member"
    return connection.execute(query("service_role_for_login"), (right,)).fetchone() is not None


def _create_service_role(connection: psycopg.Connection) -> None:
    """Makes the role that may only call the append function. Where roles cannot be made, triggers alone
    protect the log, and `backstory db status` says so."""
    try:
        with connection.transaction():
            if connection.execute(query("service_role")).fetchone() is None:
                connection.execute(query("create_service_role"))
    except (psycopg.errors.UniqueViolation, psycopg.errors.DuplicateObject):
        pass  # Roles are the server's: an upgrade of another database on it made this one a moment ago.
    except psycopg.errors.InsufficientPrivilege:
        return
    if not may_become_service(connection):
        try:
            connection.execute(query("grant_service_role"))
        except psycopg.errors.InsufficientPrivilege:
            return


def _note(connection: psycopg.Connection, number: int, name: str, checksum: str) -> None:
    connection.execute(query("note_migration"), (number, name, checksum))


def _checksum(texts: list[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _objects_checksum() -> str:
    return _checksum(object_files())
