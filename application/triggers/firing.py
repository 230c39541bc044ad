"""Fires triggers, each once for a change, and carries out their actions, each once for a firing.

A change is recorded first, and its triggers are looked for afterwards: by whoever ran a chat command, at once, and by
the workers, which follow the feed and miss nothing. Both may come to the same change, and each may die on the way. So
every firing and every action is an append under a key that follows from the change, and the log takes a key once. In
the append of the change itself, a slow or failing action would keep the change from being recorded.
"""

import logging
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.runtime import Runtime
from backstory.application.triggers.acting import ActionContext, Outcome, action_named
from backstory.application.triggers.evaluation import Configurations, Hit, hits
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.errors import (
    BackstoryError,
    BranchMoved,
    Conflict,
    IdempotencyConflict,
    Refused,
    Unavailable,
)
from backstory.domain.events import TriggerActed, TriggerFired, TriggerStopped
from backstory.domain.events.base import Change, EventBody
from backstory.domain.triggers.values import Trigger
from backstory.domain.values import build

_LOGGER = logging.getLogger(__name__)
ATTEMPTS = 3
"""Times that an action is planned anew because what it was planned on has changed."""
MOST_ROUNDS = 10
"""Rounds of actions and what they set off; the worker goes on with what is left."""
LONGEST_CHAIN = 100
"""Causes that are followed to find a loop."""


class ActionDone(NamedTuple):
    """An action of a firing, and its outcome."""

    action: str
    outcome: str
    """done, nothing or failed; waiting: it is not registered in this process, and left to a worker."""
    detail: dict[str, Any]


class Fired(NamedTuple):
    """A trigger that fired."""

    trigger: str
    change: int
    """The change, by its version."""
    version: int
    """The firing, by its version."""
    actions: tuple[ActionDone, ...]
    """The actions that were carried out now; what others have done before is not among them."""


def fire(
    runtime: Runtime,
    stream: UUID,
    first: int,
    last: int,
    configurations: Configurations | None = None,
    *,
    final: bool = False,
) -> list[Fired]:
    """Fires the triggers of some versions of a session. With `final`, an action that is not registered here has
    failed; without, it is left to a worker."""
    found = []
    for hit in hits(runtime, stream, first, last, configurations or Configurations(runtime)):
        fired = _Firing(runtime, stream, hit, final).fire()
        if fired is not None:
            found.append(fired)
    return found


def fire_all(runtime: Runtime, stream: UUID, first: int) -> list[Fired]:
    """Fires the triggers of a session from a version on, then those that the actions set off, until there are none."""
    found: list[Fired] = []
    configurations = Configurations(runtime)
    for _ in range(MOST_ROUNDS):
        last = runtime.require_head(stream).version
        if first > last:
            break
        found += fire(runtime, stream, first, last, configurations)
        first = last + 1
    return found


