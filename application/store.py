"""The store: where sessions are started, found and listed."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import UUID

from backstory.connecting import find_target, prepare, read_settings
from backstory.core import Core
from backstory.domain.commands import facts
from backstory.domain.effects import WindowSettings
from backstory.domain.errors import InvalidInput, VersionConflict
from backstory.domain.guards import Guard
from backstory.domain.values import DEFAULT_ENCODING, LARGEST, MAIN_WINDOW, build, label, listed
from backstory.drafts import Draft
from backstory.identifiers import new_session_id, session_id
from backstory.infrastructure.database import Database
from backstory.infrastructure.tokens import check_encoding
from backstory.read_models import SessionSummary, read_encodings, read_sessions
from backstory.requests import Provenance, Request
from backstory.session import Session
from backstory.verification import StoreVerification, verify_store


class ContextStore:
    """An event-sourced store of agents' contexts, on Postgres.

    ``with ContextStore.open() as store:`` starts or joins the embedded Postgres; ``open(url)`` uses any other.
    """

    def __init__(self, core: Core) -> None:
        self._core = core

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        data_dir: Path | str | None = None,
        pool_size: int | None = None,
        patience: float | None = None,
        migrate: bool = True,
    ) -> Self:
        """Opens a store: on `url`, else on BACKSTORY_DATABASE_URL, else on the embedded Postgres in the user's data
        directory, which an open store starts again when it has died or was stopped. The schema is brought up to date
        first, unless `migrate` is off."""
        settings = read_settings(pool_size=pool_size, patience=patience)
        target = find_target(url, data_dir)
        found = target.started()
        prepare(found, migrate=migrate)
        database = Database(
            found,
            pool_size=settings.pool_size,
            patience=settings.patience,
            revive=target.started if target.is_embedded else None,
        )
        database.open()
        return cls(Core.over(database))

    def close(self) -> None:
        """Gives back all connections. The embedded Postgres goes on; `backstory db stop` stops it."""
        self._core.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(
        self,
        id: UUID | str | None = None,
        *,
        title: str | None = None,
        tags: Sequence[str] = (),
        project: str | None = None,
        limit: int | None = None,
        encoding: str | None = None,
        model: str | None = None,
        actor: str | None = None,
    ) -> Session:
        """Starts a session; `limit`, `encoding` and `model` are its main window's. Under an id that exists already
        nothing is started and the session is returned as it is, so an id of the caller's makes starting idempotent."""
        stream = new_session_id() if id is None else session_id(id)
        if encoding is not None:
            check_encoding(encoding)
        draft = Draft()
        window = build(WindowSettings, name=MAIN_WINDOW, limit=limit, encoding=encoding, model=model)
        change = facts.start_session(draft.optional("title", title), listed("tags", tags), project, window)
        request = Request(draft, change, Provenance(actor=None if actor is None else label("actor", actor)))
        try:
            self._core.append(
                stream,
                [request.pending(change)],
                guard=Guard(expected=0),
                epoch=None,
                kind="session",
                certain=True,
            )
        except VersionConflict:
            return self.session(stream)
        return Session(self._core, stream, 0, {"main": encoding or DEFAULT_ENCODING})

    def session(self, id: UUID | str) -> Session:
        """A session that exists."""
        stream = session_id(id)
        head = self._core.require_head(stream)
        return Session(self._core, stream, head.epoch, read_encodings(self._core, stream))

    def sessions(
        self,
        *,
        project: str | None = None,
        status: str | None = None,
        tag: str | None = None,
        limit: int = 50,
    ) -> list[SessionSummary]:
        """Sessions, the most recently active first."""
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= LARGEST:
            raise InvalidInput("limit", f"must be at least 1, got {limit!r}")
        for name, wanted in (("project", project), ("status", status), ("tag", tag)):
            if wanted is not None:
                label(name, wanted)
        return read_sessions(self._core, project=project, status=status, tag=tag, limit=limit)

    def summary(self, id: UUID | str) -> SessionSummary:
        """The line a list would have for this session."""
        stream = session_id(id)
        self._core.require_head(stream)
        (summary,) = read_sessions(self._core, id=stream, limit=1)
        return summary

    def verify_all(self) -> StoreVerification:
        """Whether the record of every session is what was written, and nothing is there that belongs to none."""
        return verify_store(self._core)
