"""A session that has something in every file, and a store on a database of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore


@pytest.fixture
def store(new_database: Callable[[], str]) -> Iterator[ContextStore]:
    """Alone in its database: a sync of every session must not meet those of other tests."""
    with ContextStore.open(new_database(), pool_size=4) as store:
        yield store


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "synced"


@pytest.fixture
def session(store: ContextStore) -> Session:
    session = store.start(title="JWT Authentication Implementation", tags=["jwt"], limit=8000, project="shop")
    session.details.join("Facilitator Agent", id="L1-EXEC-001", mode="Boss Mode")
    session.work.set_goal("Implement JWT authentication", status="in-progress", priority="high")
    session.message("Let's implement JWT auth")
    session.by("quaid").message("I'll help with that in auth/jwt.py", role="agent")
    session.progress.focus(
        ["auth/jwt.py", "auth/validators.py"],
        last_edited="auth/jwt.py",
        current_function="validate_jwt_token",
    )
    session.by("Facilitator Agent").decide("Use RS256", rationale="Better security", decided_by="Boss")
    session.work.add_action("Test token refresh flow")
    session.work.add_constraint("Token TTL must be 1 hour")
    session.by("Facilitator Agent").work.ask("Which library?")
    return session
