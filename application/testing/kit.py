"""Given what happened, when this is asked for, then that follows: tests of events without a database.

    given(GoalSet(text=text("ship it"))).when(complete_goal, goal=1).then(GoalCompleted(goal=1))

The fold is the one that sessions use, so what holds here holds in a session. Versions count from 1, and every
event is a second later than the one before. A command is any function that returns what should be recorded,
or raises; when its first parameter is called `state`, it gets the state.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Self, TypeAlias
from uuid import UUID

from backstory.application.testing.usual_effects import usual_effects
from backstory.domain.commands.facts import new_item
from backstory.domain.effects import Effects, NewItem
from backstory.domain.errors import ItemsChanged, SessionNotOpen, UnknownVersion, VersionConflict
from backstory.domain.events import Event, EventBody, SessionForked
from backstory.domain.events.base import Change
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.guards import NO_GUARD, Decided, Guard
from backstory.domain.log.references import PLAIN_TEXT, SALT_BYTES, ContentRef, PartRef, digest
from backstory.domain.state import ContextState

SESSION = UUID("00000000-0000-7000-8000-000000000001")
"""The session that all tests are about."""
FORK = UUID("00000000-0000-7000-8000-000000000002")
"""The session that a SessionForked begins."""
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of version 0. Every version is one second later than the one before."""

Fact: TypeAlias = EventBody | Change | Decided | Event | tuple[EventBody, Effects]
"""A fact: an event's body, with its effects unless they are the usual ones, or an event."""


def text(value: str, *, part: int = 0, media_type: str = PLAIN_TEXT) -> ContentRef:
    """A reference to a text, as an event has it. The same text gives the same reference. `part` tells the
    contents of one event apart."""
    data = value.encode()
    return ContentRef(
        sha256=digest(bytes(SALT_BYTES), media_type, data), size=len(data), media_type=media_type, part=part
    )


def part(value: str, *, kind: str = "text", part: int = 0, **fields: Any) -> PartRef:
    """A part of a message or a saved item that says this."""
    return PartRef(content=text(value, part=part), kind=kind, **fields)


def item(type: str, *, tokens: int = 1, **fields: Any) -> NewItem:
    """An item that an event brings; its importance and tier follow from its type unless they are given."""
    return new_item(type, tokens=tokens, **fields)


def given(*facts: Fact, actor: str | None = None) -> "Given":
    """A session in which these things happened, in this order."""
    history = Given(actor)
    for fact in facts:
        history._happen(fact)
    return history


class Given:
    """A session with a history."""

    def __init__(self, actor: str | None = None) -> None:
        self._actor = actor
        self._states: dict[int, ContextState] = {0: ContextState(SESSION)}
        # The same with the items that have left every window, as the items read model keeps them.
        self._kept: dict[int, ContextState] = {0: ContextState(SESSION)}
        self._version = 0

    @property
    def state(self) -> ContextState:
        """The state now."""
        return self._states[self._version].copy()

    def when(
        self, command: Callable[..., Any] | EventBody | Change, /, *args: Any, **inputs: Any
    ) -> "Outcome":
        """Runs a command; or, given an event, applies it. Whatever an append would refuse is refused here too, such
        as an item for a session that has ended."""
        after = self._copy()
        try:
            changes = []
            for fact in _facts(after._asked(command, args, inputs)):
                change, guard = after._change(fact)
                _admit(after.state, change, guard)
                after._happen(change)
                changes.append(change)
        except Exception as error:
            return Outcome(self, (), error)
        return Outcome(after, tuple(changes), None)

    def _asked(self, command: Any, args: tuple[Any, ...], inputs: dict[str, Any]) -> Any:
        if isinstance(command, EventBody):
            return Change(command, *args, **inputs) if args or inputs else command
        if isinstance(command, Change):
            return command
        first = next(iter(inspect.signature(command).parameters), None)
        return command(*((self.state,) if first == "state" else ()), *args, **inputs)

    def _copy(self) -> "Given":
        copy = Given(self._actor)
        copy._states, copy._kept, copy._version = dict(self._states), dict(self._kept), self._version
        return copy

    def _change(self, fact: Fact) -> tuple[Change, Guard]:
        if isinstance(fact, Decided):
            return fact.change, fact.guard
        if isinstance(fact, EventBody):
            return Change(fact, usual_effects(fact, self._states, self._kept[self._version])), NO_GUARD
        if isinstance(fact, Event):
            return Change(fact.body, fact.effects), NO_GUARD
        return Change(*fact), NO_GUARD

    def _happen(self, fact: Fact) -> None:
        event = fact if isinstance(fact, Event) else self._event(self._change(fact)[0])
        resumes = event.effects.resumes
        base = self._version if resumes is None else resumes.version
        if base not in self._states:
            raise UnknownVersion(f"version {base} does not exist: nothing was given for it.")
        state = self._states[base].copy() if base else None
        kept = self._kept[base].copy() if base else None
        self._version = event.version
        self._states[event.version] = evolve(state, event)
        self._kept[event.version] = evolve(kept, event, keep_removed=True)

    def _event(self, change: Change) -> Event:
        version = self._version + 1
        now = BEGINNING + timedelta(seconds=version)
        state = self._states[self._version]
        forked = isinstance(change.body, SessionForked)
        branch_point = change.effects.resumes is not None
        body = change.body
        assert isinstance(body, EventBody)
        return Event(
            stream=FORK if forked else state.stream,
            version=version,
            type=body.type,
            schema_version=body.schema_version,
            recorded_at=now,
            occurred_at=now,
            actor=self._actor,
            cause=None,
            epoch=0 if forked else state.epoch + branch_point,
            body=body,
            effects=change.effects,
        )


