"""`backstory db`: upgrade, status, stop."""

from typing import Annotated

import typer

from backstory.application.operations.administration import (
    DatabaseStatus,
    Protection,
    database_status,
    stop_database,
    upgrade_database,
)
from backstory.domain.errors import Refused
from backstory.domain.text.printable import printable
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.layout import columns
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.database import (
    DatabaseStatusDocument,
    DistributionDocument,
    StoppedDocument,
    UpgradeDocument,
)
from backstory.interfaces.wording import counted, moment, size


@command(
    "db upgrade",
    Manual(
        examples=("backstory db upgrade", "backstory --url postgresql://app@db.example/agents db upgrade"),
        document=UpgradeDocument,
        notes=(
            "Every command upgrades the embedded database. Another one is upgraded only by this command, as a role "
            "that may create schemas and, to protect the log by grants, roles. Triggers and grants that were removed "
            "are restored, and their tables listed."
        ),
    ),
)
def upgrade(context: typer.Context, json: Json = False) -> None:
    """Upgrade the database to this version's schema."""
    run = run_of(context)
    done = upgrade_database(run.url)
    if json:
        run.document(UpgradeDocument.model_validate(done))
        return
    for name in done.migrations:
        run.out.print(f"applied {name}")
    if done.replaced_objects:
        run.out.print("replaced functions, views, triggers and grants")
    elif not any(done.restored):
        run.out.print("nothing to do: the schema is up to date")
    for kind, tables in zip(("triggers", "grants"), done.restored, strict=True):
        if tables:
            run.out.print(f"restored {kind} on {', '.join(tables)}")


@command(
    "db status",
    Manual(
        examples=("backstory db status", "backstory db status --json"),
        document=DatabaseStatusDocument,
        fails=(Refused,),
        notes=(
            "The embedded server is not started for this. While it is stopped, all fields but `embedded`, `running` "
            "and `data_directory` are null."
        ),
    ),
)
def status(context: typer.Context, json: Json = False) -> None:
    """Show the database: its address, schema, protection and size."""
    run = run_of(context)
    database = database_status(run.url)
    if json:
        run.document(DatabaseStatusDocument.of(database))
        return
    run.out.print(columns([(Text(name, "quiet"), value) for name, value in _status_rows(database)], indent=0))


TABLES = 6
"""Tables in the status: it has to fit a screen."""


def _status_rows(database: DatabaseStatus) -> list[tuple[str, Text]]:
    server = (
        f"Postgres {database.server_version}"
        if database.running
        else "not running; any other command starts it"
    )
    rows = [("server", Text(f"{server}{', embedded' if database.embedded else ''}"))]
    if database.data_directory is not None:
        rows.append(("data", Text(printable(str(database.data_directory)))))
    if not database.running:
        return rows
    rows.append(("address", Text(printable(database.address or ""))))
    rows.append(("schema", _schema(database)))
    if database.protection is not None:
        rows.append(("role", Text(database.protection.role + f" (logged in as {database.user})")))
        rows.append(("append-only by", _protection(database.protection)))
        rows.append(("sessions", Text(f"{database.sessions:,}")))
        rows.append(("events", Text(f"{database.events:,}")))
    rows += _activity_rows(database)
    rows.append(("size", Text(size(database.bytes or 0))))
    largest = sorted(database.tables, key=lambda table: -table.bytes)
    rows += [(f"  {one.name}", Text(f"{size(one.bytes):>9}", "quiet")) for one in largest[:TABLES]]
    if len(largest) > TABLES:
        rows.append(("", Text(f"… {len(largest) - TABLES} smaller tables: see --json", "quiet")))
    return rows


def _schema(database: DatabaseStatus) -> Text:
    # Short, or a narrow terminal would cut off what to do.
    told = (
        f"migration {database.migration} of {database.newest_migration}, "
        f"edition {database.edition} of {database.newest_edition}"
    )
    if database.schema_current:
        return Text(f"{told}, up to date")
    if database.schema_serves:
        return Text(f"{told}: newer, and works")
    return Text(f"{told}: run backstory db upgrade", "altered")


