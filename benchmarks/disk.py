"""What a thousand messages of 540 characters take on disk, indexes included."""

import psycopg

from backstory import ContextStore
from benchmarks.messages import LENGTH, MESSAGES

COUNT = 1000
_LOG = ("events", "contents")
_EVERYTHING = (*_LOG, "streams", "items", "snapshots", "seams", "checkpoints", "appends")


def disk_ratio(url: str) -> tuple[float, float]:
    """Bytes of log and contents, and of everything, over the bytes of the text. On a database of its own."""
    with ContextStore.open(url) as store:
        session = store.start()
        for number in range(COUNT):
            session.message(MESSAGES[number])
            if number % 100 == 0:
                assert session.state.version == number + 2
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("checkpoint")
        size = {
            table: connection.execute(
                "select pg_total_relation_size(%s::regclass)", (f"backstory.{table}",)
            ).fetchone()[0]  # type: ignore[index]
            for table in _EVERYTHING
        }
    text = COUNT * LENGTH
    return sum(size[table] for table in _LOG) / text, sum(size.values()) / text
