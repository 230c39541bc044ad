"""Triggers fired from the feed, so that none is missed."""

from collections.abc import Collection
from typing import TYPE_CHECKING

import psycopg

from backstory.application.feed.projections import FeedBatch, TryLater
from backstory.application.triggers.evaluation import Configurations
from backstory.application.triggers.firing import fire
from backstory.domain.errors import BackstoryError, NotFound
from backstory.infrastructure.postgres.queries import query

if TYPE_CHECKING:
    from backstory.application.store import ContextStore


class TriggersProjection:
    """Fires triggers of the sessions in the feed. Firings are appends under keys that follow from the changes, so a
    batch that is applied twice changes nothing."""

    name = "triggers"
    types: Collection[str] = ()

    def __init__(self, store: "ContextStore") -> None:
        self._store = store

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        runtime = self._store._runtime
        rows = runtime.database.read(
            lambda c: c.execute(query("sessions_in_feed"), (batch.after, batch.upto)).fetchall()
        )
        configurations = Configurations(runtime)
        for stream, project, first, last in rows:
            try:
                if configurations.has_any(project):
                    fire(runtime, stream, first, last, configurations, final=True)
            except NotFound:
                continue  # It was purged meanwhile.
            except BackstoryError as error:
                raise TryLater(f"{self.name}: {error}") from error

    def reset(self, connection: psycopg.Connection) -> None:
        """Fires nothing again: what was fired is in the log."""