def _activity_rows(database: DatabaseStatus) -> list[tuple[str, Text]]:
    """Rows for the feed, transactions and replication."""
    rows = []
    if database.feed is not None:
        late = [f"{one.name} {one.behind:,} behind" for one in database.feed.consumers if one.behind]
        consumers = ", ".join(late) or (
            "all consumers up to date" if database.feed.consumers else "no consumers"
        )
        told = printable(f"position {database.feed.newest:,}; {consumers}")
        rows.append(("feed", Text(told, "altered" if late else "")))
    if database.longest_transaction is not None:
        one = database.longest_transaction
        there = f" in {one.database}" if one.database else ""
        told = f"process {one.pid}{there}, {one.seconds:,.1f} s, {one.state or 'state not shown'}"
        feed = ", the feed waits for it" if one.writes else ""
        rows.append(
            ("longest transaction", Text(printable(told + feed), "altered" if one.seconds > 60 else ""))
        )
    if database.replication is not None and database.replication.standby:
        at = database.replication.replayed_at
        rows.append(
            ("replication", Text(f"a standby, has replayed up to {moment(at) if at else 'nothing yet'}"))
        )
    elif database.replication is not None:
        for standby in database.replication.standbys:
            behind = "lag not shown" if standby.behind is None else f"{size(standby.behind)} behind"
            told = f"{standby.name}, {standby.state}, {standby.sync}, {behind}"
            rows.append(("standby", Text(printable(told))))
    return rows


def _protection(protection: Protection) -> Text:
    if protection.by_grants and protection.by_triggers:
        return Text("grants and triggers", "good")
    if protection.by_triggers:
        return Text(
            "triggers only: the role may change tables, so one who drops the triggers can too", "altered"
        )
    if protection.by_grants:
        return Text("grants only: triggers are missing or switched off", "altered")
    return Text("NOTHING: triggers are missing or switched off", "bad")


@command(
    "db distribute",
    Manual(
        examples=("backstory --url postgresql://postgres@coordinator.example/trial db distribute --try",),
        document=DistributionDocument,
        fails=(Refused,),
        notes=(
            "Does not work yet. On a Citus cluster the distribution itself fails, or the first append after it. "
            "Without `--try` the command is refused and changes nothing. With it, it runs on the coordinator as a "
            "superuser and upgrades the schema first; a plain Postgres is refused."
        ),
    ),
)
def distribute(
    context: typer.Context,
    attempt: Annotated[
        bool, typer.Option("--try", help="Try it all the same, on a cluster without data.")
    ] = False,
    json: Json = False,
) -> None:
    """Distribute the sessions over a Citus cluster. Does not work yet."""
    from backstory.application.operations.distribution import distribute_database

    run = run_of(context)
    if not attempt:
        raise Refused(
            "db distribute does not work yet: appends fail on a Citus cluster. Use one Postgres, with a standby for "
            "reads. --try attempts it on a cluster without data."
        )
    done = distribute_database(run.url)
    if json:
        run.document(DistributionDocument.model_validate(done))
        return
    run.out.print(f"distributed over {counted(done.machines, 'machine')}")
    for name, places in (
        ("tables by session", done.distributed),
        ("tables copied to every machine", done.replicated),
        ("functions that run on their session's machine", done.delegated),
    ):
        run.out.print(Text.assemble((f"{name}: ", "quiet"), ", ".join(places) or "no new ones"))


@command(
    "db stop",
    Manual(
        examples=("backstory db stop",),
        document=StoppedDocument,
        notes=(
            "The data stays. The next command starts the server again, and so does a process that uses it, such as a "
            "worker: end those first."
        ),
    ),
)
def stop(context: typer.Context, json: Json = False) -> None:
    """Stop the embedded Postgres."""
    run = run_of(context)
    stopped = stop_database(run.url)
    if json:
        run.document(StoppedDocument(stopped=stopped))
    else:
        run.out.print("stopped" if stopped else "it was not running")
