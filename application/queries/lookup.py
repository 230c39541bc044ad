"""Lookup of sessions by what people type, and of forks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from backstory.application.integrity.verification import Verification, verify_session
from backstory.application.store import ContextStore
from backstory.infrastructure.postgres.queries import query


class Fork(NamedTuple):
    """A fork, with the version it began at."""

    session: UUID
    at: int


if TYPE_CHECKING:
    from backstory.application.anchors.files import Anchors


def forks_of(store: ContextStore, session: UUID) -> list[Fork]:
    """The sessions that begin in this one, oldest first."""
    wanted = {"id": session, "projects": store._runtime.projects}
    rows = store._runtime.database.read(lambda c: c.execute(query("forks"), wanted).fetchall())
    return [Fork._make(row) for row in rows]


def verify_one(
    store: ContextStore, session: UUID, anchors: "Anchors | Mapping[int, str] | None" = None
) -> Verification:
    """Verifies one session, even if its own row is missing and it cannot be opened."""
    return verify_session(store._runtime, session, anchors)
