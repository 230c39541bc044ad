"""What sessions have left in the database: the rows of every table, so that a test can see that nothing was added."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg

_TABLES = """
select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attname = 'stream_id'
where n.nspname = 'backstory' and c.relkind = 'r' and c.relname <> 'snapshots' order by 1
"""


class Traces:
    """Looks at a database from outside. Snapshots are left out: reading makes them."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        self._tables = [row[0] for row in connection.execute(_TABLES)]
        self._query = " union all ".join(
            f"select '{table}', t::text from backstory.{table} t where stream_id = %(stream)s"
            for table in self._tables
        )

    def of(self, stream: UUID) -> dict[str, list[Any]]:
        """Every row of a stream, by table."""
        found: dict[str, list[Any]] = {table: [] for table in self._tables}
        for table, row in self._connection.execute(self._query.encode(), {"stream": stream}):
            found[table].append(row)
        return {table: sorted(rows) for table, rows in found.items()}

    def streams(self) -> int:
        """The number of streams."""
        row = self._connection.execute("select count(*) from backstory.streams").fetchone()
        assert row is not None
        return int(row[0])


@contextmanager
def watching(url: str) -> Iterator[Traces]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield Traces(connection)
