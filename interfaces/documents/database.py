"""The database: its status, and the results of upgrading, distributing and stopping it."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.events import ConsumerDocument

if TYPE_CHECKING:
    from backstory.application.operations.administration import DatabaseStatus


class AppendOnlyDocument(Document):
    """The protection of the log against changes."""

    grants: bool = Field(description="Whether the role may not change the tables.")
    triggers: bool = Field(description="Whether triggers refuse changes.")


class MigrationDocument(Document):
    """A migration that was applied."""

    number: int = Field(description="Its number.")
    name: str = Field(description="Its name.")
    applied_at: datetime = Field(description="The time at which it was applied.")


class FeedLagDocument(Document):
    """The feed and its consumers."""

    newest: int = Field(description="The position of the newest event.")
    consumers: list[ConsumerDocument] = Field(description="The consumers.")


class TransactionDocument(Document):
    """An open transaction of another process."""

    pid: int = Field(description="The process id.")
    seconds: float = Field(description="Its age.")
    state: str | None = Field(description="The state of its connection, or null.")
    user: str | None = Field(description="The role, or null.")
    application: str | None = Field(description="The application's name, or null.")
    writes: bool = Field(description="Whether it has written, so that the feed waits for it.")
    database: str | None = Field(description="Its database if that is another one, or null.")


class StandbyDocument(Document):
    """A standby server."""

    name: str = Field(description="Its name.")
    state: str = Field(description="The state of its replication.")
    sync: str = Field(description="async, sync, quorum or potential.")
    behind: int | None = Field(description="Bytes that it has still to replay, or null.")


class ReplicationDocument(Document):
    """The replication of the server."""

    standby: bool = Field(description="Whether the server is a standby.")
    replayed_at: datetime | None = Field(description="The time up to which a standby has replayed, or null.")
    standbys: list[StandbyDocument] = Field(description="The standbys of the server.")


class DatabaseStatusDocument(Document):
    """The status of the database. Most fields are null while the server is stopped."""

    embedded: bool = Field(description="Whether it is the embedded Postgres.")
    running: bool = Field(description="Whether it runs.")
    data_directory: Path | None = Field(description="The data folder of the embedded Postgres, or null.")
    address: str | None = Field(description="The address, without the password.")
    server_version: str | None = Field(description="The version of Postgres.")
    user: str | None = Field(description="The role that logs in.")
    role: str | None = Field(description="The role that reads and writes.")
    append_only: AppendOnlyDocument | None = Field(description="The protection of the log.")
    migration: int | None = Field(description="The newest migration that was applied.")
    newest_migration: int | None = Field(description="The newest migration of this version of Backstory.")
    edition: int | None = Field(description="The edition of its functions, views, triggers and grants.")
    newest_edition: int | None = Field(description="The edition of this version of Backstory.")
    schema_current: bool | None = Field(description="Whether the schema is that of this version.")
    schema_serves: bool | None = Field(
        description="Whether this version works with the schema, which may be newer."
    )
    sessions: int | None = Field(description="The number of sessions.")
    events: int | None = Field(description="The number of events.")
    bytes: int | None = Field(description="The size of the database.")
    tables: dict[str, int] = Field(description="By table: its size with indexes.")
    migrations: list[MigrationDocument] = Field(description="The migrations that were applied.")
    feed: FeedLagDocument | None = Field(description="The feed and its consumers.")
    longest_transaction: TransactionDocument | None = Field(
        description="The oldest open transaction of another process, or null."
    )
    replication: ReplicationDocument | None = Field(description="The replication of the server.")

    @classmethod
    def of(cls, status: "DatabaseStatus") -> "DatabaseStatusDocument":
        """The document of a database's status."""
        fields = dict(vars(status))
        protection = fields.pop("protection")
        fields["role"] = protection.role if protection else None
        fields["append_only"] = protection and AppendOnlyDocument(
            grants=protection.by_grants, triggers=protection.by_triggers
        )
        fields["tables"] = {table.name: table.bytes for table in status.tables}
        return cls.model_validate(fields)


class GapsDocument(Document):
    """Tables by the protection that was off."""

    triggers: list[str] = Field(description="Tables without a trigger that refuses changes.")
    grants: list[str] = Field(description="Tables that the service role could change, or could not read.")


class UpgradeDocument(Document):
    """The result of an upgrade."""

    migrations: list[str] = Field(description="The migrations that were applied, in order.")
    replaced_objects: bool = Field(description="Whether functions, views, triggers and grants were replaced.")
    restored: GapsDocument = Field(description="The tables whose protection was off and is on again.")


class DistributionDocument(Document):
    """The result of distributing sessions over a cluster."""

    machines: int = Field(description="The number of machines that hold shards.")
    distributed: list[str] = Field(description="The tables that were distributed by session.")
    replicated: list[str] = Field(description="The tables that were copied to every machine.")
    delegated: list[str] = Field(description="The functions that run on their session's machine.")


class StoppedDocument(Document):
    """The result of stopping the embedded Postgres."""

    stopped: bool = Field(description="Whether it was running.")
