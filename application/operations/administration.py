"""Administration of a database: its status, its upgrade, and stopping the embedded server."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from backstory.application.bootstrap import connected, find_target, upgrade
from backstory.application.feed.feed import FeedLag, feed_lag
from backstory.application.operations.database_status import (
    AppliedMigration,
    OpenTransaction,
    Replication,
    applied_migrations,
    longest_transaction,
    replication,
)
from backstory.domain.errors import InvalidInput, Refused
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.schema import migrate as schema
from backstory.infrastructure.schema.edition import EDITION
from backstory.infrastructure.schema.protection import PROTECTED, SERVICE_ROLE, Gaps, find_gaps


class TableSize(NamedTuple):
    name: str
    bytes: int
    """With its indexes."""


class Protection(NamedTuple):
    """The protection that keeps the log append-only. A superuser or the tables' owner can switch it off; `verify`
    finds changes made then."""

    role: str
    """The role that Backstory reads and writes as."""
    by_grants: bool
    """The role may not change the tables, only call the functions that append."""
    by_triggers: bool
    """Triggers on every protected table refuse changes by any role."""


@dataclass(frozen=True)
class DatabaseStatus:
    """The status of a database. Without a running server only the first three fields are known."""

    embedded: bool
    running: bool
    data_directory: Path | None
    address: str | None = None
    server_version: str | None = None
    user: str | None = None
    protection: Protection | None = None
    migration: int | None = None
    newest_migration: int | None = None
    edition: int | None = None
    newest_edition: int | None = None
    schema_current: bool | None = None
    schema_serves: bool | None = None
    sessions: int | None = None
    events: int | None = None
    bytes: int | None = None
    tables: tuple[TableSize, ...] = ()
    migrations: tuple[AppliedMigration, ...] = ()
    feed: FeedLag | None = None
    longest_transaction: OpenTransaction | None = None
    replication: Replication | None = None


class UpgradedDatabase(NamedTuple):
    migrations: tuple[str, ...]
    replaced_objects: bool
    restored: Gaps
    """Tables whose triggers or grants were off and are on again."""


def database_status(url: str | None = None, data_dir: Path | str | None = None) -> DatabaseStatus:
    """Returns the status of the database. Does not start an embedded server."""
    target = find_target(url, data_dir)
    if target.url is not None:
        return _status(target.url, None)
    server = embedded.status(target.data_home)
    if server is None:
        return DatabaseStatus(True, False, target.data_home or embedded.default_data_home())
    return _status(server.url(), server.data_directory)


def upgrade_database(url: str | None = None, data_dir: Path | str | None = None) -> UpgradedDatabase:
    """Upgrades the database to this code's schema. Returns what was changed."""
    return UpgradedDatabase(*upgrade(find_target(url, data_dir).started()))


def stop_database(url: str | None = None, data_dir: Path | str | None = None) -> bool:
    """Stops the embedded server. Returns whether it was running."""
    if url is not None:
        raise InvalidInput("url", "is another Postgres: only the embedded one can be stopped from here")
    return embedded.stop(find_target(None, data_dir).data_home)


def _status(url: str, data_directory: Path | None) -> DatabaseStatus:
    with connected(url) as connection:
        try:
            return _look(connection, data_directory)
        except psycopg.errors.InsufficientPrivilege as error:
            user, reason = connection.info.user, error.diag.message_primary
            raise Refused(f"{user} may not look at the database: {reason}.") from None


def _look(connection: psycopg.Connection, data_directory: Path | None) -> DatabaseStatus:
    found = schema.status(connection)
    status = DatabaseStatus(
        embedded=data_directory is not None,
        running=True,
        data_directory=data_directory,
        address=_address(connection),
        server_version=str(_one(connection, query("server_version"))),
        user=connection.info.user,
        migration=found.migration,
        newest_migration=schema.migrations()[-1].number,
        edition=found.edition,
        newest_edition=EDITION,
        schema_current=found.current,
        schema_serves=found.serves,
        bytes=_one(connection, query("database_size")),
        longest_transaction=longest_transaction(connection),
        replication=replication(connection),
    )
    if found.migration == 0:
        return status
    return replace(
        status,
        protection=_protection(connection),
        sessions=_one(connection, query("session_count")),
        events=_one(connection, query("event_count")),
        tables=_tables(connection),
        migrations=applied_migrations(connection),
        feed=feed_lag(connection),
    )


def _address(connection: psycopg.Connection) -> str:
    """The server's address for psql, without the password."""
    info = connection.info
    where = f"?host={info.host}&port={info.port}" if info.host.startswith("/") else ""
    host = "" if where else f"{info.host}:{info.port}"
    return f"postgresql://{info.user}@{host}/{info.dbname}{where}"


def _protection(connection: psycopg.Connection) -> Protection:
    role = SERVICE_ROLE if schema.may_become_service(connection) else connection.info.user
    may_change = _one(connection, query("may_change_tables"), role, list(PROTECTED))
    return Protection(role, not may_change, not find_gaps(connection).triggers)


def _tables(connection: psycopg.Connection) -> tuple[TableSize, ...]:
    return tuple(TableSize._make(row) for row in connection.execute(query("table_sizes")))


def _one(connection: psycopg.Connection, text: bytes, *parameters: object) -> Any:
    """The single value of a query, or None."""
    row = connection.execute(text, parameters).fetchone()
    return None if row is None else row[0]