class Outcome:
    """The result of a command."""

    def __init__(self, after: Given, changes: tuple[Change, ...], error: Exception | None) -> None:
        self._after = after
        self.changes = changes
        """The events to be recorded, each with its effects."""
        self.error = error
        """The error, or None."""

    @property
    def state(self) -> ContextState:
        """The state afterwards; after a refusal that is the state before."""
        return self._after.state

    def then(self, *expected: EventBody | Change | tuple[EventBody, Effects]) -> Self:
        """These events are recorded, and no others. Effects are compared where they are given."""
        self._require_success()
        for number, (change, expected_change) in enumerate(self._pairs(expected), 1):
            got = change.body if isinstance(expected_change, EventBody) else change
            if got != expected_change:
                raise AssertionError(f"event {number} is\n  {got!r}\nand not\n  {expected_change!r}")
        return self

    def then_refused(self, error: type[Exception], match: str | None = None) -> Self:
        """It is refused with this error, and with a message in which the pattern is found."""
        if self.error is None:
            bodies = ", ".join(repr(change.body) for change in self.changes) or "nothing"
            raise AssertionError(f"it was not refused, and recorded {bodies}")
        if not isinstance(self.error, error):
            raise AssertionError(
                f"it was refused with {self.error!r}, not with {error.__name__}"
            ) from self.error
        if match is not None and not re.search(match, str(self.error)):
            raise AssertionError(f"{match!r} is not in {str(self.error)!r}") from self.error
        return self

    def then_state(self, check: Callable[[ContextState], object]) -> Self:
        """The state afterwards is as the check wants it: it asserts by itself, or returns False."""
        self._require_success()
        if check(self.state) is False:
            raise AssertionError(f"the state is not as expected: {self.state!r}")
        return self

    def _require_success(self) -> None:
        if self.error is not None:
            raise AssertionError(f"it was refused: {self.error!r}") from self.error

    def _pairs(self, expected: Sequence[Any]) -> list[tuple[Change, Any]]:
        if len(self.changes) != len(expected):
            bodies = ", ".join(repr(change.body) for change in self.changes) or "nothing"
            raise AssertionError(f"it recorded {len(self.changes)} events, not {len(expected)}: {bodies}")
        return list(zip(self.changes, expected, strict=True))


def _facts(result: Any) -> list[Fact]:
    """The return value of a command as a list of facts."""
    if result is None:
        return []
    if isinstance(result, EventBody | Change | Decided | Event):
        return [result]
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], Effects):
        return [result]
    return list(result)


def _admit(state: ContextState, change: Change, guard: Guard) -> None:
    """Checks that an append makes for every command."""
    if guard.expected is not None and guard.expected != state.version:
        raise VersionConflict(
            f"the session is at version {state.version}, not where this append expected it."
        )
    for guarded in guard.items:
        live = state.items.get(guarded)
        if live is None or (guard.since is not None and live.changed > guard.since):
            raise ItemsChanged("an item this change depends on was changed or removed meanwhile.")
    if change.effects.brings is not None and state.status == "ended":
        raise SessionNotOpen("the session has ended and takes no new items; resume it first.")
