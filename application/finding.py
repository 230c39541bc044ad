"""Finding sessions the way people name them, and all of them the way an auditor must."""

import re
from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from backstory.domain.errors import InvalidInput, UnknownSession
from backstory.infrastructure.queries import query
from backstory.store import ContextStore
from backstory.verification import Verification, verify_session

LAST = "last"
_DIGITS = re.compile(r"[0-9a-f]{1,32}")


class Fork(NamedTuple):
    """A session that began as another, up to a version of that."""

    session: UUID
    at: int


def find_session(store: ContextStore, reference: str) -> UUID:
    """The id that is meant by a whole id, by a beginning or an ending of one that no other has, or by `last`:
    the session with the newest event. Ids made within a minute begin alike, so an ending is often shorter."""
    if reference.lower() == LAST:
        newest = store.sessions(limit=1)
        if not newest:
            raise UnknownSession("there are no sessions yet.")
        return newest[0].id
    digits = reference.lower().replace("-", "")
    if not _DIGITS.fullmatch(digits):
        raise InvalidInput("session", f"must be an id, a part of one, or {LAST!r}, got {reference!r}")
    if len(digits) == 32:
        return UUID(digits)
    found = _like(store, digits)
    if not found:
        raise UnknownSession(f"no session's id begins or ends with {reference!r}.")
    if len(found) > 1:
        raise InvalidInput("session", f"{reference!r} fits several sessions; give more of the id")
    return found[0]


def _like(store: ContextStore, digits: str) -> list[UUID]:
    first, last = UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))
    wanted = (first, last, f"%{digits}", f"{digits}%")
    rows = store._core.database.read(lambda c: c.execute(query("sessions_like"), wanted).fetchall())
    return [row[0] for row in rows]


def forks_of(store: ContextStore, session: UUID) -> list[Fork]:
    """The sessions that begin in this one, oldest first."""
    rows = store._core.database.read(lambda c: c.execute(query("forks"), {"id": session}).fetchall())
    return [Fork._make(row) for row in rows]


def verify_one(store: ContextStore, session: UUID, anchors: Mapping[int, str] | None = None) -> Verification:
    """The check of one session, also of one whose own row is missing and which therefore cannot be opened."""
    return verify_session(store._core, session, anchors)
