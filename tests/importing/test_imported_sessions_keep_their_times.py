"""An imported session shows when its conversation took place, wherever a time is shown."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from backstory import ContextStore, Imported, Session
from backstory.application.queries.history import SessionHistory
from backstory.application.queries.status import session_status
from tests.importing.transcripts import Transcript

BEGAN, ENDED = datetime(2025, 6, 14, 10, 1, tzinfo=UTC), datetime(2025, 6, 14, 10, 4, tzinfo=UTC)


@pytest.fixture
def old(taken_in: Callable[..., tuple[Session, Imported]]) -> Session:
    """A conversation of June 2025, imported now, after which its tiers were updated."""
    transcript = Transcript()
    for number in range(2):
        transcript.user(f"Question {number}")
        transcript.assistant(f"Answer {number}")
    session, _ = taken_in(transcript)
    session.tiers.update()
    assert session.state.recorded_at - ENDED > timedelta(days=100)
    return session


def test_in_the_list(store: ContextStore, old: Session) -> None:
    found = store.summary(old.id)
    assert (found.started_at, found.last_activity) == (BEGAN, ENDED)


@pytest.mark.parametrize("page", [1, 100])
def test_among_sessions_by_their_last_activity(
    own_store: ContextStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    """However many sessions are read at once."""
    monkeypatch.setattr("backstory.application.queries.session_list.SESSIONS_AT_ONCE", page)
    before = own_store.start(title="before")
    for number in range(3):
        transcript = Transcript()
        transcript.user(f"Question {number}")
        own_store.import_file(transcript.write(tmp_path))
    (first, *others) = own_store.sessions(limit=2)
    assert first.id == before.id
    assert [found.last_activity for found in others] == [BEGAN]


def test_in_the_state_at_any_version(old: Session) -> None:
    for version in range(1, old.version + 1):
        state = old.at(version)
        assert state.started_at == BEGAN
        assert BEGAN <= state.last_activity <= ENDED


def test_in_the_status(old: Session) -> None:
    found = session_status(old)
    assert (found.started_at, found.last_activity) == (BEGAN, ENDED)
    assert found.monitoring()["session_health"]["duration"] == "3 minutes"


def test_in_the_context_document(old: Session) -> None:
    found = old.views.current_context()["metadata"]
    assert (found["session_start"], found["timestamp"]) == (
        "2025-06-14T10:01:00Z",
        "2025-06-14T10:04:00Z",
    )
    assert found["session_duration_minutes"] == 3


def test_in_the_log(old: Session) -> None:
    shown = [entry.event for entry in SessionHistory(old).entries() if entry.event.type != "tiers.reassigned"]
    assert {event.occurred_at.date() for event in shown} == {BEGAN.date()}


def test_in_files(store: ContextStore, old: Session, tmp_path: Path) -> None:
    done = store.sync(tmp_path / "files", [old.id])
    (metadata,) = (path for path in done.written if path.name == "metadata.json")
    assert '"last_activity": "2025-06-14T10:04:00' in metadata.read_text()


def test_after_new_work_the_time_of_that(store: ContextStore, old: Session) -> None:
    old.message("And now?")
    state = old.state
    assert state.started_at == BEGAN
    assert store.summary(old.id).last_activity == state.last_activity == state.recorded_at


def test_on_resuming(store: ContextStore, old: Session) -> None:
    found = store.resume(old.id)
    assert found.view.last_activity == ENDED
