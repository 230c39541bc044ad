"""The distribution of a database over a Citus cluster: every session is on one machine, with all its rows. The
functions that write run there as a whole. Each step can be repeated, so an interrupted distribution is finished by
the next, and an upgrade distributes what is new."""

from pathlib import Path
from typing import NamedTuple

import psycopg

from backstory.application.bootstrap import connected, find_target, prepare
from backstory.domain.errors import Refused, SchemaMismatch
from backstory.infrastructure.postgres.queries import query, query_on
from backstory.infrastructure.schema.migrate import grants_file, trigger_files
from backstory.infrastructure.schema.protection import PROTECTED

OLDEST_CITUS = 11


class Distributed(NamedTuple):
    """The result of a distribution."""

    machines: int
    """Machines that hold shards."""
    distributed: tuple[str, ...]
    """Tables distributed by session."""
    replicated: tuple[str, ...]
    """Tables with a copy on every machine."""
    delegated: tuple[str, ...]
    """Functions that run on the machine of their session."""


def distribute_database(url: str | None = None, data_dir: Path | str | None = None) -> Distributed:
    """Distributes the tables by session over a Citus cluster. The database is on its coordinator."""
    address = find_target(url, data_dir).started()
    with connected(address) as connection:
        machines = _require_cluster(connection)
    prepare(address, migrate=True)
    with connected(address) as connection:
        try:
            return _distribute(connection, machines)
        except psycopg.Error as error:
            reason = error.diag.message_primary or "the server gave no reason"
            raise SchemaMismatch(f"the database cannot be distributed: {reason}.") from error


def _require_cluster(connection: psycopg.Connection) -> int:
    row = connection.execute(query("citus_version")).fetchone()
    if row is None:
        raise Refused(
            "this is a plain Postgres: to spread it over several machines, have Citus on its server, run 'create "
            "extension citus', and add workers with citus_add_node."
        )
    if int(row[0].split(".")[0]) < OLDEST_CITUS:
        raise Refused(f"Citus {row[0]} is too old: version {OLDEST_CITUS} or newer is needed.")
    if connection.execute(query("is_superuser")).fetchone() != (True,):
        raise Refused(
            f"{connection.info.user} may not spread tables: do it as a superuser of the coordinator."
        )
    (machines,) = _row(connection, query("citus_workers"))
    if machines == 0:
        raise Refused("the cluster has no worker that takes shards: add some with citus_add_node.")
    return int(machines)


def _distribute(connection: psycopg.Connection, machines: int) -> Distributed:
    connection.execute(query("one_shard_at_a_time"))
    connection.execute(query("allow_triggers_here"))
    for text in (query("allow_triggers_on_workers"), query("reload_workers")):
        for node, port, done, told in connection.execute(text):
            if not done:
                raise Refused(f"{node}:{port} did not take a setting: {told}.")
    waiting = connection.execute(query("undistributed_tables")).fetchall()
    for table in {name for name, _ in waiting} & set(PROTECTED):
        connection.execute(query_on("drop_append_only", table))
    if ("events", True) in waiting:
        connection.execute(query("position_default"))
    distributed: list[str] = []
    replicated: list[str] = []
    for table, of_streams in waiting:
        if table == "streams":
            connection.execute(query("distribute_streams"))
        elif of_streams:
            connection.execute(query("distribute_table"), (f"backstory.{table}",))
        else:
            connection.execute(query("replicate_table"), (f"backstory.{table}",))
        (distributed if of_streams else replicated).append(table)
    delegated = []
    for function, of_one_stream in connection.execute(query("functions_of_streams")).fetchall():
        if not of_one_stream:
            connection.execute(query("spread_function"), (function,))
        else:
            connection.execute(query("delegate_function"), (function,))
            delegated.append(function.partition("(")[0].removeprefix("backstory."))
    for file in (*trigger_files(), grants_file()):
        connection.execute(file.encode())
    return Distributed(machines, tuple(distributed), tuple(replicated), tuple(sorted(delegated)))


def _row(connection: psycopg.Connection, text: bytes) -> tuple[int, ...]:
    row = connection.execute(text).fetchone()
    assert row is not None
    return row
