"""The keys of a store: made, listed, revoked, rotated, recognized.

A key is `bsk_<prefix>_<secret>`. The secret has 256 random bits, so its SHA-256 is enough."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from backstory.application.runtime import Runtime
from backstory.domain.access import Action, Caller
from backstory.domain.errors import InvalidInput, KeyRequired, NotFound, Refused
from backstory.domain.values import LARGEST, aware, label, listed, whole_number
from backstory.infrastructure.postgres.queries import query

_KEY = re.compile(r"(bsk_[0-9a-f]{12})_[A-Za-z0-9_-]{43}")
_NOT_VALID = "the key is unknown, expired or revoked."
LONGEST_GRACE = timedelta(days=365)


class AccessKey(NamedTuple):
    """A key, without its secret."""

    prefix: str
    name: str
    action: Action
    projects: frozenset[str] | None
    agent: str | None
    created_at: datetime
    created_by: str | None
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used: datetime | None
    """To the hour."""
    valid: bool


class MadeKey(NamedTuple):
    """A key that was just made. The secret is shown once and stored nowhere."""

    key: AccessKey
    secret: str


class RecordedCall(NamedTuple):
    """A call in the trail: one that was refused to a key, or that needed the right to operate or administer."""

    id: str
    called_at: datetime
    caller: str | None
    operation: str
    path: str
    status: int
    address: str | None


class Keys:
    """The keys of a store."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def create(
        self,
        name: str,
        action: Action | str,
        *,
        projects: Collection[str] | None = None,
        agent: str | None = None,
        expires_at: datetime | None = None,
        by: str | None = None,
    ) -> MadeKey:
        """Makes a key. `name` is recorded with everything that is written with it, and is never used again. The key
        allows an action and those before it (read, append, operate, admin), in some projects or in all, and acts for
        one agent or for any."""
        label("name", name)
        given = (
            None
            if projects is None
            else sorted({label("projects", one) for one in listed("projects", projects)})
        )
        if given is not None and not given:
            raise InvalidInput("projects", "must name a project; leave it out for all")
        if agent is not None:
            label("agent", agent)
        return self._add(name, _action(action), given, agent, aware("expires_at", expires_at), by, None)

    def rotate(
        self,
        name: str,
        *,
        grace: timedelta | None = None,
        expires_at: datetime | None = None,
        by: str | None = None,
    ) -> MadeKey:
        """Makes another key of the same name that may do the same. The one before it ends at once, or after a
        grace."""
        grace = timedelta(0) if grace is None else grace
        if not timedelta(0) <= grace <= LONGEST_GRACE:
            raise InvalidInput("grace", f"must be between nothing and {LONGEST_GRACE.days} days")
        old = next((key for key in self.list() if key.name == name and key.valid), None)
        if old is None:
            raise NotFound(f"there is no valid key {name!r}.")
        projects = None if old.projects is None else sorted(old.projects)
        until = aware("expires_at", expires_at) or old.expires_at
        return self._add(name, old.action, projects, old.agent, until, by, grace)

    def revoke(self, name: str) -> None:
        """Ends a key at once, and a rotated one in its grace with it."""
        label("name", name)
        (revoked,) = self._row(query("revoke_key"), name)
        if not revoked and all(key.name != name for key in self.list()):
            raise NotFound(f"there is no key {name!r}.")

    def list(self) -> list[AccessKey]:
        """All keys, the newest first, also those that are no longer valid."""
        rows = self._runtime.database.read(lambda c: c.execute(query("keys")).fetchall())
        return [_key(row) for row in rows]

    def exist(self) -> bool:
        """Whether there is a valid key."""
        (found,) = self._row(query("has_keys"))
        return bool(found)

    def caller(self, secret: str) -> Caller:
        """The caller that a key stands for. Raises KeyRequired for one that is unknown, expired or revoked."""
        return self._caller(prefix_of(secret), _hash(secret))

    def caller_of_prefix(self, prefix: str) -> Caller:
        """The caller that the key with this prefix stands for, for who was shown to hold it. Raises KeyRequired for one
        that is expired or revoked."""
        return self._caller(prefix, None)

    def _caller(self, prefix: str, hash: bytes | None) -> Caller:
        row = self._runtime.database.read(lambda c: c.execute(query("valid_key"), (prefix,)).fetchone())
        if row is None or (hash is not None and not hmac.compare_digest(row[0], hash)):
            raise KeyRequired(_NOT_VALID)
        _, name, action, projects, agent, unnoted = row
        if unnoted:
            self._row(query("use_key"), prefix)
        return Caller(name, Action(action), None if projects is None else frozenset(projects), agent)

    def note(
        self, id: str, caller: str | None, operation: str, path: str, status: int, address: str | None
    ) -> None:
        """Adds a call to the trail."""
        self._row(query("note_call"), id, caller, operation, path, status, address)

    def calls(self, limit: int = 100) -> tuple[RecordedCall, ...]:
        """The newest calls that were refused to a key or needed the right to operate or administer, newest first."""
        whole_number("limit", limit, minimum=1, maximum=LARGEST)
        rows = self._runtime.database.read(lambda c: c.execute(query("calls"), (limit,)).fetchall())
        return tuple(RecordedCall(str(row[0]), *row[1:]) for row in rows)

    def _add(
        self,
        name: str,
        action: Action,
        projects: Sequence[str] | None,
        agent: str | None,
        expires_at: datetime | None,
        by: str | None,
        grace: timedelta | None,
    ) -> MadeKey:
        if by is not None:
            label("by", by)
        prefix = f"bsk_{secrets.token_hex(6)}"
        secret = f"{prefix}_{secrets.token_urlsafe(32)}"
        wanted = {
            "prefix": prefix,
            "name": name,
            "hash": _hash(secret),
            "action": action.value,
            "projects": None if projects is None else [*projects],
            "agent": agent,
            "by": by,
            "expires_at": expires_at,
            "grace": grace,
        }
        row = self._runtime.database.repeat(
            lambda c: c.execute(query("add_key"), wanted).fetchone(), certain=False
        )
        assert row is not None
        if not row[0]:
            raise Refused(f"name: there was a key {name!r} already; rotate it, or take another name.")
        made = next(key for key in self.list() if key.prefix == prefix)
        return MadeKey(made, secret)

    def _row(self, text: bytes, *values: object) -> tuple[object, ...]:
        row: tuple[object, ...] | None = self._runtime.database.repeat(
            lambda c: c.execute(text, values).fetchone(), certain=True
        )
        assert row is not None
        return row


def prefix_of(secret: str) -> str:
    """The part of a key that may be seen."""
    shaped = _KEY.fullmatch(secret)
    if shaped is None:
        raise KeyRequired(_NOT_VALID)
    return shaped[1]


def _action(action: Action | str) -> Action:
    try:
        return Action(action)
    except ValueError:
        raise InvalidInput("action", f"must be one of {', '.join(Action)}, got {action!r}") from None


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _key(row: tuple) -> AccessKey:  # type: ignore[type-arg]
    prefix, name, action, projects, *rest = row
    return AccessKey(prefix, name, Action(action), None if projects is None else frozenset(projects), *rest)
