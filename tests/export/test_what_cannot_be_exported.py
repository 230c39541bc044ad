"""What cannot be exported is refused by name, and leaves no file behind."""

from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from backstory import ContextStore, InvalidInput, Refused, UnknownSession, VerificationFailed


@pytest.mark.parametrize(
    ("sessions", "name", "error", "words"),
    [
        ([], "x.jsonl", InvalidInput, "sessions: must name at least one"),
        (5, "x.jsonl", InvalidInput, "sessions: must be a list"),
        ("nonsense", "x.jsonl", InvalidInput, "session: must be an id, a part of one, or 'last'"),
        ([uuid4()], "x.jsonl", UnknownSession, "does not exist"),
        (None, "no/such/folder/x.jsonl", InvalidInput, "file: .* cannot be written: No such file"),
        (None, ".", InvalidInput, "file: .* is a folder"),
        (None, "x\0.jsonl", InvalidInput, "file: .* cannot be a path"),
    ],
)
def test_bad_input(
    store: ContextStore, tmp_path: Path, sessions: object, name: str, error: type[Exception], words: str
) -> None:
    wanted = store.start().id if sessions is None else sessions
    with pytest.raises(error, match=words):
        store.export(wanted, tmp_path / name)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_not_written_over(store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    (tmp_path / "x.jsonl").write_text("mine")
    with pytest.raises(Refused, match="is there already"):
        store.export(session.id, tmp_path / "x.jsonl")
    assert (tmp_path / "x.jsonl").read_text() == "mine"
    store.export(session.id, tmp_path / "x.jsonl", overwrite=True)
    assert (tmp_path / "x.jsonl").read_bytes().startswith(b'{"backstory":"export"')


def test_a_record_that_was_tampered_with(store: ContextStore, url: str, tmp_path: Path) -> None:
    session = store.start()
    session.message("hello")
    with psycopg.connect(url) as connection:
        connection.execute("alter table backstory.events disable trigger all")
        connection.execute(
            "update backstory.events set actor = 'eve' where stream_id = %s and version = 2", (session.id,)
        )
        connection.execute("alter table backstory.events enable always trigger append_only")
    with pytest.raises(VerificationFailed, match="version 2: does not match its chain"):
        store.export(session.id, tmp_path / "x.jsonl")
    assert list(tmp_path.iterdir()) == []
