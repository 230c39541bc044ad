"""The next context, made before it is asked for.

In a chat a context is asked for after each message of the user, in the same way as the last one. So it is made while
the server writes that message, when the client would only wait. Should something else come, or another context be
asked for, it is not used, and that is all: the bytes are the same in any case.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.items import item_reader_of
from backstory.application.context.assemble import Assembled, Assembler
from backstory.application.context.newest_messages import newest_shown, without_newest
from backstory.application.context.noticing import has_to_track
from backstory.application.context.request import Wanted
from backstory.application.runtime import Runtime
from backstory.domain.events import Change, Event
from backstory.domain.fold.evolve import evolve
from backstory.domain.messages.contents import Message
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.state import ContextState
from backstory.infrastructure.postgres.append import PendingEvent
from backstory.infrastructure.states.newest_states import Memory

USUAL, FORESEEN = "usual", "foreseen"
MOST_ITEMS, MOST_SHOWN = 20_000, 100
"""In a state that is copied for it, and messages that the last context went through. What is larger takes longer than
the write that is waited for, and would be kept for nothing where no context follows."""


class Usual(NamedTuple):
    """How a context was asked for right after a message."""

    wanted: Wanted
    summary: SummaryPolicy | None
    tracks: bool
    """Whether messages are looked through and summed up before it."""

    def is_like(self, other: "Usual") -> bool:
        """Whether the same is asked for, at whatever moment."""
        return self == other._replace(wanted=replace(other.wanted, as_of=self.wanted.as_of))


class Foreseen(NamedTuple):
    """A context that may be asked for at a version."""

    at: int
    usual: Usual
    assembled: Assembled
    memory: Memory
    """What the next context can go on from."""


def note_usual(state: ContextState, memory: Memory, asked: Usual) -> None:
    """Notes how the next context is likely to be asked for."""
    newest = state.items.get(state.version)
    if newest is not None and newest.type == "message" and asked.wanted.query is None:
        memory[USUAL] = asked
    else:
        memory.pop(USUAL, None)


def take_foreseen(state: ContextState, memory: Memory, asked: Usual) -> Assembled | None:
    """The context that is asked for, where it was foreseen. It is given away: its messages are the caller's."""
    foreseen: Foreseen | None = memory.pop(FORESEEN, None)
    if foreseen is None or foreseen.at != state.version:
        return None
    if not foreseen.usual.is_like(asked) or asked.wanted.as_of < foreseen.usual.wanted.as_of:
        # A look at something else, before what was foreseen is asked for.
        memory[FORESEEN] = foreseen
        return None
    memory.update(foreseen.memory)
    return foreseen.assembled


def foresee(
    runtime: Runtime,
    stream: UUID,
    state: ContextState,
    memory: Memory,
    change: Change,
    pending: PendingEvent,
    place: int,
    message: Message,
    made: Sequence[tuple[Hashable, Any, int]],
) -> Foreseen | None:
    """The context after a message that is being written, should it come so many versions after the newest. `made` is
    what follows from the message. None where that would not be the context, takes more than is at hand, or the last one
    that was foreseen is still there: then this is no chat."""
    usual: Usual | None = memory.get(USUAL)
    if usual is None or FORESEEN in memory or place != 1:
        return None
    new = change.effects.brings
    if new is None or usual.wanted.window not in new.windows or state.open_calls:
        return None
    if len(state.items) > MOST_ITEMS or newest_shown(memory) > MOST_SHOWN:
        return None
    now, version = datetime.now(UTC), state.version + place
    # When it is recorded the server alone knows; nothing that a context shows of its newest message depends on that.
    event = Event(
        stream=stream,
        version=version,
        type=pending.type,
        schema_version=pending.schema_version,
        recorded_at=now,
        occurred_at=pending.occurred_at or now,
        actor=pending.actor,
        cause=pending.cause,
        epoch=state.epoch,
        body=change.body,
        effects=change.effects,
    )
    after = evolve(state.copy(), event)
    item_reader = item_reader_of(runtime, stream, after)
    if item_reader.inherits:
        # What a fork has inherited can be erased without its log telling.
        return None
    item_reader.foresee(event, message, made)
    wanted, ahead = replace(usual.wanted, as_of=event.occurred_at), memory.copy()
    try:
        if (
            usual.tracks
            and after.status == "open"
            and has_to_track(item_reader, wanted.policy, usual.summary)
        ):
            return None
        assembled = Assembler(item_reader, wanted, ahead).assemble()
    except Exception:
        # What fails here fails again where it is asked for, and says so there.
        return None
    if not assembled.timeless or not without_newest(ahead, version):
        return None
    return Foreseen(version, usual._replace(wanted=wanted), assembled, ahead)
