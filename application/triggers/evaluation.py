"""The changes of a session that make conditions true."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.memory.streams import newest_version
from backstory.application.runtime import Runtime
from backstory.domain.commands.memory import project_id
from backstory.domain.errors import InvalidInput
from backstory.domain.events import (
    CommandExecuted,
    ConstraintAdded,
    DecisionConfirmed,
    DecisionRecorded,
    Event,
    PolicyChosen,
    SessionBacktracked,
    TriggerActed,
    TriggerFired,
    TriggerStopped,
)
from backstory.domain.events.conversation import MessageBody
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.state import ContextState
from backstory.domain.triggers.change import values_of
from backstory.domain.triggers.values import KIND, Trigger, recorded_triggers
from backstory.infrastructure.trigger_conditions import holds

OWN = (TriggerFired.type, TriggerActed.type, TriggerStopped.type)
"""What triggers themselves record sets none off."""
AT_ONCE = 500
"""Events whose texts are read at once."""


class Hit(NamedTuple):
    """A change that sets a trigger off; or one of which that could not be told, with the reason."""

    event: Event
    trigger: Trigger
    values: dict[str, Any]
    problem: str | None = None


class Configurations:
    """The triggers of projects as they were at a time. Read once for many events."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._known: dict[str, list[tuple[datetime, tuple[Trigger, ...]]]] = {}

    def at(self, project: str, moment: datetime) -> tuple[Trigger, ...]:
        """The triggers that a project had at a time. A change from before they were configured sets none off."""
        if project not in self._known:
            self._known[project] = self._read(project)
        found: tuple[Trigger, ...] = ()
        for since, triggers in self._known[project]:
            if since > moment:
                break
            found = triggers
        return found

    def has_any(self, project: str) -> bool:
        """Whether a project ever had triggers."""
        if project not in self._known:
            self._known[project] = self._read(project)
        return bool(self._known[project])

    def _read(self, project: str) -> list[tuple[datetime, tuple[Trigger, ...]]]:
        id = project_id(project)
        version = newest_version(self._runtime, id)
        if not version:
            return []
        reader = ContentReader(self._runtime, Lineage([VersionRange(id, 1, version)]))
        return [
            (event.recorded_at, recorded_triggers({"settings": event.body.settings}))
            for event in reader.events_of_type(PolicyChosen.type)
            if isinstance(event.body, PolicyChosen) and event.body.kind == KIND
        ]


def hits(
    runtime: Runtime,
    stream: UUID,
    first: int,
    last: int,
    configurations: Configurations,
    wanted: Sequence[Trigger] | None = None,
) -> Iterator[Hit]:
    """The changes among some versions of a session that set triggers off: those of its project then, or the `wanted`
    ones. A trigger fires when its condition holds of the change, and did not hold before without it: what stays over a
    threshold fires once."""
    for before, after, event, text in _changes(runtime, stream, first, last):
        project = after.labels.get("project")
        if event.type in OWN or (project is None and wanted is None) or _is_kept(runtime, stream, event):
            continue
        triggers = wanted if wanted is not None else configurations.at(str(project), event.recorded_at)
        if not any(trigger.enabled for trigger in triggers):
            continue
        command = text if event.type == CommandExecuted.type else ""
        values, still = values_of(before, after, event, text, command), values_of(before, before)
        for trigger in triggers:
            if not trigger.enabled:
                continue
            try:
                if holds(trigger.condition, values) and not holds(trigger.condition, still):
                    yield Hit(event, trigger, values)
            except InvalidInput as error:
                yield Hit(event, trigger, values, error.rule)


def _is_kept(runtime: Runtime, stream: UUID, event: Event) -> bool:
    """Whether a decision or a rule was recorded again because a backtrack left it behind: nobody decided it anew."""
    if event.cause is None or not isinstance(event.body, DecisionRecorded | ConstraintAdded):
        return False
    reader = ContentReader(runtime, runtime.reader.log_of(stream, event.version))
    cause = reader.events([event.cause]).get(event.cause) if event.cause < event.version else None
    return cause is not None and isinstance(cause.body, SessionBacktracked)


def _changes(
    runtime: Runtime, stream: UUID, first: int, last: int
) -> Iterator[tuple[ContextState, ContextState, Event, str]]:
    log = runtime.reader.log_of(stream, last)
    reader = ContentReader(runtime, log)
    state = runtime.reader.state(stream, first - 1) if first > 1 else ContextState(stream)
    batch: list[Event] = []
    for event in runtime.reader.events(log, first - 1):
        batch.append(event)
        if len(batch) == AT_ONCE or event.version == last:
            texts = _texts(reader, batch)
            for one in batch:
                before = state
                if one.effects.resumes is not None:
                    state = runtime.reader.state(stream, one.version)
                else:
                    state = evolve(before.copy(), one)
                yield before, state, one, texts.get(one.version, "")
            batch = []


def _texts(reader: ContentReader, events: Sequence[Event]) -> dict[int, str]:
    """The words of messages, decisions and commands among some events, as far as they were not erased."""
    parts: dict[int, list[int]] = {}
    for event in events:
        body = event.body
        if isinstance(body, MessageBody):
            parts[event.version] = [ref.content.part for ref in body.parts]
        elif isinstance(body, DecisionRecorded | DecisionConfirmed):
            parts[event.version] = [body.text.part]
        elif isinstance(body, CommandExecuted):
            parts[event.version] = [body.command.part]
    if not parts:
        return {}
    held = reader.bytes_of(parts)
    return {
        version: "\n".join(
            held[version, part].decode(errors="replace") for part in own if (version, part) in held
        )
        for version, own in parts.items()
    }
