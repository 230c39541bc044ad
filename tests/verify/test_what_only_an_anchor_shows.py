"""Whoever rewrites all of a stream, or cuts its tail with all that hangs on it, leaves nothing wrong
inside."""

import hashlib
import struct

import pytest

from backstory.application.session import Session
from backstory.domain.errors import InvalidInput, VerificationFailed
from backstory.domain.log.chain import next_chain
from tests.verify.conftest import Record
from tests.verify.tampering import Row, replace_rows, rows_of


def test_a_rewritten_stream_is_told_by_a_chain_kept_outside(record: Record) -> None:
    session = _session(record)
    kept = session.verify()
    _rewrite(record, session)
    assert session.verify().problem is None
    held = session.verify(anchors={kept.version: kept.chain})
    assert held.problem is not None
    assert held.problem.where == f"events, version {kept.version}"
    assert "kept outside" in held.problem.what


def test_a_cut_tail_is_told_by_a_chain_kept_outside(record: Record) -> None:
    session = _session(record)
    before = _all_rows(record, session)
    session.once("k").message("the tail")
    kept = session.verify()
    after = _all_rows(record, session)
    for table, rows in before.items():
        replace_rows(record.connection, record.tables[table], after[table], rows)
    assert session.verify().problem is None
    with pytest.raises(VerificationFailed, match=f"events, version {kept.version}: is missing"):
        session.verify(anchors={kept.version: kept.chain}).require()


def test_a_chain_kept_outside_agrees_with_a_record_that_was_left_alone(record: Record) -> None:
    session = _session(record)
    kept = session.verify()
    session.message("more")
    assert session.verify(anchors={kept.version: kept.chain}).ok


def test_a_fork_is_held_to_what_was_kept_of_its_parent(record: Record) -> None:
    session = _session(record)
    kept = session.verify()
    fork = session.fork()
    assert fork.verify(anchors={kept.version: kept.chain}).ok
    problem = fork.verify(anchors={kept.version: "00" * 32}).problem
    assert problem is not None
    assert problem.where == f"events, version {kept.version} of {session.id}, where this session began"


def test_a_checkpoint_has_the_chain_to_keep(record: Record) -> None:
    session = _session(record)
    version = session.checkpoints.create("to keep")
    assert session.checkpoints.list()[-1].chain.hex() == session.verify().chain
    assert session.verify().version == version


@pytest.mark.parametrize("anchors", [{0: "00"}, {True: "00"}, {1: "not hex"}, {1: None}])
def test_an_anchor_that_is_none_is_refused(record: Record, anchors: dict[int, str]) -> None:
    with pytest.raises(InvalidInput, match="anchors"):
        record.session.verify(anchors=anchors)


def _session(record: Record) -> Session:
    session = record.store.start(title="short")
    session.once("key").message("one")
    session.message("two")
    return session


def _all_rows(record: Record, session: Session) -> dict[str, list[Row]]:
    return {
        table.name: rows_of(record.connection, table, [session.id])
        for table in record.tables.values()
        if table.of_streams
    }


def _rewrite(record: Record, session: Session) -> None:
    """Changes an event and makes everything that is derived from it agree again."""
    rows = record.store._runtime.log.rows(session.id)
    chain = b""
    for row in rows:
        envelope = row.envelope._replace(actor="mallory") if row.originator_version == 3 else row.envelope
        chain = next_chain(chain, envelope)
        record.connection.execute(
            "update backstory.events set actor = %s, chain = %s where stream_id = %s and version = %s",
            (envelope.actor, chain, session.id, row.originator_version),
        )
        for key, first, fingerprint in record.connection.execute(
            "select key, first_version, fingerprint from backstory.appends "
            "where stream_id = %s and last_version = %s",
            (session.id, row.originator_version),
        ).fetchall():
            sealed = hashlib.sha256(chain + struct.pack(">i", first) + key.encode() + fingerprint).digest()
            record.connection.execute(
                "update backstory.appends set proof = %s where stream_id = %s and key = %s",
                (sealed, session.id, key),
            )
    record.connection.execute(
        "update backstory.streams set chain = %s where stream_id = %s", (chain, session.id)
    )
