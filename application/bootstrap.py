"""The composition root: finds and prepares a Postgres, and wires the runtime over it. Error messages never contain a
password."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict

from backstory.application.contents.cache import ContentCache
from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput, Refused, SchemaMismatch, ServerUnavailable
from backstory.domain.policies.safety import DEFAULT_SAFETY, SafetyPolicy
from backstory.domain.values import build
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.eventsourcing_library.mapper import EventMapper, NoTranscoder
from backstory.infrastructure.feed.horizon import Horizon
from backstory.infrastructure.llm.embeddings import embedder_from_settings
from backstory.infrastructure.llm.summarizers import OfflineSummarizer, Summarizer, summarizer_from_settings
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.log import EventLog
from backstory.infrastructure.schema import migrate as schema
from backstory.infrastructure.settings import Settings
from backstory.infrastructure.states.replay import StateReader

_CONNECT_SECONDS = 10
_REASONS = (
    "password authentication failed",
    "no password supplied",
    "no pg_hba.conf entry",
    "connection refused",
    "could not translate host name",
    "does not exist",
    "no such file",
    "too many clients",
    "starting up",
    "shutting down",
    "timeout",
)


def make_runtime(
    database: Database,
    reader: StateReader | None = None,
    summarizer: Summarizer | None = None,
    on_alert: Callable[[Any], None] | None = None,
) -> Runtime:
    """Wires a runtime over a database."""
    cache = ContentCache()
    reader = reader or StateReader(database)
    reader.on_other_log = cache.forget
    return Runtime(
        database=database,
        log=EventLog(database),
        reader=reader,
        mapper=EventMapper(NoTranscoder()),
        contents=cache,
        horizon=Horizon(database),
        summarizer=summarizer or OfflineSummarizer(),
        on_alert=on_alert,
    )


def open_runtime(
    url: str | None,
    data_dir: Path | str | None,
    settings: Settings,
    *,
    migrate: bool,
    summarizer: Summarizer | None,
    on_alert: Callable[[Any], None] | None,
    record_reads: bool = False,
) -> Runtime:
    """Connects to a Postgres, starts it if it is the embedded one, and brings its schema up to date."""
    embedder = embedder_from_settings(settings)
    target = find_target(url, data_dir)
    address = target.started()
    prepare(address, migrate=migrate)
    database = Database(
        address,
        pool_size=settings.pool_size,
        patience=settings.patience,
        revive=target.started if target.is_embedded else None,
        read_url=standby_url(settings),
    )
    database.open()
    return make_runtime(
        database, summarizer=summarizer or summarizer_from_settings(settings), on_alert=on_alert
    )._replace(embedder=embedder, record_reads=record_reads, safety=safety_of(settings))


def safety_of(settings: Settings) -> SafetyPolicy:
    """What is done with suspicious texts, where a project has not chosen."""
    return replace(
        DEFAULT_SAFETY,
        secrets=settings.secrets or DEFAULT_SAFETY.secrets,
        imported_secrets=settings.secrets or DEFAULT_SAFETY.imported_secrets,
        instructions=settings.instructions,
    )


class Target(NamedTuple):
    """A Postgres to talk to, and the data home when it is the embedded one."""

    url: str | None
    data_home: Path | None

    @property
    def is_embedded(self) -> bool:
        return self.url is None

    def started(self) -> str:
        """The URL; the embedded server is started for it, or joined."""
        return embedded.start_or_join(self.data_home).url() if self.url is None else self.url


def read_settings(**given: object) -> Settings:
    """The settings from the environment, but for those that are given."""
    return build(Settings, **{name: value for name, value in given.items() if value is not None})


def find_target(url: str | None = None, data_dir: Path | str | None = None) -> Target:
    """The Postgres at `url`, else at BACKSTORY_DATABASE_URL, else the embedded one in the data directory."""
    settings = read_settings()
    if url is not None and not isinstance(url, str):
        raise InvalidInput("url", f"must be text, got {type(url).__name__}")
    if url is not None and not url.strip():
        # A variable that was never set, most likely: another database than the one meant would be a bad surprise.
        raise InvalidInput("url", "must not be empty; leave it out for the embedded Postgres")
    address = url or (settings.database_url.get_secret_value() if settings.database_url else None)
    return Target(address or None, Path(data_dir) if data_dir is not None else settings.data_dir)


def standby_url(settings: Settings) -> str | None:
    """The address of a standby for reads, where one is set."""
    url = settings.read_url.get_secret_value() if settings.read_url else ""
    try:
        conninfo_to_dict(url)
    except (psycopg.Error, UnicodeError):
        # The driver's own message may carry the password.
        raise InvalidInput(
            "read_url", "must be a Postgres address, such as postgresql://user@host:5432/database"
        ) from None
    return url or None


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection]:
    """A connection of its own, in autocommit mode."""
    # The driver's own messages may carry parts of the address, so of the password: they are not passed on.
    try:
        connection = psycopg.connect(url, autocommit=True, connect_timeout=_CONNECT_SECONDS)
    except psycopg.OperationalError as error:
        raise ServerUnavailable("cannot connect to Postgres: " + _reason(error)) from None
    except (psycopg.Error, UnicodeError):
        raise InvalidInput(
            "url", "must be a Postgres address, such as postgresql://user@host:5432/database"
        ) from None
    with connection:
        yield connection


def prepare(url: str, *, migrate: bool) -> None:
    """Sees to it that the database answers and has this code's schema, or a newer one that serves it."""
    found = _schema_status(url)
    if found.serves:
        return
    schema.refuse_foreign(found)
    if not migrate:
        raise SchemaMismatch("the database lacks Backstory's current schema: run 'backstory db upgrade'.")
    try:
        upgrade(url)
    except SchemaMismatch:
        # Newer code may have upgraded it in the meantime.
        if not _schema_status(url).serves:
            raise


def _schema_status(url: str) -> schema.SchemaStatus:
    with connected(url) as connection:
        schema.check_server(connection)
        try:
            return schema.status(connection)
        except psycopg.errors.InsufficientPrivilege as error:
            reason = error.diag.message_primary
            raise Refused(f"{connection.info.user} may not use the database: {reason}.") from None


def upgrade(url: str) -> schema.Upgraded:
    """Brings the database to this code's schema."""
    with connected(url):
        pass
    try:
        return schema.upgrade(url)
    except psycopg.Error as error:
        reason = error.diag.message_primary or "the server gave no reason"
        raise SchemaMismatch(f"the schema cannot be upgraded: {reason}.") from error


def _reason(error: psycopg.OperationalError) -> str:
    text = str(error).lower()
    for reason in _REASONS:
        if reason in text:
            return reason + "."
    return "it does not answer."
