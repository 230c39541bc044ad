"""An import that was interrupted goes on: with the sessions that are not there yet, and without a second audit of a
file that was found to be sound. What was altered since is another file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from backstory import ContextStore, VerificationFailed
from backstory.application.session import Session
from backstory.application.transfer import importer
from backstory.application.transfer.audit import audit_opened
from backstory.application.transfer.files import ExportFile, opened
from backstory.application.transfer.indexing import index_export
from backstory.infrastructure.postgres.queries import query
from tests.audit.altering import changed, closed, lines_of, rechained
from tests.verify.rich_session import write_fork, write_session

NOTED = "select audited_by from backstory.audited_files"


class Interruption(Exception):
    """The import is cut off here."""


@pytest.fixture
def sessions(store: ContextStore) -> list[Session]:
    first = write_session(store)
    return [first, write_fork(first), write_session(store)]


@pytest.fixture(params=[False, True], ids=["plain", "zstd"])
def file(
    request: pytest.FixtureRequest, store: ContextStore, sessions: list[Session], tmp_path: Path
) -> Path:
    path = tmp_path / "sessions.jsonl"
    store.export([session.id for session in sessions], path, zstd=request.param)
    return path


@pytest.fixture
def target(new_database: Callable[[], str]) -> Iterator[ContextStore]:
    with ContextStore.open(new_database()) as target:
        yield target


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were audited, and the smallest one counts as worth to be noted."""
    seen: list[Path] = []

    def audit(file: Any, path: Path, **more: Any) -> Any:
        seen.append(path)
        return audit_opened(file, path, **more)

    monkeypatch.setattr(importer, "audit_opened", audit)
    monkeypatch.setattr(importer, "NOTED_FROM", 0)
    return seen


def interrupt(target: ContextStore, file: Path, sessions: int) -> None:
    """Begins an import that is cut off when so many sessions are there."""

    def progress(done: int, total: int) -> None:
        if done >= total / 2 and len(target.sessions()) >= sessions:
            raise Interruption

    with pytest.raises(Interruption):
        target.import_file(file, progress=progress)


def rows(target: ContextStore, text: str) -> list[Any]:
    with psycopg.connect(target._runtime.database.url) as connection:
        return connection.execute(text.encode()).fetchall()


@pytest.mark.parametrize("there", [0, 1, 2])
def test_it_is_not_audited_again(
    target: ContextStore, file: Path, sessions: list[Session], audits: list[Path], there: int
) -> None:
    interrupt(target, file, there)
    assert len(target.sessions()) == there
    assert rows(target, NOTED) == [(importer.AUDITOR,)]
    done = target.import_file(file)
    assert audits == [file]
    assert [one.already_there > 0 for one in done] == [place < there for place in range(3)]
    for session in sessions:
        moved = target.session(session.id)
        assert moved.verify().require().chain == session.verify().chain
        assert moved.state == session.state
    assert rows(target, NOTED) == []
    target.import_file(file)
    assert audits == [file, file], "it is done, and nothing is kept of it"


def test_cut_off_when_all_was_done(target: ContextStore, file: Path, audits: list[Path]) -> None:
    interrupt(target, file, 3)
    assert len(rows(target, NOTED)) == 1
    target.import_file(file)
    assert rows(target, NOTED) == []


def test_what_was_altered_since_is_another_file(
    target: ContextStore, sessions: list[Session], audits: list[Path], tmp_path: Path, store: ContextStore
) -> None:
    path = tmp_path / "sessions.jsonl"
    store.export([session.id for session in sessions], path)
    interrupt(target, path, 1)
    lines = lines_of(path)
    place = next(place for place, line in enumerate(lines) if line.startswith(b'{"content"'))
    lines[place] = changed(lines[place], text="forged")
    path.write_bytes(closed(rechained(lines)))
    with pytest.raises(VerificationFailed, match=r"content .* does not match the digest in its event"):
        target.import_file(path)
    assert audits == [path, path]
    assert len(target.sessions()) == 1


def test_the_word_of_other_code_is_not_taken(
    target: ContextStore, file: Path, audits: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(importer, "AUDITOR", "backstory 0.0.1, fold 1")
        interrupt(target, file, 1)
    target.import_file(file)
    assert audits == [file, file]


def test_a_small_file_is_not_noted(
    target: ContextStore, file: Path, audits: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "NOTED_FROM", 2**20)
    interrupt(target, file, 1)
    assert rows(target, NOTED) == []


def test_what_nobody_comes_back_to_goes_after_a_week(
    target: ContextStore, file: Path, audits: list[Path]
) -> None:
    target._runtime.database.repeat(
        lambda c: c.execute(query("note_audited"), (b"another file", "x")), certain=True
    )
    with psycopg.connect(target._runtime.database.url, autocommit=True) as connection:
        connection.execute("update backstory.audited_files set audited_at = audited_at - interval '8 days'")
    interrupt(target, file, 1)
    assert rows(target, NOTED) == [(importer.AUDITOR,)]


def test_what_is_hashed_leads_to_the_same_places(file: Path) -> None:
    with opened(file) as found:
        audit, inspection = audit_opened(found, file)
        index = index_export(found, lambda place: None)
        assert audit.ok
        assert index is not None
        assert inspection.family is not None
        assert index.digest == inspection.digest
        assert index.family.header == inspection.family.header
        for id, stream in inspection.family.streams.items():
            assert (index.family.streams[id].place, index.family.streams[id].offsets) == (
                stream.place,
                stream.offsets,
            )
            assert index.marks[id].after == inspection.marks[id].after
            assert index.marks[id].before.digest() == inspection.marks[id].before.digest()


@pytest.mark.parametrize("data", [b"", b"{}\n", b'{"backstory":"export"}\n'])
def test_what_cannot_be_an_export_has_no_index(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    with (tmp_path / "x").open("rb") as file:
        assert index_export(ExportFile(file), lambda place: None) is None
