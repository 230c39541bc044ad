"""Databases without a schema, on each server, and logins that may do less than a superuser."""

from collections.abc import Callable, Iterator
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from tests.conftest import create_database, drop_database


@pytest.fixture(params=["embedded_server", "debian_server"])
def server(request: pytest.FixtureRequest) -> str:
    """The superuser's URL of the embedded Postgres, then of Debian's."""
    url: str = request.getfixturevalue(request.param)
    return url


@pytest.fixture
def empty_database(server: str) -> Iterator[str]:
    url = create_database(server)
    yield url
    drop_database(server, url)


@pytest.fixture
def new_login(server: str) -> Callable[..., str]:
    """Makes logins: `new_login("createrole")`. They go with their server."""

    def make(attributes: str = "", member_of: str | None = None) -> str:
        name = f"login_{uuid4().hex[:12]}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"create role {name} login {attributes}".encode())
            if member_of is not None:
                membership = sql.SQL("grant {} to {}").format(sql.Identifier(member_of), sql.Identifier(name))
                connection.execute(membership)
        return name

    return make


def as_login(url: str, name: str) -> str:
    """The same database, entered by another login."""
    return url.replace("postgres@", f"{quote(name)}@", 1)
