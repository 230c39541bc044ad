"""Keys of the service."""

from datetime import timedelta

from pydantic import Field

from backstory.application.access.keys import LONGEST_GRACE
from backstory.domain.access import Action
from backstory.domain.errors import InvalidInput
from backstory.interfaces.documents.keys import (
    KeyDocument,
    KeyListDocument,
    MadeKeyDocument,
    RevokedKeyDocument,
)
from backstory.interfaces.http.bodies import Body, Time
from backstory.interfaces.http.requests import Asking, CallerStore, OnceKey
from backstory.interfaces.http.routing import Routes

routes = Routes("keys")

Until = Field(default=None, description="The time at which it ends.")


class KeyToMake(Body):
    """A key to make."""

    name: str = Field(description="Its name, recorded with everything that is written with it.")
    action: Action = Field(
        strict=False, description="What it allows, with what stands before it: read, append, operate, admin."
    )
    projects: list[str] | None = Field(default=None, description="The only projects that it reaches.")
    agent: str | None = Field(default=None, description="The only agent that it acts for.")
    expires_at: Time | None = Until


class KeyToRotate(Body):
    """A key to replace by another of its name."""

    name: str = Field(description="Its name.")
    grace: float | None = Field(
        default=None,
        ge=0,
        le=LONGEST_GRACE.total_seconds(),
        description="Seconds for which the old one stays valid.",
    )
    expires_at: Time | None = Until


class KeyToRevoke(Body):
    """A key to revoke."""

    name: str = Field(description="Its name.")


@routes.get("/keys", Action.ADMIN, whole=True)
def list_keys(store: CallerStore) -> KeyListDocument:
    """List the keys, the newest first, also those that are no longer valid."""
    return KeyListDocument(found=[KeyDocument.of(key) for key in store.keys.list()])


@routes.post("/keys", Action.ADMIN, whole=True, status_code=201)
def create_key(store: CallerStore, body: KeyToMake, caller: Asking, key: OnceKey) -> MadeKeyDocument:
    """Make a key. It is shown once."""
    _require_no(key)
    made = store.keys.create(
        body.name,
        body.action,
        projects=body.projects,
        agent=body.agent,
        expires_at=body.expires_at,
        by=caller.name,
    )
    return MadeKeyDocument.made(made)


@routes.post("/keys/rotate", Action.ADMIN, whole=True, status_code=201)
def rotate_key(store: CallerStore, body: KeyToRotate, caller: Asking, key: OnceKey) -> MadeKeyDocument:
    """Make another key of the same name. The one before it ends at once, or after a grace."""
    _require_no(key)
    grace = None if body.grace is None else timedelta(seconds=body.grace)
    made = store.keys.rotate(body.name, grace=grace, expires_at=body.expires_at, by=caller.name)
    return MadeKeyDocument.made(made)


@routes.post("/keys/revoke", Action.ADMIN, whole=True)
def revoke_key(store: CallerStore, body: KeyToRevoke) -> RevokedKeyDocument:
    """End a key at once."""
    store.keys.revoke(body.name)
    return RevokedKeyDocument(name=body.name)


def _require_no(key: str | None) -> None:
    """Refuses an idempotency key: a repeated request would have to be answered with a secret that nobody keeps."""
    if key is not None:
        raise InvalidInput("Idempotency-Key", "cannot be given where a key is made: it is shown once")
