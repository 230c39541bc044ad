"""A hundred events a commit, against COPY of the same rows."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from statistics import median
from uuid import uuid4

import psycopg

from backstory import ContextStore
from benchmarks.contenders import EFFECTS, REFERENCE, SUMMARY, Append
from benchmarks.messages import MESSAGES

SIZE = 100


@contextmanager
def raw_copy(url: str) -> Iterator[Append]:
    """psycopg: event, content and item rows by COPY, and the stream's row, in one transaction."""
    connection = psycopg.connect(url, autocommit=True)
    stream = uuid4()
    connection.execute(
        "insert into raw_streams values (%s, now(), now(), 0, 0, 'session', '', %s)", (stream, SUMMARY)
    )

    def append(number: int) -> None:
        first = number * SIZE
        now = datetime.now(UTC)
        with connection.transaction(), connection.cursor() as cursor:
            with cursor.copy(
                "copy raw_events (stream_id, version, position, type, schema_version, recorded_at, epoch, actor, "
                "chain, effects, payload) from stdin"
            ) as copy:
                for version in range(first, first + SIZE):
                    chain = os.urandom(32)
                    copy.write_row(
                        (
                            stream,
                            version,
                            version,
                            "message.added",
                            1,
                            now,
                            0,
                            "user",
                            chain,
                            EFFECTS,
                            REFERENCE,
                        )
                    )
            with cursor.copy("copy raw_contents (stream_id, version, part, salt, bytes) from stdin") as copy:
                for version in range(first, first + SIZE):
                    text = MESSAGES[version % len(MESSAGES)].encode()
                    copy.write_row((stream, version, 0, os.urandom(16), text))
            with cursor.copy(
                "copy raw_items (stream_id, brought_at, touched_at, importance, item, changed, tokens, accesses, "
                "private, tier, type, windows) from stdin"
            ) as copy:
                for version in range(first, first + SIZE):
                    copy.write_row(
                        (stream, now, now, 0.7, version, version, 120, 0, False, "WARM", "message", ["main"])
                    )
            cursor.execute(
                "update raw_streams set version = %s, chain = %s, summary = %s where stream_id = %s",
                (first + SIZE, os.urandom(32), SUMMARY, stream),
            )

    yield append
    connection.close()


@contextmanager
def backstory_batch(url: str) -> Iterator[Append]:
    """Backstory: a hundred messages in one `atomic` block."""
    with ContextStore.open(url) as store:
        session = store.start()

        def append(number: int) -> None:
            with session.atomic() as tx:
                for place in range(SIZE):
                    tx.message(MESSAGES[(number * SIZE + place) % len(MESSAGES)])

        yield append


def events_per_second(url: str, rounds: int, batches: int = 12) -> dict[str, float]:
    found: dict[str, list[float]] = {"raw COPY": [], "backstory": []}
    for _ in range(rounds):
        for name, opened in (("raw COPY", raw_copy), ("backstory", backstory_batch)):
            with opened(url) as append:
                append(0)
                began = time.perf_counter()
                for number in range(1, batches + 1):
                    append(number)
                found[name].append(batches * SIZE / (time.perf_counter() - began))
    return {name: median(values) for name, values in found.items()}
