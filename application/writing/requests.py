"""A change that was asked for: decided at once or, in a transaction, when that commits."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from pydantic import BaseModel

from backstory.application.safety.names import require_no_secrets
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.events.base import Change, EventBody
from backstory.domain.log.guards import NO_GUARD, Decided, Guard
from backstory.domain.state import ContextState
from backstory.domain.trust import Origin
from backstory.infrastructure.postgres.append import Key, PendingEvent

Decider = Callable[[ContextState], Decided]


@dataclass(frozen=True, slots=True)
class Provenance:
    """The actor, time and cause of a request, its idempotency key, and the origin of what it brings."""

    actor: str | None = None
    occurred_at: datetime | None = None
    cause: int | None = None
    key: str | None = None
    origin: Origin | None = None
    """The origin that the caller has stated; None for that of the item's type and role."""
    imported: bool = False
    """Whether it is read from a transcript."""


@dataclass(frozen=True, slots=True)
class Request:
    """One write. `command` is the change itself, or a function that decides on one from the state."""

    bundle: ContentBundle
    command: Change | Decider
    provenance: Provenance
    guard: Guard = NO_GUARD

    @property
    def needs_state(self) -> bool:
        return not isinstance(self.command, Change)

    def decide(self, state: ContextState | None) -> Decided:
        if isinstance(self.command, Change):
            return Decided(self.command, self.guard)
        assert state is not None
        return self.command(state)

    def pending(self, change: Change) -> PendingEvent:
        """The change, encoded."""
        body = change.body
        assert isinstance(body, EventBody)
        said = self.provenance
        payload, effects = body.encode(), change.effects.encode()
        require_no_secrets(payload, effects)
        return PendingEvent(
            body.type,
            body.schema_version,
            payload,
            effects,
            said.occurred_at,
            said.actor,
            said.cause,
            tuple(self.bundle.contents),
        )


def fingerprint(requests: Sequence[Request]) -> bytes:
    """A hash of what was asked for: equal for equal requests, whatever salts their contents have."""
    said = []
    for request in requests:
        command = request.command
        if isinstance(command, Change):
            wanted: Any = [command.type, command.body, command.effects]
        else:
            assert isinstance(command, partial)
            wanted = [command.func.__name__, command.args, command.keywords]
        text = json.dumps(
            [wanted, request.provenance.actor, request.provenance.occurred_at, request.provenance.cause],
            default=_plain,
            sort_keys=True,
        )
        said.append(request.bundle.unsalted(text))
    return hashlib.sha256("\0".join(said).encode()).digest()


def key_of(requests: Sequence[Request], key: str | None) -> Key | None:
    return None if key is None else Key(key, fingerprint(requests))


def _plain(value: object) -> Any:
    if isinstance(value, BaseModel):
        # The trust of a new item follows from the items that it names, and may have been raised since.
        return value.model_dump(
            mode="json", exclude_defaults=True, exclude={"trust": True, "brings": {"trust"}}
        )
    return str(value)
