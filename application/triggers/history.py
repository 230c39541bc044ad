"""The record of triggers: what fired, what its actions did, what was stopped."""

import json
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.runtime import Runtime
from backstory.domain.events import TriggerActed, TriggerFired, TriggerStopped
from backstory.domain.log.references import ContentRef


class ActionRecord(NamedTuple):
    """An action of a firing."""

    action: str
    outcome: str
    """done, nothing, failed; waiting: it was not carried out yet."""
    version: int | None
    """The event that recorded it."""
    detail: dict[str, Any] | None
    """What it did, or why not; None where that was erased."""


class TriggerRecord(NamedTuple):
    """A firing, or why there was none."""

    session: UUID
    version: int
    at: datetime
    trigger: str
    change: int
    event: str | None
    """The type of the change's event."""
    outcome: str
    """fired; loop: cut, since it followed from itself; condition: it could not be told."""
    reason: str | None
    actions: tuple[ActionRecord, ...]


def session_history(runtime: Runtime, stream: UUID) -> list[TriggerRecord]:
    """The firings in a session, abandoned branches included, the newest first."""
    head = runtime.require_head(stream)
    reader = ContentReader(runtime, runtime.reader.log_of(stream, head.version))
    read = reader.events_with_contents(
        reader.versions_of_type(TriggerFired.type, TriggerActed.type, TriggerStopped.type)
    )
    acted: dict[int, dict[str, ActionRecord]] = {}
    for version, (event, contents) in sorted(read.items()):
        body = event.body
        if isinstance(body, TriggerActed):
            told = ActionRecord(body.action, body.outcome, version, _json(body.detail, contents))
            acted.setdefault(body.fired, {})[body.action] = told
    found = []
    for version, (event, contents) in sorted(read.items(), reverse=True):
        body, at = event.body, event.occurred_at
        if isinstance(body, TriggerFired):
            done = acted.get(version, {})
            actions = tuple(
                done.get(action) or ActionRecord(action, "waiting", None, None) for action in body.actions
            )
            record = TriggerRecord(
                stream, version, at, body.trigger, body.change, body.event, "fired", None, actions
            )
            found.append(record)
        elif isinstance(body, TriggerStopped):
            reason = None if body.reason is None else contents.get(body.reason.part)
            text = None if reason is None else reason.decode(errors="replace")
            found.append(
                TriggerRecord(stream, version, at, body.trigger, body.change, None, body.because, text, ())
            )
    return found


def _json(ref: ContentRef | None, contents: dict[int, bytes]) -> dict[str, Any] | None:
    if ref is None:
        return {}
    data = contents.get(ref.part)
    found: dict[str, Any] | None = None if data is None else json.loads(data)
    return found
