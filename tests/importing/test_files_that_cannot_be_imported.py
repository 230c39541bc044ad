"""What is no transcript is refused with the reason, before anything is written."""

import os
from pathlib import Path

import pytest

from backstory import ContextStore, InvalidInput
from tests.importing.transcripts import Transcript


@pytest.fixture
def unchanged(store: ContextStore) -> object:
    before = {session.id for session in store.sessions(limit=10_000)}
    yield
    assert {session.id for session in store.sessions(limit=10_000)} == before


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "is empty"),
        (b"\x7fELF\0\0\0", "is binary, not a transcript"),
        (
            b"# A readme\n\nIt says things.\n",
            "has no line of any known format: claude-code, codex, openhands",
        ),
        (b'{"role":"user","content":"hello"}\n' * 3, "has no line of any known format"),
    ],
)
def test_contents(store: ContextStore, tmp_path: Path, data: bytes, rule: str) -> None:
    file = tmp_path / "file.jsonl"
    file.write_bytes(data)
    with pytest.raises(InvalidInput, match=rule) as refused:
        store.import_file(file)
    assert refused.value.field == "file"


@pytest.mark.usefixtures("unchanged")
def test_a_file_of_another_format_than_was_said(store: ContextStore, tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("x")
    with pytest.raises(InvalidInput, match="has no line of openhands"):
        store.import_file(transcript.write(tmp_path), format="openhands")


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("not/there.jsonl", "is not there"),
        (".", "is a folder"),
        ("/proc/self/mem", "cannot be read: Input/output error"),
        ("/proc/sys/vm/compact_memory", "cannot be read: Permission denied"),
        ("a\0b", "cannot be a path"),
        ("/dev/null", "is not a regular file"),
    ],
)
def test_paths(store: ContextStore, path: str, rule: str) -> None:
    if path.startswith("/proc") and not Path(path).exists():
        pytest.skip(f"needs {path}")
    with pytest.raises(InvalidInput, match=rule) as refused:
        store.import_file(path)
    assert refused.value.field == "file"


def test_an_unknown_format(store: ContextStore) -> None:
    with pytest.raises(InvalidInput, match="must be one of claude-code, codex, openhands"):
        store.import_file("x", format="csv")


def test_no_session(store: ContextStore) -> None:
    with pytest.raises(InvalidInput, match="must be an id"):
        store.import_file("x", session="nonsense")


@pytest.mark.usefixtures("unchanged")
def test_two_sessions_for_one(store: ContextStore, tmp_path: Path) -> None:
    one, two = Transcript(), Transcript()
    one.user("x")
    two.user("y")
    file = tmp_path / "two.jsonl"
    file.write_bytes(one.data + two.data)
    with pytest.raises(InvalidInput, match="holds 2 sessions"):
        store.import_file(file, session="0199d0a0-0000-7000-8000-0000000000aa")


def test_a_line_that_no_memory_holds(
    store: ContextStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backstory.application.transcripts.json_lines.LONGEST_LINE", 2**20)
    transcript = Transcript()
    transcript.user("x")
    transcript.raw(b"y" * (2**20 + 1))
    with pytest.raises(InvalidInput, match="has more than 1 MiB on line 2"):
        store.import_file(transcript.write(tmp_path))


@pytest.mark.usefixtures("unchanged")
def test_a_pipe_is_not_waited_for(store: ContextStore, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with pytest.raises(InvalidInput, match="is not a regular file"):
        store.import_file(pipe)
