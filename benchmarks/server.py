"""A Postgres of the benchmark's own: the embedded one, in a temporary folder, with its default settings."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg

from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.schema import migrate as schema


@contextmanager
def running_server() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="backstory-bench-") as home:
        server = embedded.start_or_join(Path(home))
        try:
            yield server.url(database="postgres")
        finally:
            embedded.stop(Path(home))


def empty_database(server: str) -> str:
    """A new database with nothing in it."""
    name = f"bench_{uuid4().hex[:8]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
    return server.replace("/postgres?", f"/{name}?")


def fresh_database(server: str) -> str:
    """A new database with Backstory's schema."""
    url = empty_database(server)
    schema.upgrade(url)
    return url
