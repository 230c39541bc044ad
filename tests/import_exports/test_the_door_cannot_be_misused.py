"""The import's functions, called by a client that means harm: nothing gets under a stream that is there, and nothing in
that does not hold together."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from backstory import ContextStore
from backstory.domain.log.chain import Envelope, next_chain
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.schema.protection import SERVICE_ROLE

THEN = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def service(url: str) -> Iterator[psycopg.Connection]:
    """All that a stolen login of the service can do."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"set role {SERVICE_ROLE}".encode())
        yield connection


def forged(stream: UUID, version: int, at: datetime, chain: bytes = b"") -> dict[str, Any]:
    envelope = Envelope(stream, version, "acme:forged", 1, at, None, 0, None, "eve", None, None, b"{}")
    return {
        "stream": stream,
        "kind": "session",
        "first": version,
        "origin_chain": chain or None,
        "chain": next_chain(chain, envelope),
        "events": json.dumps(
            [{"type": "acme:forged", "schema": 1, "recorded": at.isoformat(), "epoch": 0, "actor": "eve"}]
        ),
        "payloads": [b"{}"],
    }


def refused(connection: psycopg.Connection, state: str, *calls: tuple[bytes, Any]) -> None:
    """The calls, in one transaction, end with this error."""
    with pytest.raises(psycopg.Error) as error:
        _call(connection, calls)
    assert error.value.sqlstate == state, error.value


def _call(connection: psycopg.Connection, calls: tuple[tuple[bytes, Any], ...]) -> None:
    with connection.transaction():
        for text, parameters in calls:
            connection.execute(text, parameters)


def test_nothing_gets_under_a_stream_that_is_there(store: ContextStore, service: psycopg.Connection) -> None:
    session = store.start()
    session.message("hello")
    chain = bytes.fromhex(session.verify().chain)
    refused(service, "BS010", (query("import_events"), forged(session.id, 3, THEN, chain)))
    refused(service, "BS010", (query("finish_import"), (session.id, 2, chain, None)))
    appends = json.dumps([{"key": "k", "first": 1, "last": 2, "fingerprint": "00" * 32}])
    contents = (session.id, json.dumps([{"version": 2, "part": 7, "salt": ""}]), [b"x"])
    refused(service, "BS010", (query("import_contents"), contents))
    refused(
        service,
        "BS010",
        (
            query("import_appends"),
            (session.id, appends),
        ),
    )
    assert session.verify().ok


def test_not_even_in_a_transaction_that_has_just_appended_to_it(
    store: ContextStore, service: psycopg.Connection
) -> None:
    session = store.start()
    event = json.dumps([{"type": "acme:x", "schema": 1}])
    text = b"select backstory.append(%s, %s, array['{}'::bytea]" + b", null" * 12 + b")"
    later = forged(session.id, 3, datetime.now(UTC) + timedelta(days=9000), b"\1" * 32)
    refused(service, "BS010", (text, (session.id, event)), (query("import_events"), later))
    assert session.version == 1


def test_a_chain_that_is_not_that_of_the_events(service: psycopg.Connection) -> None:
    refused(service, "BS009", (query("import_events"), forged(uuid4(), 1, THEN) | {"chain": b"\0" * 32}))


def test_versions_with_a_gap_and_times_that_go_back(service: psycopg.Connection) -> None:
    stream = uuid4()
    refused(service, "BS009", (query("import_events"), forged(stream, 2, THEN)))
    first = forged(stream, 1, THEN)
    for second in (
        forged(stream, 3, THEN, first["chain"]),
        forged(stream, 2, THEN - timedelta(microseconds=1), first["chain"]),
    ):
        refused(service, "BS009", (query("import_events"), first), (query("import_events"), second))


def test_an_end_that_is_not_the_exports(service: psycopg.Connection) -> None:
    first = forged(uuid4(), 1, THEN)
    end = (first["stream"], 1, b"\0" * 32, None)
    refused(service, "BS009", (query("import_events"), first), (query("finish_import"), end))


def test_what_was_purged_comes_back_only_as_it_was(store: ContextStore, service: psycopg.Connection) -> None:
    session = store.start()
    store.purge(session.id, without_export=True)
    first = forged(session.id, 1, THEN)
    end = (session.id, 1, first["chain"], None)
    refused(service, "BS010", (query("import_events"), first), (query("finish_import"), end))
    refused(service, "42501", (b"delete from backstory.tombstones where stream_id = %s", (session.id,)))
