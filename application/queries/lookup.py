"""Lookup of sessions by what people type, and of forks."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from backstory.application.integrity.verification import Verification, verify_session
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput, UnknownSession
from backstory.infrastructure.postgres.queries import query

LAST = "last"
SESSIONS_AT_ONCE = 100
_DIGITS = re.compile(r"[0-9a-f]{1,32}")


class Fork(NamedTuple):
    """A fork, with the version it began at."""

    session: UUID
    at: int


def find_session(store: ContextStore, reference: str) -> UUID:
    """The session id for a whole id, a unique beginning or ending, or `last` (see `last_session`). Ids made within a
    minute begin alike, so an ending is often shorter."""
    if reference.lower() == LAST:
        return last_session(store)
    digits = reference.lower().replace("-", "")
    if not _DIGITS.fullmatch(digits):
        raise InvalidInput("session", f"must be an id, a part of one, or {LAST!r}, got {reference!r}")
    if len(digits) == 32:
        return UUID(digits)
    matches = _like(store, digits)
    if not matches:
        raise UnknownSession(f"no session's id begins or ends with {reference!r}.")
    if len(matches) > 1:
        raise InvalidInput("session", f"{reference!r} fits several sessions; give more of the id")
    return matches[0]


def last_session(store: ContextStore) -> UUID:
    """The session with the newest activity, by the time it occurred. Forks, imports of old transcripts and jobs do
    not change it."""
    newest: UUID | None = None
    last: tuple[datetime, UUID] | None = None
    before = (datetime.max.replace(tzinfo=UTC), UUID(int=2**128 - 1))
    while True:
        rows = _worked_in(store, before)
        for session, recorded, worked in rows:
            newest = newest or session
            before = (recorded, session)
            if worked is not None and (last is None or (worked, session) > last):
                last = (worked, session)
        # Nothing is done in a session after its newest event: those that follow cannot be later.
        if len(rows) < SESSIONS_AT_ONCE or (last is not None and before[0] < last[0]):
            break
    if newest is None:
        raise UnknownSession("there are no sessions yet.")
    return newest if last is None else last[1]


def _worked_in(
    store: ContextStore, before: tuple[datetime, UUID]
) -> list[tuple[UUID, datetime, datetime | None]]:
    parameters = (*before, SESSIONS_AT_ONCE)
    return store._runtime.database.read(lambda c: c.execute(query("last_worked_in"), parameters).fetchall())


def _like(store: ContextStore, digits: str) -> list[UUID]:
    first, last = UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))
    parameters = (first, last, f"%{digits}", f"{digits}%")
    rows = store._runtime.database.read(lambda c: c.execute(query("sessions_like"), parameters).fetchall())
    return [row[0] for row in rows]


def forks_of(store: ContextStore, session: UUID) -> list[Fork]:
    """The sessions that begin in this one, oldest first."""
    rows = store._runtime.database.read(lambda c: c.execute(query("forks"), {"id": session}).fetchall())
    return [Fork._make(row) for row in rows]


def verify_one(store: ContextStore, session: UUID, anchors: Mapping[int, str] | None = None) -> Verification:
    """Verifies one session, even if its own row is missing and it cannot be opened."""
    return verify_session(store._runtime, session, anchors)
