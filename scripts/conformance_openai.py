"""For pytest: the session tests of the OpenAI Agents SDK on sessions of a store, in place of SQLite."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4, uuid5

import pytest

from backstory import ContextStore
from backstory.interfaces.adapters.openai_agents import BackstorySession


@pytest.fixture(scope="session")
def conformance_store() -> Iterator[ContextStore]:
    with ContextStore.open() as store:
        yield store


@pytest.fixture(autouse=True)
def _swap(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if not hasattr(request.module, "SQLiteSession"):
        return
    store = request.getfixturevalue("conformance_store")

    class InPlaceOfSQLite(BackstorySession):
        """A session of a database file, or of no file and then of its own."""

        def __init__(
            self, session_id: str, db_path: str | Path = ":memory:", session_settings: Any = None
        ) -> None:
            super().__init__(session_id, store, session_settings=session_settings)
            self._place = uuid4().hex if str(db_path) == ":memory:" else str(db_path)

        @property
        def id(self) -> UUID:
            return uuid5(super().id, self._place)

        def close(self) -> None:
            """Nothing: the store is closed at the end."""

    monkeypatch.setattr(request.module, "SQLiteSession", InPlaceOfSQLite)
