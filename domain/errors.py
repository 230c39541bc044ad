"""Every error Backstory raises on purpose.

    BackstoryError                    exit  problem type
    ├── InvalidInput                    2   invalid-input         a value breaks a rule; names field and rule
    │   ├── InvalidMessage              2   invalid-message       a provider's message that cannot be read
    │   └── UnknownEncoding             2   unknown-encoding      no such token encoding is shipped
    ├── NotFound                        3   not-found
    │   ├── UnknownSession              3   unknown-session
    │   │   └── SessionPurged           3   session-purged        only its tombstone is left
    │   ├── UnknownVersion              3   unknown-version       before the beginning or from the future
    │   ├── UnknownItem                 3   unknown-item          never brought, or not on this branch
    │   └── UnknownProjection           3   unknown-projection    no feed projection of this name
    ├── Refused                         4   refused               well formed, but the state forbids it
    │   ├── ItemNotLive                 4   item-not-live         removed, answered or completed already
    │   ├── NoLiveCall                  4   no-live-call          a tool result that answers no open call
    │   ├── SessionNotOpen              4   session-not-open      an ended session takes no new items
    │   ├── ContentErased               4   content-erased        the bytes were erased, the proof remains
    │   ├── BudgetTooSmall              4   budget-too-small      the required parts do not fit
    │   ├── ForksDepend                 4   forks-depend          other sessions begin in this one
    │   ├── SessionDiffers              4   session-differs       another session has this id already
    │   ├── ContextInvalid              4   context-invalid       a context document breaks a rule
    │   ├── SummaryRefused              4   summary-refused       empty, senseless or too long
    │   ├── WouldLoseContext            4   would-lose-context    a window would lose required items
    │   ├── ContextOverflow             4   context-overflow      no smaller context fits the window
    │   ├── RecallBelowFloor            4   recall-below-floor    a policy holds less than was asked for
    │   ├── OnlyInProcess               4   only-in-process       the call cannot be made over HTTP
    │   └── ProjectionFailed            4   projection-failed     a projection cannot apply an event
    ├── Conflict                        5   conflict              another writer came first
    │   ├── VersionConflict             5   version-conflict
    │   ├── ItemsChanged                5   items-changed         guarded items were changed meanwhile
    │   ├── BranchMoved                 5   branch-moved          a backtrack raised the epoch
    │   ├── IdempotencyConflict         5   idempotency-conflict  the key was used for something else
    │   └── SessionBusy                 5   session-busy          the session's lock was not free in time
    ├── Unavailable                     6   unavailable
    │   ├── ServerUnavailable           6   server-unavailable    no Postgres to talk to
    │   ├── OutcomeUnknown              6   outcome-unknown       the append may or may not have happened
    │   ├── StorageFull                 6   storage-full          the database's disk has no space left
    │   ├── SchemaMismatch              6   schema-mismatch       the database needs an upgrade
    │   └── TooManyRequests             6   too-many-requests     the key asks more often than it may
    ├── VerificationFailed              7   verification-failed   the record is not what was written
    └── AccessDenied                    8   access-denied         the caller may not do this
        └── KeyRequired                 8   key-required          no key was given, or none that is valid

A command's exit code, an HTTP problem's type and the Python class are one error in three places.
"""

from backstory.domain.safety.secrets import without_secrets


def _one_line(text: str, longest: int = 240) -> str:
    """The beginning of the text, with unprintable characters as escapes."""
    text = text if len(text) <= longest else text[: longest - 1] + "…"
    return text if text.isprintable() else text.encode("unicode_escape").decode()


class BackstoryError(Exception):
    """An error of Backstory. Its message is one sentence that is safe to show and to log."""

    code = "backstory-error"
    exit_code = 1

    def __init__(self, *said: object) -> None:
        # It may quote what was given.
        super().__init__(*(without_secrets(one) if isinstance(one, str) else one for one in said))


class InvalidInput(BackstoryError):
    """A value breaks a rule. Nothing was changed."""

    code = "invalid-input"
    exit_code = 2

    def __init__(self, field: str, rule: str) -> None:
        # Both may quote what was given, and that may be anything.
        self.field = _one_line(without_secrets(field))
        self.rule = _one_line(without_secrets(rule))
        super().__init__(self.field, self.rule)

    def __str__(self) -> str:
        return f"{self.field}: {self.rule}"


class InvalidMessage(InvalidInput):
    """A provider's message cannot be read."""

    code = "invalid-message"


class UnknownEncoding(InvalidInput):
    """No token encoding of this name is shipped."""

    code = "unknown-encoding"


class NotFound(BackstoryError):
    """Something that the caller names does not exist."""

    code = "not-found"
    exit_code = 3


