"""Actions that a command carries out itself, where no trigger does."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.triggers.acting import ActionContext
from backstory.application.triggers.actions import BUILT_IN
from backstory.domain.events import Event, TriggerActed
from backstory.domain.triggers.change import NOTHING

MOST_EVENTS = 1_000
"""Events after a command among which those that it led to are looked for."""


def carry_out(handle: SessionHandle, change: int, actions: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Carries out actions because of a change, each once. Returns what each did."""
    done = {}
    for action in actions:
        key = f"command/{change}/{action}"
        if handle.runtime.log.earlier_append(handle.id, key) is not None:
            continue
        own = SessionHandle.of(handle.runtime, handle.id).with_(actor=handle.actor, cause=change)
        reader = ContentReader(handle.runtime, handle.runtime.reader.log_of(handle.id, change))
        event = reader.events([change])[change]
        outcome = BUILT_IN[action](ActionContext(own, "", event, NOTHING, key))
        if outcome is None:
            continue
        if outcome.requests:
            after = SessionHandle.of(handle.runtime, handle.id)
            after.append(outcome.requests, key=key)
        done[action] = outcome.detail
    return done


def acted(handle: SessionHandle, change: int, action: str) -> bool:
    """Whether a trigger has carried out an action because of a change, maybe in another process."""
    return any(
        isinstance(event.body, TriggerActed) and event.body.action == action
        for event in led_to(handle, change)
    )


def led_to(handle: SessionHandle, change: int) -> list[Event]:
    """The events that follow from a change, one from the other."""
    head = handle.runtime.require_head(handle.id)
    log = handle.runtime.reader.log_of(handle.id, head.version)
    causes, found = {change}, list[Event]()
    for event in islice(handle.runtime.reader.events(log, change), MOST_EVENTS):
        if event.cause in causes:
            causes.add(event.version)
            found.append(event)
    return found
