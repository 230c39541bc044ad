"""The search index, maintained from the feed."""

from collections.abc import Collection

import psycopg

from backstory.application.feed.projections import FeedBatch
from backstory.application.search.index import index_stream
from backstory.infrastructure.postgres.queries import query


class SearchProjection:
    """Indexes the texts of sessions. What it has not come to yet is found all the same, only slower."""

    name = "search"
    types: Collection[str] = ()
    acts_as_service = True

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        rows = connection.execute(query("streams_in_feed"), (batch.after, batch.upto)).fetchall()
        for stream, newest in rows:
            index_stream(batch._runtime, connection, stream, newest)

    def reset(self, connection: psycopg.Connection) -> None:
        connection.execute(query("forget_index"))
