"""What is cut, altered or there already as something else is refused, and nothing is changed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstory import ContextStore, InvalidInput, SessionDiffers, VerificationFailed
from backstory.application.session import Session
from backstory.application.transfer import importer, stream_lines
from tests.audit.altering import changed, closed, lines_of, rechained


@pytest.fixture
def elsewhere(new_database: Callable[[], str]) -> Iterator[ContextStore]:
    with ContextStore.open(new_database()) as other:
        yield other


@pytest.fixture
def session(store: ContextStore) -> Session:
    session = store.start(title="Moved")
    session.message("hello")
    session.message("again")
    return session


@pytest.fixture
def exported(store: ContextStore, session: Session, tmp_path: Path) -> Path:
    store.export(session.id, tmp_path / "x.jsonl")
    return tmp_path / "x.jsonl"


def test_a_cut_or_altered_file(exported: Path, elsewhere: ContextStore) -> None:
    lines = lines_of(exported)
    for data in (
        b"".join(lines[:-1]),
        b"".join(lines)[:-5],
        b"".join(lines).replace(b"again", b"never"),
        closed([*lines[:4], changed(lines[4], actor="eve"), *lines[5:]]),
        closed([*lines[:2], *lines[4:]]),
    ):
        exported.write_bytes(data)
        with pytest.raises(VerificationFailed, match=r"x\.jsonl, line \d+, "):
            elsewhere.import_file(exported)
        assert elsewhere.sessions() == []


def test_a_session_that_is_there_with_another_history(exported: Path, elsewhere: ContextStore) -> None:
    lines = lines_of(exported)
    elsewhere.import_file(exported)
    place = next(place for place, line in enumerate(lines) if b'"event":3' in line)
    exported.write_bytes(
        closed(rechained([*lines[:place], changed(lines[place], cause=1), *lines[place + 1 :]]))
    )
    with pytest.raises(SessionDiffers, match="is there with another history than the file's"):
        elsewhere.import_file(exported)
    assert elsewhere.verify_all().ok


def test_a_session_of_which_only_the_beginning_is_there(
    store: ContextStore, session: Session, exported: Path, elsewhere: ContextStore, tmp_path: Path
) -> None:
    """Going on from there would let anybody write events with times of their own under a session that is in use."""
    elsewhere.import_file(exported)
    session.message("more")
    store.export(session.id, tmp_path / "more.jsonl")
    with pytest.raises(SessionDiffers, match="is there with 3 versions, and the file has 4"):
        elsewhere.import_file(tmp_path / "more.jsonl")
    assert elsewhere.session(session.id).version == 3


def test_all_or_nothing_of_what_is_refused(
    store: ContextStore, session: Session, exported: Path, elsewhere: ContextStore, tmp_path: Path
) -> None:
    """The second session of the file is there as something else, so that the first is not imported either."""
    elsewhere.import_file(exported)
    session.message("more")
    first = store.start()
    store.export([first.id, session.id], tmp_path / "both.jsonl")
    with pytest.raises(SessionDiffers):
        elsewhere.import_file(tmp_path / "both.jsonl")
    assert [one.id for one in elsewhere.sessions()] == [session.id]


def test_a_file_that_changes_while_it_is_imported(
    exported: Path, elsewhere: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = importer._StreamImport._base

    def change(self):
        exported.write_bytes(exported.read_bytes().replace(b"again", b"never"))
        return base(self)

    monkeypatch.setattr(importer._StreamImport, "_base", change)
    monkeypatch.setattr(stream_lines, "EVENTS_A_BATCH", 1)
    with pytest.raises(VerificationFailed, match="was changed while it was imported"):
        elsewhere.import_file(exported)
    assert elsewhere.sessions() == []


def test_bad_input(exported: Path, elsewhere: ContextStore, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="session: is for transcripts"):
        elsewhere.import_file(exported, session="0198c7d2-0000-7000-8000-000000000000")
    with pytest.raises(InvalidInput, match="has no line of claude-code"):
        elsewhere.import_file(exported, format="claude-code")
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(InvalidInput, match="is no export of Backstory"):
        elsewhere.import_file(tmp_path / "other.jsonl", format="backstory")
    with pytest.raises(InvalidInput, match="is not there"):
        elsewhere.import_file(tmp_path / "none.jsonl", format="backstory")
