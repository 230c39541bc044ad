"""The database schema: numbered migrations for tables, and everything else made anew from its current text.

Tables change by migrations, which are never edited once released. A migration may have indexes that are built and rows
that are filled in after it, while writers go on. Functions, views, triggers and grants are replaced as a whole whenever
their text differs from what the database was last given, unless that is a newer edition of them.
"""

import hashlib
import re
import time
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

import psycopg

from backstory.domain.errors import SchemaMismatch
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.schema.edition import EDITION
from backstory.infrastructure.schema.protection import Gaps, find_gaps, lacks_functions, revoke_changes
from backstory.infrastructure.schema.upgrade_steps import (
    Function,
    await_older_calls,
    backfill,
    build_indexes,
    drop_functions,
    make_trigger,
    replace_functions,
    with_short_locks,
)

OLDEST_SERVER = 140000
SERVES_CODE_FROM = 1
"""The oldest code that works with this schema, by the newest migration that it knows. It is raised by the release that
changes what older code calls or reads, which therefore comes with a migration; until then a rolling deploy may start
either."""


class Migration(NamedTuple):
    number: int
    name: str
    text: str
    indexes: str | None
    """Statements that build indexes on what it added."""
    backfill: str | None
    """A statement that fills in one stream's rows from before."""


class SchemaStatus(NamedTuple):
    """The schema of a database."""

    migration: int
    """The newest one that it has had."""
    edition: int
    """The edition of its functions; 0 while it has none."""
    current: bool
    """Whether it has this code's tables and functions."""
    newer: bool
    """Whether it has tables or functions that came after this code's."""
    serves: bool
    """Whether this code can work with it: it has that schema, or a newer one that serves older code too."""
    foreign: bool
    """Whether its first migration is not this code's, so that no migration can follow."""


class Upgraded(NamedTuple):
    migrations: tuple[str, ...]
    replaced_objects: bool
    restored: Gaps
    """Protection that was off and is on again."""


def migrations() -> list[Migration]:
    folder = files("backstory.infrastructure.schema") / "migrations"
    names = sorted(f.name for f in folder.iterdir() if f.name.endswith(".sql"))
    return [
        Migration(
            int(name[:4]),
            name.removesuffix(".sql"),
            (folder / name).read_text(),
            _text(folder / "indexes" / name),
            _text(folder / "backfills" / name),
        )
        for name in names
    ]


def _text(file: Traversable) -> str | None:
    return file.read_text() if file.is_file() else None


def table_files() -> list[str]:
    """The tables as they are after all migrations, one a text. A test holds them equal to the migrations."""
    return _texts("tables")


def object_files() -> list[str]:
    """Functions, views, triggers and grants, in the order in which they can be made."""
    return [*function_files(), *_texts("views"), *trigger_files(), grants_file()]


def trigger_files() -> list[str]:
    return _texts("triggers")


def grants_file() -> str:
    return (files("backstory.infrastructure.schema") / "sql" / "grants.sql").read_text()


def function_files() -> list[str]:
    return _texts("functions")


def _texts(kind: str) -> list[str]:
    roots: list[Traversable] = [
        files("backstory.projections") / "sql" / kind,
        files("backstory.infrastructure.schema") / "sql" / kind,
    ]
    found = [sorted(root.iterdir(), key=lambda file: file.name) for root in roots if root.is_dir()]
    return [file.read_text() for folder in found for file in folder]


def status(connection: psycopg.Connection) -> SchemaStatus:
    """Returns the schema of a database. Without Backstory's tables it is at migration 0."""
    table = connection.execute(query("migrations_table")).fetchone()
    if table is None or table[0] is None:
        return SchemaStatus(0, 0, False, False, False, False)
    row = connection.execute(query("schema_status")).fetchone()
    assert row is not None
    migration, checksum, objects, filled, first = row
    edition = _noted(r"edition (\d+)", objects, 0)
    known = migrations()
    if first not in (None, _checksum([known[0].text])):
        return SchemaStatus(migration, edition, False, False, False, True)
    newest = known[-1].number
    complete = all(one.backfill is None or one.number in filled for one in known)
    current = migration == newest and edition >= EDITION and checksum == objects_digest() and complete
    newer = (migration, edition) > (newest, EDITION) and not current
    # A database that does not say which code it serves serves no older one.
    served = newest >= _noted(r"from migration (\d+) on", objects, migration)
    return SchemaStatus(migration, edition, current, newer, current or (newer and served), False)


