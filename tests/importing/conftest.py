"""Imports into the database of this test run, and the sample transcripts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backstory import ContextStore, Imported, Session
from tests.importing.transcripts import CLAUDE_CODE, SAMPLES, Transcript


@pytest.fixture(scope="session")
def samples() -> list[Path]:
    """Every sample transcript."""
    found = [*(SAMPLES / "claude-code" / f"{name}.jsonl" for name in CLAUDE_CODE)]
    found.append(SAMPLES / "openhands-runs.jsonl")
    for file in found:
        if not file.exists():
            # Not a part of any machine but data beside the repository, which a clone elsewhere does not have.
            pytest.skip(f"needs the sample transcript {file.relative_to(SAMPLES.parents[1])}")
    return found


@pytest.fixture
def taken_in(store: ContextStore, tmp_path: Path) -> Callable[..., tuple[Session, Imported]]:
    """Imports a transcript of one session, and gives the session and what was done."""

    def take_in(transcript: Transcript, **options: Any) -> tuple[Session, Imported]:
        (done,) = store.import_file(transcript.write(tmp_path), **options)
        return store.session(done.session), done

    return take_in
