"""Whether a service can answer: its database, the schema, the feed."""

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

import psycopg

from backstory.application.bootstrap import make_runtime
from backstory.application.feed.feed import feed_status
from backstory.application.operations.redaction import reason_of
from backstory.application.runtime import Runtime
from backstory.domain.errors import BackstoryError, SchemaMismatch
from backstory.infrastructure.postgres.job_connections import JobDatabase
from backstory.infrastructure.schema import migrate as schema

if TYPE_CHECKING:
    from backstory.application.store import ContextStore

SECONDS = 2.0
"""Seconds that the database may take to answer."""
HELD = 1.0
"""Seconds for which an answer holds: whoever may ask without a key may ask often."""


class Readiness(NamedTuple):
    """Whether requests can be answered now."""

    ready: bool
    database: bool
    """Whether the database answers."""
    schema: bool
    """Whether it has a schema that this version can work with."""
    feed_behind: int | None
    """The number of events that readers of the feed cannot get yet."""
    feed_seconds: float | None
    """The age of the oldest of these."""
    reason: str | None
    """Why it is not ready."""


class ReadinessCheck:
    """Asks the database on a connection of its own, so that the answer does not wait for those of the service."""

    def __init__(self, store: "ContextStore") -> None:
        self._url = store._runtime.database.url
        self._lock = threading.Lock()
        self._runtime: Runtime | None = None
        self._newest: tuple[float, Readiness] | None = None

    def check(self) -> Readiness:
        """Whether the service is ready, as of a second ago at most."""
        with self._lock:
            if self._newest is None or time.monotonic() - self._newest[0] > HELD:
                found = self._checked()
                self._newest = (time.monotonic(), found)
            return self._newest[1]

    def close(self) -> None:
        if self._runtime is not None:
            self._runtime.database.close()
            self._runtime = None

    def _checked(self) -> Readiness:
        try:
            runtime = self._connected()
            if not runtime.database.read(schema.status).serves:
                return Readiness(False, True, False, None, None, str(SchemaMismatch(_MISMATCH)))
            feed = feed_status(runtime)
        except (BackstoryError, psycopg.Error, OSError) as error:
            self.close()
            return Readiness(False, False, False, None, None, reason_of(error, self._url))
        return Readiness(True, True, True, feed.behind, feed.seconds, None)

    def _connected(self) -> Runtime:
        if self._runtime is None:
            database = JobDatabase(self._url, limit=SECONDS, pool_size=1, patience=SECONDS)
            try:
                database.open()
            except BaseException:
                database.close()
                raise
            self._runtime = make_runtime(database)
        return self._runtime


_MISMATCH = "the database's schema is of another version: run 'backstory db upgrade'."