def _noted(pattern: str, objects: str | None, otherwise: int) -> int:
    """A number in what a database says of its functions."""
    match = re.search(pattern, objects or "")
    return int(match[1]) if match else otherwise


def upgrade(url: str) -> Upgraded:
    """Brings a database to this code's schema. Safe to call from several processes: one works, the others
    wait."""
    with psycopg.connect(url, autocommit=True) as connection:
        check_server(connection)
        while connection.execute(query("lock_upgrades")).fetchone() != (True,):
            time.sleep(0.05)
        try:
            return _upgrade(connection)
        finally:
            connection.execute(query("unlock_upgrades"))


def check_server(connection: psycopg.Connection) -> None:
    if connection.info.server_version < OLDEST_SERVER:
        raise SchemaMismatch(
            f"Postgres {connection.info.server_version // 10000} is too old: version 14 or newer is needed."
        )


def refuse_foreign(status: SchemaStatus) -> None:
    if status.foreign:
        raise SchemaMismatch(
            "the database has the tables of an earlier backstory, which cannot be upgraded. To start anew, run "
            "'drop schema backstory cascade' in it with psql; for the embedded one, run 'backstory db stop' and remove "
            "the directory that 'backstory db status' shows."
        )


def _upgrade(connection: psycopg.Connection) -> Upgraded:
    before = status(connection)
    refuse_foreign(before)
    known = migrations()
    if before.migration > known[-1].number:
        raise SchemaMismatch(
            f"the database has migration {before.migration}, this version of backstory knows "
            f"{known[-1].number}: install a newer backstory."
        )
    if before.newer:
        raise SchemaMismatch(
            f"the database has edition {before.edition} of the functions, this version of backstory has "
            f"{EDITION}: install a newer backstory."
        )
    if before.current:
        return Upgraded((), False, _restore_protection(connection))
    if before.migration == 0:
        _create_service_role(connection)
    applied, leftover = with_short_locks(connection, partial(_change, connection, before.migration))
    await_older_calls(connection)
    for text in trigger_files():
        make_trigger(connection, text)
    filled = _filled(connection)
    for migration in known:
        if migration.indexes is not None and migration.number not in filled:
            build_indexes(connection, migration.indexes)
        if migration.backfill is not None and migration.number not in filled:
            backfill(connection, migration.backfill)
            _note(
                connection, -migration.number, f"{migration.name} filled in", _checksum([migration.backfill])
            )
    drop_functions(connection, leftover)
    with connection.transaction():
        connection.execute(query("forget_objects"))
        name = f"objects, edition {EDITION}, for code from migration {SERVES_CODE_FROM} on"
        _note(connection, 0, name, objects_digest())
    return Upgraded(tuple(applied), True, _restore_protection(connection))


def _restore_protection(connection: psycopg.Connection) -> Gaps:
    """Puts back triggers and grants that somebody took away. Returns the tables."""
    gaps = find_gaps(connection)
    if gaps.triggers:
        for text in trigger_files():
            make_trigger(connection, text)
    if gaps.grants or lacks_functions(connection, grants_file()):
        with connection.transaction():
            revoke_changes(connection, gaps.grants)
            connection.execute(grants_file().encode())
    return gaps


def _change(connection: psycopg.Connection, migration: int) -> tuple[list[str], set[Function]]:
    """Migrates, and makes what is no table anew; returns what was applied, and functions that are no longer known. All
    at once: between new tables and new functions an append would be applied by the old functions."""
    if migration > 0:
        connection.execute(query("hold_appends"))
    connection.execute(query("create_schema"))
    connection.execute(query("create_migrations_table"))
    applied = []
    for one in migrations():
        if one.number > migration:
            connection.execute(one.text.encode())
            _note(connection, one.number, one.name, _checksum([one.text]))
            applied.append(one.name)
    return applied, _replace_objects(connection)


def _replace_objects(connection: psycopg.Connection) -> set[Function]:
    connection.execute(query("skip_function_bodies"))
    leftover = replace_functions(connection, function_files())
    # Rights are given by name, so a door has one form only. Nothing but the callers' own code calls it.
    doors = {function for function in leftover if f"backstory.{function.name}" in grants_file()}
    for function in doors:
        connection.execute(function.drop.encode())
    for text in (*_texts("views"), grants_file()):
        connection.execute(text.encode())
    return leftover - doors


def _filled(connection: psycopg.Connection) -> list[int]:
    row = connection.execute(query("schema_status")).fetchone()
    assert row is not None
    filled: list[int] = row[3]
    return filled


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


def objects_digest() -> str:
    """The digest of this code's functions, views, triggers and grants."""
    return _checksum(object_files())
