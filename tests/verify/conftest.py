"""One rich record for all tampering, with the triggers that would refuse it switched off."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from backstory.application.integrity.findings import Finding
from backstory.application.search.index import index_stream
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.access import Caller
from backstory.infrastructure.eventsourcing_library.recorder import OPAQUE
from tests.verify.rich_session import write_fork, write_session
from tests.verify.tampering import Row, Table, rows_of, tables


@dataclass
class Record:
    """A session and its fork, and a superuser's connection to the database they are in."""

    store: ContextStore
    session: Session
    fork: Session
    connection: psycopg.Connection
    tables: dict[str, Table]

    @property
    def streams(self) -> list[UUID]:
        return [self.session.id, self.fork.id]

    def rows(self, table: str) -> list[Row]:
        """The rows of the two; of a table that knows no streams, or only what is left of others, all."""
        found = self.tables[table]
        of_two = found.of_streams and table != "tombstones"
        return rows_of(self.connection, found, self.streams if of_two else ())

    def problem(self, stream: UUID) -> Finding | None:
        """The first thing wrong: with a session, with the other, or with the store as a whole."""
        for session in sorted((self.session, self.fork), key=lambda one: one.id != stream):
            found = session.verify().problem
            if found is not None:
                return found
        return next((problem for _, problem in self.store.verify_all().problems), None)


@pytest.fixture(scope="module")
def record(module_database: str) -> Iterator[Record]:
    with (
        ContextStore.open(module_database) as store,
        psycopg.connect(module_database, autocommit=True) as connection,
    ):
        session = write_session(store)
        fork = write_fork(session)
        _write_besides(store, connection, session)
        found = tables(connection)
        for table in found:
            connection.execute(
                sql.SQL("alter table {} disable trigger all").format(sql.Identifier("backstory", table))
            )
        # The owner of the tables can take this check away as well as the triggers.
        connection.execute("alter table backstory.events drop constraint cause_is_earlier")
        made = Record(store, session, fork, connection, found)
        assert store.verify_all().problems == ()
        yield made
        assert store.verify_all().problems == (), "a test left something behind"


def _write_besides(store: ContextStore, connection: psycopg.Connection, session: Session) -> None:
    """Rows of what is not a session's: snapshots that reads do not use, a consumer, jobs, rules,
    rebuilds, files that are being imported, an anchor, a tombstone."""
    reader = store._runtime.reader
    for version in (3, session.version):
        reader.save(reader.state(session.id, version))
    for version, fold_version in ((3, OPAQUE), (5, 1000)):
        connection.execute(
            "insert into backstory.snapshots values (%s, %s, %s, '\\x01')",
            (session.id, version, fold_version),
        )
    connection.execute("select backstory.track('consumer', 1), backstory.track('another', 2)")
    for job in ("tiers", "checkpoints"):
        connection.execute("select backstory.begin_job(%s, 'one', 60, true)", (job,))
        connection.execute("select backstory.end_job(%s, 1, 'failed', 2, 'no reason', 'here')", (job,))
    (newest,) = connection.execute("select last_value from backstory.positions").fetchone() or (0,)
    for consumer, position in (("consumer", newest), ("another", newest - 1)):
        connection.execute("select backstory.set_aside(%s, %s, 3, 'why not')", (consumer, position))
    session.details.set_project("orders")
    connection.execute("select backstory.count_activity(0, %s)", (newest + 1,))
    for upto in (5, session.version):
        with connection.transaction():
            index_stream(store._runtime, connection, session.id, upto)
    for version in (2, 3):
        connection.execute(
            "insert into backstory.embeddings values (%s, %s, 'a model', 2, %s)",
            (session.id, version, bytes((0, version, 0, 60))),
        )
    for project in ("P", "Q"):
        store.set_retention(project, 30, purge_to="/archive", by="ana")
    for name in ("one", "two"):
        store.keys.create(name, "read", projects=["P"], agent="a", by="ana", expires_at=datetime.now(UTC))
        store.keys.revoke(name)
        connection.execute("update backstory.keys set last_used = now()")
        store.keys.note(str(uuid4()), name, "purge_session", "/api/v1", 403, "127.0.0.1")
    for name in (b"one", b"two"):
        connection.execute(
            "insert into backstory.answers values ('k', '/a', %s, %s, %s, now(), true, 200, %s)",
            (name, name, session.id, name),
        )
        connection.execute(
            "insert into backstory.code_files values (%s, 'python', 1, current_date, 2, 'why', %s, %s, %s, %s)",
            (name, *[b"\x01"] * 4),
        )
        connection.execute(
            "insert into backstory.code_commits values (%s, 1, current_date, %s, %s)",
            (name, b"\x01", b"a.py\0"),
        )
    keyed = store.on_behalf_of(Caller("one")).session(session.id)
    keyed.message("by a key")
    for projections in ("read models", "others"):
        connection.execute(
            "insert into backstory.rebuilds values (%s, now(), now(), now(), %s, 1, 2)",
            (projections, session.id),
        )
    for _ in range(2):
        connection.execute("select backstory.purge(%s)", (store.start().id,))
