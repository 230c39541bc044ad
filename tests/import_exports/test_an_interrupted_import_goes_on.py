"""An interrupted import continues with the sessions that are missing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstory import ContextStore, VerificationFailed
from backstory.application.session import Session
from tests.audit.altering import changed, closed, lines_of, rechained
from tests.verify.rich_session import write_fork, write_session


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


def interrupt(target: ContextStore, file: Path, sessions: int) -> None:
    """Begins an import that is cut off when so many sessions are there."""

    def progress(done: int, total: int) -> None:
        if done >= total / 2 and len(target.sessions()) >= sessions:
            raise Interruption

    with pytest.raises(Interruption):
        target.import_file(file, progress=progress)


@pytest.mark.parametrize("there", [0, 1, 2])
def test_the_missing_sessions_are_added(
    target: ContextStore, file: Path, sessions: list[Session], there: int
) -> None:
    interrupt(target, file, there)
    assert len(target.sessions()) == there
    done = target.import_file(file)
    assert [imported.already_there > 0 for imported in done] == [index < there for index in range(3)]
    for session in sessions:
        moved = target.session(session.id)
        assert moved.verify().require().chain == session.verify().chain
        assert moved.state == session.state


def test_a_file_altered_since_is_refused(
    target: ContextStore, sessions: list[Session], tmp_path: Path, store: ContextStore
) -> None:
    path = tmp_path / "sessions.jsonl"
    store.export([session.id for session in sessions], path)
    interrupt(target, path, 1)
    lines = lines_of(path)
    index = next(index for index, line in enumerate(lines) if line.startswith(b'{"content"'))
    lines[index] = changed(lines[index], text="forged")
    path.write_bytes(closed(rechained(lines)))
    with pytest.raises(VerificationFailed, match=r"content .* does not match the digest in its event"):
        target.import_file(path)
    assert len(target.sessions()) == 1