class _Firing:
    """One trigger and one change."""

    def __init__(self, runtime: Runtime, stream: UUID, hit: Hit, final: bool) -> None:
        self._runtime = runtime
        self._stream = stream
        self._hit = hit
        self._final = final
        self._key = f"trigger/{hit.trigger.name}/{hit.event.version}"

    @property
    def _trigger(self) -> Trigger:
        return self._hit.trigger

    def fire(self) -> Fired | None:
        """Records the firing, unless that was done, and does what is left of its actions."""
        change = self._hit.event.version
        if self._hit.problem is not None:
            # Once for a session and a condition: it may fail of every change.
            self._stop("condition", self._hit.problem, f"trigger/{self._trigger.name}/condition")
            return None
        version = self._fired_before()
        if version is None:
            version = self._record_firing()
        if version is None:
            return None
        done = []
        for place, action in enumerate(self._trigger.actions):
            acted = self._act(version, place, action)
            if acted is not None:
                done.append(acted)
        return Fired(self._trigger.name, change, version, tuple(done))

    def _fired_before(self) -> int | None:
        earlier = self._runtime.log.earlier_append(self._stream, self._key)
        return None if earlier is None else earlier[0]

    def _record_firing(self) -> int | None:
        event = self._hit.event
        if self._runtime.require_head(self._stream).epoch != event.epoch:
            return None  # The change was backtracked before anybody came to it.
        if self._trigger.name in self._chain():
            self._stop("loop", f"version {event.version} follows from this trigger", f"{self._key}/loop")
            return None
        body = build(
            TriggerFired,
            trigger=self._trigger.name,
            change=event.version,
            event=event.type,
            actions=self._trigger.actions,
        )
        return self._append(ContentBundle(), body, self._key, event.version)

    def _chain(self) -> set[str]:
        """The triggers that the change follows from."""
        reader = ContentReader(
            self._runtime, self._runtime.reader.log_of(self._stream, self._hit.event.version)
        )
        found, event = set[str](), self._hit.event
        for _ in range(LONGEST_CHAIN):
            if event.cause is None or event.cause >= event.version:
                break
            event = reader.events([event.cause])[event.cause]
            if isinstance(event.body, TriggerFired):
                found.add(event.body.trigger)
        return found

    def _stop(self, because: str, reason: str, key: str) -> None:
        if self._runtime.log.earlier_append(self._stream, key) is not None:
            return
        _LOGGER.warning("trigger %s of session %s did not fire: %s", self._trigger.name, self._stream, reason)
        bundle = ContentBundle()
        body = build(
            TriggerStopped,
            trigger=self._trigger.name,
            change=self._hit.event.version,
            because=because,
            reason=bundle.text("reason", reason),
        )
        self._append(bundle, body, key, self._hit.event.version)

    def _append(self, bundle: ContentBundle, body: EventBody, key: str, cause: int) -> int | None:
        """Appends one event under a key; None where the session was backtracked meanwhile."""
        handle = self._handle(cause)
        try:
            done = handle.append([Request(bundle, Change(body), handle.provenance)], key=key)
        except IdempotencyConflict:
            # Another process was first, and read another configuration.
            return self._fired_before()
        except BranchMoved:
            return None
        return done.first_version

    def _handle(self, cause: int) -> SessionHandle:
        return SessionHandle.of(self._runtime, self._stream).with_(cause=cause, actor=None)

    def _act(self, fired: int, place: int, action: str) -> ActionDone | None:
        key = f"{self._key}/{place}"
        if self._runtime.log.earlier_append(self._stream, key) is not None:
            return None
        carry_out = action_named(action)
        if carry_out is None and not self._final:
            return ActionDone(action, "waiting", {})
        for attempt in range(ATTEMPTS):
            handle = self._handle(fired)
            if carry_out is None:
                outcome = Outcome("failed", {"why": f"no action of the name {action!r} is registered"})
            else:
                outcome = _carried_out(
                    carry_out,
                    ActionContext(handle, self._trigger.name, self._hit.event, self._hit.values, key),
                )
            try:
                return self._record_action(self._handle(fired), fired, action, outcome, key)
            except (Refused, Conflict) as error:
                if isinstance(error, IdempotencyConflict):
                    return None  # Another process has done it meanwhile.
                if attempt + 1 == ATTEMPTS and outcome.requests:
                    failed = Outcome("failed", {"why": str(error)})
                    return self._record_action(self._handle(fired), fired, action, failed, key)
        return None

    def _record_action(
        self, handle: SessionHandle, fired: int, action: str, outcome: Outcome, key: str
    ) -> ActionDone:
        bundle = handle.bundle()
        body = build(
            TriggerActed,
            trigger=self._trigger.name,
            fired=fired,
            action=action,
            outcome=outcome.outcome,
            detail=bundle.json("detail", outcome.detail or None),
        )
        acted = Request(bundle, Change(body), handle.provenance)
        handle.append([*outcome.requests, acted], key=key)
        return ActionDone(action, outcome.outcome, outcome.detail)


def _carried_out(carry_out: Any, context: ActionContext) -> Outcome:
    """The outcome of an action. One that fails is recorded, unless it may succeed later."""
    try:
        done = carry_out(context)
    except (Conflict, Unavailable):
        raise
    except BackstoryError as error:
        return Outcome("failed", {"why": str(error)})
    except Exception as error:
        # Whatever somebody's own action raises: its words may hold anything, so only its kind is told.
        _LOGGER.exception("action of trigger %s failed", context.trigger)
        return Outcome("failed", {"why": f"it raised {type(error).__name__}"})
    if done is None:
        return Outcome("done")
    if not isinstance(done, Outcome):
        return Outcome("failed", {"why": f"it returned {type(done).__name__}, not an Outcome"})
    return done
