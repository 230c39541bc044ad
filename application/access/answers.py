"""Answers that are kept, so that a request repeated under its idempotency key is answered as the first time.

The log itself gives the result of an append again. What a request does in several steps, or what it answers beside a
version, only its first answer can say. Kept answers hold for a day."""

import hashlib
from typing import NamedTuple
from uuid import UUID, uuid4

from backstory.application.runtime import Runtime
from backstory.domain.errors import IdempotencyConflict, SessionBusy
from backstory.infrastructure.postgres.queries import query


class KeptAnswer(NamedTuple):
    """The answer to an earlier request."""

    status: int
    body: bytes


class Begun(NamedTuple):
    """A request that is to be answered now."""

    owner: UUID


class Answers:
    """The kept answers of a store."""

    def __init__(self, runtime: Runtime) -> None:
        self._database = runtime.database

    def begin(
        self, caller: str | None, path: str, key: str, request: bytes, *, bare: bool
    ) -> KeptAnswer | Begun:
        """Begins to answer a request of a caller to a path, or gives the answer that it had. `bare` is one that holds
        nothing of what was recorded. Raises IdempotencyConflict if the key was used for another request, and
        SessionBusy while the first is under way."""
        owner = uuid4()
        values = (caller or "", path, _hash(key.encode()), _hash(request), owner, bare)
        row = self._database.repeat(
            lambda c: c.execute(query("begin_answer"), values).fetchone(), certain=True
        )
        assert row is not None
        outcome, status, body = row
        if outcome == "begun":
            return Begun(owner)
        if outcome == "kept":
            return KeptAnswer(status, body)
        if outcome == "conflict":
            raise IdempotencyConflict("the idempotency key was used for another request.")
        raise SessionBusy("the first request under this idempotency key is still under way.")

    def keep(self, begun: Begun, status: int, body: bytes) -> None:
        """Keeps the answer to a request."""
        self._end(begun, status, body)

    def forget(self, begun: Begun) -> None:
        """Forgets a request that failed: it may be made again under its key."""
        self._end(begun, None, None)

    def _end(self, begun: Begun, status: int | None, body: bytes | None) -> None:
        values = (begun.owner, status, body)
        self._database.repeat(lambda c: c.execute(query("end_answer"), values).fetchone(), certain=True)


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
