"""Sessions that are due to become memory: ended ones, and those with enough new messages."""

import logging
from collections.abc import Callable
from uuid import UUID

from backstory.application.archive.archive import Archived, Archiver
from backstory.application.handle import SessionHandle
from backstory.application.queries.session_list import SessionFilter, read_sessions
from backstory.application.runtime import Runtime
from backstory.application.writing.requests import Provenance
from backstory.domain.errors import BackstoryError, Unavailable
from backstory.domain.values import LARGEST
from backstory.infrastructure.feed.horizon import PATIENCE
from backstory.infrastructure.postgres.queries import query

_LOGGER = logging.getLogger("backstory.memory")


def archive_sessions(runtime: Runtime, project: str, provenance: Provenance) -> list[Archived]:
    """Makes memories of all sessions of a project, oldest first. Returns what was made of those that had something
    left."""
    sessions = read_sessions(runtime, SessionFilter(project=project), LARGEST)
    done = []
    for session in sorted(sessions, key=lambda one: (one.last_activity, one.id)):
        handle = SessionHandle.of(runtime, session.id).with_(actor=provenance.actor)
        made = Archiver(handle, "asked").archive()
        if made.parts:
            done.append(made)
    return done


def archive_if_due(runtime: Runtime, session: UUID) -> Archived | None:
    """Makes memories of a session that has ended, or of the parts of it that are full, if its project's policy says
    so. None where nothing is due."""
    with runtime.reader.borrow(session) as state:
        if state.labels.get("project") is None:
            return None
        ended, messages = state.status == "ended", state.message_count
    archiver = Archiver(SessionHandle.of(runtime, session), "ended" if ended else "messages")
    policy = archiver.policy
    if not policy.automatic or (not ended and messages < policy.archive_every):
        return None
    made = archiver.archive()
    return made if made.parts else None


def archive_ended(runtime: Runtime, session: UUID) -> None:
    """Makes memories of a session that has just ended. A failure is logged: the session has ended all the same, and a
    worker tries again."""
    try:
        archive_if_due(runtime, session)
    except BackstoryError as error:
        _LOGGER.warning("no memories are made of session %s yet: %s", session, error)


def archive_due(
    runtime: Runtime, mark: str | None, pause: Callable[[], None], enough: Callable[[], bool]
) -> tuple[int, str | None]:
    """Makes memories of all sessions that are due among those with events after a mark, which names a position of the
    feed. Returns the number of sessions, and the next mark; None where there was more to do than time."""
    # Up to where no event can still appear: one that was passed over would be missed for good.
    position = runtime.horizon.advance(PATIENCE)
    since = int(mark) if mark is not None and mark.isdecimal() else 0
    asked = (since, position)
    rows = runtime.database.read(lambda c: c.execute(query("project_sessions_since"), asked).fetchall())
    made = 0
    failed = False
    for (session,) in rows:
        pause()
        if enough():
            return made, None
        try:
            made += archive_if_due(runtime, session) is not None
        except Unavailable:
            raise
        except BackstoryError as error:
            # One that was purged meanwhile, or that cannot be read, must not stop the others.
            _LOGGER.warning("no memories are made of session %s: %s", session, error)
            failed = True
    return made, None if failed else str(position)
