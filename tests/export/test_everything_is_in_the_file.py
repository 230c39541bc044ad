"""An export holds every column that is under the chain exactly, and nothing of it hangs on when it was made."""

import json
from pathlib import Path
from typing import Any

import pytest

from backstory import ContextStore, audit_export
from backstory.application.session import Session
from backstory.application.transfer.lines import AppendLine, ContentLine, EventLine, Header, Line, decode
from backstory.domain.log.chain import Envelope
from tests.verify.rich_session import write_fork, write_session


@pytest.fixture(scope="module")
def family(store: ContextStore) -> tuple[Session, Session]:
    session = write_session(store)
    return session, write_fork(session)


def read(path: Path) -> list[Line]:
    return [decode(line) for line in path.read_bytes().splitlines(keepends=True)]


def test_every_row_is_there(store: ContextStore, family: tuple[Session, Session], tmp_path: Path) -> None:
    session, _ = family
    store.export(session.id, tmp_path / "one.jsonl")
    lines = read(tmp_path / "one.jsonl")
    events = [line for line in lines if isinstance(line, EventLine)]
    rows = store._runtime.log.rows(session.id)
    assert [line.envelope(session.id) for line in events] == [row.envelope for row in rows]
    assert [line.chain for line in events] == [row.chain.hex() for row in rows]
    contents = {line.content: line for line in lines if isinstance(line, ContentLine)}
    found = store._runtime.database.read(
        lambda c: c.execute(
            "select version, part, media_type, salt, bytes, shared_version, shared_part "
            "from backstory.contents where stream_id = %s",
            (session.id,),
        ).fetchall()
    )
    assert len(found) == len(contents)
    for version, part, media, salt, data, shared_version, shared_part in found:
        line = contents[version, part]
        assert (line.media, line.salt, line.data()) == (media, salt.hex(), data)
        assert line.same_as == (None if shared_version is None else (shared_version, shared_part))
    keys = {line.append for line in lines if isinstance(line, AppendLine)}
    assert keys == {"first", "second", "together", "last"}


def test_erased_contents_are_not(store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    secret = session.message("the password is hunter2")
    session.erase(secret, "a secret")
    store.export(session.id, tmp_path / "erased.jsonl")
    assert b"hunter2" not in (tmp_path / "erased.jsonl").read_bytes()
    found = audit_export(tmp_path / "erased.jsonl").require()
    assert (found.erased, found.contents) == (1, 1)


def test_bytes_that_are_no_text(store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    data = bytes(range(256))
    session.items.save("artifact", data, media_type="application/octet-stream")
    session.message("nul \0, \u2028 and a lone \\ud800 in words")
    store.export(session.id, tmp_path / "bytes.jsonl")
    saved, said = [line for line in read(tmp_path / "bytes.jsonl") if isinstance(line, ContentLine)]
    assert (saved.text, saved.data()) == (None, data)
    assert said.text == "nul \0, \u2028 and a lone \\ud800 in words"


def test_a_fork_brings_what_it_began_in(
    store: ContextStore, family: tuple[Session, Session], tmp_path: Path
) -> None:
    session, fork = family
    done = store.export(fork.id, tmp_path / "fork.jsonl")
    assert [end.stream for end in done.streams] == [session.id, fork.id]
    assert [end.version for end in done.streams] == [session.version, fork.version]
    assert done.streams[1][2] == fork.verify().chain
    header = read(tmp_path / "fork.jsonl")[0]
    assert isinstance(header, Header)
    assert header.sessions == (fork.id,)
    both = store.export([fork.id, session.id, fork.id], tmp_path / "both.jsonl")
    assert both.streams == done.streams
    assert both.sessions == (fork.id, session.id)


def test_the_same_sessions_give_the_same_bytes(
    store: ContextStore, family: tuple[Session, Session], tmp_path: Path
) -> None:
    _, fork = family
    store.export(fork.id, tmp_path / "a.jsonl")
    fork.at(fork.version - 1)  # Leaves snapshots.
    store.export(fork.id, tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_every_line_is_plain_json(
    store: ContextStore, family: tuple[Session, Session], tmp_path: Path
) -> None:
    store.export(family[1].id, tmp_path / "plain.jsonl")
    lines: list[dict[str, Any]] = list(map(json.loads, (tmp_path / "plain.jsonl").read_bytes().splitlines()))
    assert [next(iter(line)) for line in (lines[0], lines[1], lines[2], lines[-2], lines[-1])] == [
        "backstory",
        "stream",
        "event",
        "end",
        "closing",
    ]
    assert set(lines[2]) <= {"event", *Envelope._fields, "schema", "recorded", "occurred", "chain"}


def test_compressed_it_says_the_same(
    store: ContextStore, family: tuple[Session, Session], tmp_path: Path
) -> None:
    plain = store.export(family[1].id, tmp_path / "x.jsonl")
    packed = store.export(family[1].id, tmp_path / "x.jsonl.zst", zstd=True)
    assert (packed.sha256, packed.bytes) == (plain.sha256, plain.bytes)
    assert (tmp_path / "x.jsonl.zst").stat().st_size < plain.bytes / 3
    assert audit_export(tmp_path / "x.jsonl.zst").require().sha256 == plain.sha256


def test_progress_is_told(store: ContextStore, family: tuple[Session, Session], tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    done = store.export(family[1].id, tmp_path / "x.jsonl", progress=lambda *numbers: told.append(numbers))
    assert told[-1] == (done.events, done.events)
