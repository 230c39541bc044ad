"""Session ids: UUIDv7, so that they sort by the time at which they were made; and the short forms that people type."""

import os
import re
import time
from datetime import UTC, datetime
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput, UnknownSession
from backstory.domain.events import UPKEEP, SessionForked
from backstory.infrastructure.postgres.queries import query

LAST = "last"
SESSIONS_AT_ONCE = 100
_DIGITS = re.compile(r"[0-9a-f]{1,32}")


def new_session_id() -> UUID:
    """48 bits of milliseconds, then 74 random bits, as RFC 9562 lays them out."""
    milliseconds = time.time_ns() // 1_000_000
    bits = (milliseconds << 80) | int.from_bytes(os.urandom(10))
    bits = (bits & ~(0xF << 76)) | (0x7 << 76)
    bits = (bits & ~(0x3 << 62)) | (0x2 << 62)
    return UUID(int=bits)


def session_id(value: UUID | str) -> UUID:
    """The id of a session that may not exist yet. Short forms are refused."""
    if isinstance(value, UUID):
        return value
    try:
        return UUID(value)
    except (ValueError, AttributeError, TypeError):
        raise InvalidInput("session", f"must be a UUID, got {value!r}") from None


def find_session(runtime: Runtime, reference: UUID | str) -> UUID:
    """The id of a session, from a whole id, from a beginning or an end that no other id has, or from `last`: see
    `last_session`. Ids made within a minute begin alike, so an end is often shorter."""
    if isinstance(reference, UUID):
        return reference
    if not isinstance(reference, str):
        raise InvalidInput("session", f"must be an id, got {type(reference).__name__}")
    if reference.lower() == LAST:
        return last_session(runtime)
    digits = reference.lower().replace("-", "")
    if not _DIGITS.fullmatch(digits):
        raise InvalidInput("session", f"must be an id, a part of one, or {LAST!r}, got {reference!r}")
    if len(digits) == 32:
        return UUID(digits)
    matches = _like(runtime, digits)
    if not matches:
        raise UnknownSession(f"no session's id begins or ends with {reference!r}.")
    if len(matches) > 1:
        raise InvalidInput("session", f"{reference!r} fits several sessions; give more of the id")
    return matches[0]


def last_session(runtime: Runtime) -> UUID:
    """The session with the newest activity, by the time it occurred. Forks, imports of old transcripts and jobs do
    not change it."""
    newest: UUID | None = None
    last: tuple[datetime, UUID] | None = None
    before = (datetime.max.replace(tzinfo=UTC), UUID(int=2**128 - 1))
    while True:
        rows = _worked_in(runtime, before)
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
    runtime: Runtime, before: tuple[datetime, UUID]
) -> list[tuple[UUID, datetime, datetime | None]]:
    parameters = {
        "idle": [*UPKEEP, SessionForked.type],
        "recorded": before[0],
        "session": before[1],
        "projects": runtime.projects,
        "page": SESSIONS_AT_ONCE,
    }
    return runtime.database.read(lambda c: c.execute(query("last_worked_in"), parameters).fetchall())


def _like(runtime: Runtime, digits: str) -> list[UUID]:
    first, last = UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))
    parameters = {
        "first": first,
        "last": last,
        "end": f"%{digits}",
        "beginning": f"{digits}%",
        "projects": runtime.projects,
    }
    rows = runtime.database.read(lambda c: c.execute(query("sessions_like"), parameters).fetchall())
    return [row[0] for row in rows]
