"""Errors of the driver as errors of ours, and whether the work that they ended may be repeated."""

import psycopg

from backstory.domain.errors import (
    BranchMoved,
    Conflict,
    ForksDepend,
    IdempotencyConflict,
    InvalidInput,
    ItemsChanged,
    OutcomeUnknown,
    SchemaMismatch,
    ServerUnavailable,
    SessionBusy,
    SessionDiffers,
    SessionNotOpen,
    StorageFull,
    Unavailable,
    UnknownSession,
    VerificationFailed,
    VersionConflict,
)
from backstory.infrastructure.observability.watchers import happened
from backstory.infrastructure.postgres.queries import query

_LOST = (psycopg.OperationalError, psycopg.InterfaceError)
OUTCOME_UNKNOWN = (
    "the connection was lost while appending: the events may or may not be in the log. "
    "Read the session, or append under an idempotency key to have it repeated safely."
)


class ConnectionLost(Exception):
    """The connection went away while a statement was under way."""


def final_error(error: psycopg.Error) -> Exception:
    """Returns the error for a caller whose work is not repeated."""
    named = translated(error)
    return OutcomeUnknown(OUTCOME_UNKNOWN) if isinstance(named, ConnectionLost) else named


def translated(error: psycopg.Error) -> Exception:
    """Returns the error of ours that a database error stands for. Conflicts are counted."""
    named = _error_of(error)
    if isinstance(named, Conflict):
        happened("conflicts", error=named.code)
    return named


def _error_of(error: psycopg.Error) -> Exception:
    state = error.sqlstate or ""
    text = error.diag.message_primary or ""
    match state:
        case "BS001":
            return UnknownSession(f"{text}.")
        case "BS002":
            return VersionConflict(f"the session is at version {text}, not where this append expected it.")
        case "BS003":
            return BranchMoved(
                f"the session was backtracked and is in epoch {text}: this append belongs to an older one."
            )
        case "BS004":
            return ItemsChanged("an item this change depends on was changed or removed meanwhile.")
        case "BS005":
            return IdempotencyConflict("the idempotency key was used for another request.")
        case "BS006":
            return SessionNotOpen("the session has ended and takes no new items; resume it first.")
        case "BS007":
            return ForksDepend("other sessions begin in this one; purge them first.")
        case "BS009":
            return VerificationFailed(f"the import does not hold together: {text}.")
        case "BS010":
            return SessionDiffers(f"{text}.")
        case "23514" if error.diag.constraint_name == "cause_is_earlier":
            return InvalidInput("cause", "must be the version of an earlier event of the session")
        case "55P03":
            return SessionBusy("the session's lock was not free in time: too many writers at once.")
        case "42P01" | "42883" | "3F000":
            return SchemaMismatch(
                "the database lacks Backstory's schema or has an older one: run 'backstory db upgrade'."
            )
        case "40001" | "40P01":
            return Conflict("the database refused the transaction because of another one; try again.")
        case "53100":
            return StorageFull(f"the database has no space left, so nothing was written: {text}.")
        case "25006":
            return ServerUnavailable("the database is read-only: a replica, or one that was made so.")
        case "54000":
            return InvalidInput("append", text)
    if isinstance(error, psycopg.DataError):
        # A value that passed the checks and that Postgres cannot store. Errors of the driver have no server message.
        return InvalidInput("value", (text or str(error)).splitlines()[0])
    if isinstance(error, _LOST) and (not state or state.startswith(("08", "57P"))):
        return ConnectionLost()
    if isinstance(error, psycopg.OperationalError | psycopg.InternalError) or state == "42501":
        # A statement timeout, a lack of memory, a missing privilege: the statement was undone.
        return Unavailable(f"the database could not do it: {text or 'it gave no reason'}.")
    return error


def was_undone(error: psycopg.Error, connection: psycopg.Connection) -> bool:
    """Whether the server undid the statement for a reason that may be gone the next time: another transaction was in
    its way, as an upgrade may be, or the primary of a moment ago has become a standby. That one's connection is closed,
    so that another server is found."""
    if isinstance(error, psycopg.errors.DeadlockDetected | psycopg.errors.SerializationFailure):
        return True
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction) and _is_standby(connection):
        connection.close()
        return True
    return False


def _is_standby(connection: psycopg.Connection) -> bool:
    """Whether the server replays another one's log, rather than having been made read-only by somebody."""
    try:
        row = connection.execute(query("is_standby")).fetchone()
    except psycopg.Error:
        return True  # It is on its way to become one: that closes its connections.
    return row is not None and bool(row[0])
