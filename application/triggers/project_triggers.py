"""The triggers of a project: `project.triggers`."""

import builtins
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.artifacts.registry import project_state
from backstory.application.handle import SessionHandle, SessionPart
from backstory.application.memory.streams import start_if_new
from backstory.application.queries.session_list import SessionFilter, read_sessions
from backstory.application.triggers.acting import is_known
from backstory.application.triggers.evaluation import Configurations, hits
from backstory.application.triggers.history import TriggerRecord, session_history
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain import events as e
from backstory.domain.errors import InvalidInput
from backstory.domain.events.base import Change
from backstory.domain.triggers.values import (
    DEFAULT_TRIGGERS,
    KIND,
    SETTING,
    Trigger,
    as_settings,
    checked_triggers,
    recorded_triggers,
)
from backstory.domain.values import LARGEST, build, whole_number
from backstory.infrastructure.postgres.standby import reads_only
from backstory.infrastructure.trigger_conditions import require_conditions

FIRED = (e.TriggerFired.type, e.TriggerStopped.type)
Given = Sequence[Trigger | Mapping[str, Any]]


class WouldFire(NamedTuple):
    """A change that would have set a trigger off."""

    session: UUID
    change: int
    """The change, by its version."""
    at: datetime
    """The time of the change."""
    event: str
    """The type of its event."""
    trigger: str
    actions: tuple[str, ...]
    problem: str | None
    """The reason why its condition could not be told; then it would not have fired."""


class ProjectTriggers(SessionPart):
    """The triggers of a project: `project.triggers`."""

    def __init__(self, handle: SessionHandle, name: str) -> None:
        super().__init__(handle)
        self._name = name

    def set(self, triggers: Given = DEFAULT_TRIGGERS) -> int:
        """Sets the triggers of the project, in place of those before; by default the six of the context management
        document. Changes from now on set them off. Conditions are checked first."""
        found = checked(triggers)
        start_if_new(self._handle, self._name)
        body = build(e.PolicyChosen, kind=KIND, name="default", version=1, settings=as_settings(found))
        return self._handle.write(ContentBundle(), Change(body))

    @reads_only
    def list(self) -> builtins.list[Trigger]:
        """The triggers of the project; none where none were set."""
        return [*recorded_triggers(project_state(self._runtime, self._name).policies.get(KIND))]

    def check(self, triggers: Given) -> builtins.list[Trigger]:
        """Checks triggers without setting them: names, conditions, actions. Raises InvalidInput with the field and the
        rule."""
        return [*checked(triggers)]

    @reads_only
    def dry_run(self, triggers: Given | None = None, *, limit: int = 100) -> builtins.list[WouldFire]:
        """The changes in the recorded sessions of the project that would have set triggers off, the newest sessions
        first: these triggers, or those of the project. Nothing is carried out or recorded."""
        whole_number("limit", limit, minimum=1, maximum=LARGEST)
        wanted = self.list() if triggers is None else [*checked(triggers)]
        found: builtins.list[WouldFire] = []
        if not wanted:
            return found
        configurations = Configurations(self._runtime)
        for session in read_sessions(self._runtime, SessionFilter(project=self._name), LARGEST):
            head = self._runtime.require_head(session.id)
            first = self._runtime.reader.log_of(session.id, head.version)[-1].first
            for hit in hits(self._runtime, session.id, first, head.version, configurations, wanted):
                found.append(
                    WouldFire(
                        session.id,
                        hit.event.version,
                        hit.event.occurred_at,
                        hit.event.type,
                        hit.trigger.name,
                        hit.trigger.actions,
                        hit.problem,
                    )
                )
                if len(found) == limit:
                    return found
        return found

    @reads_only
    def history(self, *, limit: int = 50) -> builtins.list[TriggerRecord]:
        """The firings in sessions of the project, the newest sessions first, with the outcome of each action."""
        whole_number("limit", limit, minimum=1, maximum=LARGEST)
        found: builtins.list[TriggerRecord] = []
        for session in read_sessions(self._runtime, SessionFilter(project=self._name, types=FIRED), LARGEST):
            found += session_history(self._runtime, session.id)
            if len(found) >= limit:
                break
        return found[:limit]


def checked(triggers: Given) -> tuple[Trigger, ...]:
    """Triggers whose names, conditions and actions are as they must be."""
    found = checked_triggers(triggers)
    require_conditions(found)
    for trigger in found:
        for place, action in enumerate(trigger.actions):
            if not is_known(action):
                raise InvalidInput(
                    f"{SETTING}.{trigger.name}.actions.{place}",
                    f"{action!r} is no action; one of your own is written 'module:name'",
                )
    return found