class UnknownSession(NotFound):
    """No session has this id."""

    code = "unknown-session"


class SessionPurged(UnknownSession):
    """The session was purged. Only its tombstone is left."""

    code = "session-purged"


class UnknownVersion(NotFound):
    """The session has no such version: before its beginning or in the future."""

    code = "unknown-version"


class UnknownItem(NotFound):
    """No such item exists on this branch."""

    code = "unknown-item"


class UnknownProjection(NotFound):
    """No feed projection has this name."""

    code = "unknown-projection"


class Refused(BackstoryError):
    """The request is well formed, but the state forbids it. Nothing was changed."""

    code = "refused"
    exit_code = 4


class ItemNotLive(Refused):
    """The item was removed, answered or completed already."""

    code = "item-not-live"


class NoLiveCall(Refused):
    """A tool result answers no open call."""

    code = "no-live-call"


class SessionNotOpen(Refused):
    """The session has ended and takes no new items."""

    code = "session-not-open"


class ContentErased(Refused):
    """The bytes were erased; their digest remains."""

    code = "content-erased"


class _TooSmall(Refused):
    """Base of errors that name the least size that would do."""

    def __init__(self, message: str, needed: int = 0) -> None:
        # Both are arguments, so that the error can be pickled for another process.
        super().__init__(message, needed)
        self.needed = needed

    def __str__(self) -> str:
        return str(self.args[0])


class BudgetTooSmall(_TooSmall):
    """The parts that every context must hold do not fit. `needed` is the least budget with which they do."""

    code = "budget-too-small"


class ForksDepend(Refused):
    """Other sessions begin in this one."""

    code = "forks-depend"


class SessionDiffers(Refused):
    """Another session has the id of the one to be imported."""

    code = "session-differs"


class ContextInvalid(Refused):
    """A context document breaks one of its rules."""

    code = "context-invalid"

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(field, rule)
        self.field = field
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.field}: {self.rule}"


class SummaryRefused(Refused):
    """A summarizer's document says nothing, makes no sense or is too long."""

    code = "summary-refused"


class WouldLoseContext(Refused):
    """A compaction, prune or restore would remove items that the window must hold. Nothing was changed."""

    code = "would-lose-context"


class ContextOverflow(_TooSmall):
    """Recovery cannot make the next call fit. Nothing was changed; `needed` is the least limit with which the smallest
    context would fit."""

    code = "context-overflow"


class RecallBelowFloor(Refused):
    """Under a policy, prompts held less of the material that answers used than the caller demands."""

    code = "recall-below-floor"


class OnlyInProcess(Refused):
    """The call needs the database, or files or functions beside it: a client of a service cannot make it."""

    code = "only-in-process"


class ProjectionFailed(Refused):
    """A feed projection cannot apply an event and stops there."""

    code = "projection-failed"


class Conflict(BackstoryError):
    """Another writer came first. Read again and decide again."""

    code = "conflict"
    exit_code = 5


class VersionConflict(Conflict):
    """The session is at another version than expected."""

    code = "version-conflict"


class ItemsChanged(Conflict):
    """Another writer changed the guarded items."""

    code = "items-changed"


class BranchMoved(Conflict):
    """A backtrack moved the session to another branch."""

    code = "branch-moved"


class IdempotencyConflict(Conflict):
    """The idempotency key was used for another request."""

    code = "idempotency-conflict"


class SessionBusy(Conflict):
    """The session's lock was not free in time."""

    code = "session-busy"


class Unavailable(BackstoryError):
    """The database or the service cannot be used now."""

    code = "unavailable"
    exit_code = 6


class ServerUnavailable(Unavailable):
    """No Postgres server answers."""

    code = "server-unavailable"


class OutcomeUnknown(Unavailable):
    """The connection broke during an append, which may or may not have happened."""

    code = "outcome-unknown"


class StorageFull(Unavailable):
    """The database's disk is full. Nothing was written. Writes work again once there is space."""

    code = "storage-full"


class SchemaMismatch(Unavailable):
    """The database's schema is of another version."""

    code = "schema-mismatch"


class TooManyRequests(Unavailable):
    """The key asks more often than it may. `seconds` is when to ask again."""

    code = "too-many-requests"

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return f"too many requests: ask again in {self.seconds} s."


class VerificationFailed(BackstoryError):
    """The record is not what was written."""

    code = "verification-failed"
    exit_code = 7


class AccessDenied(BackstoryError):
    """The caller may not do this."""

    code = "access-denied"
    exit_code = 8


class KeyRequired(AccessDenied):
    """No key was given, or one that is unknown, expired or revoked."""

    code = "key-required"
