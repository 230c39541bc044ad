"""Commands that clear a window and take that back."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from backstory.domain import events as e
from backstory.domain.commands.items import return_items
from backstory.domain.effects import Effects, Removal
from backstory.domain.errors import Refused
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.ranges import as_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Role

CLEARED = "cleared"
"""The disposition of what a clear takes out."""

_STAYING_TYPES = frozenset({"system_prompt", "constraint", "decision"})


def staying_items(state: ContextState) -> set[int]:
    """The items that a session must keep: the system prompt and the system messages that the conversation begins with,
    constraints, decisions, open goals, the current task, pinned items."""
    staying = {item.id for item in state.items.values() if item.type in _STAYING_TYPES}
    for item in state.live(MAIN_WINDOW):
        if item.type == "message" and item.role == Role.SYSTEM:
            staying.add(item.id)
        elif item.type in ("message", "tool_exchange"):
            break
    staying |= {*state.goals, *state.pins}
    if state.current_task is not None:
        staying.add(state.tasks[state.current_task].item)
    return staying


def clear_context(state: ContextState, *, why: ContentRef | None = None) -> Decided:
    """Messages that arrive meanwhile neither stop it nor are touched by it."""
    staying = staying_items(state)
    leaving = tuple(item.id for item in state.live(MAIN_WINDOW) if item.id not in staying)
    if not leaving:
        raise Refused("there is nothing to clear: the window only holds what always stays.")
    body = e.ContextCleared(items=as_ranges(leaving), why=why)
    removal = Removal(items=leaving, disposition=CLEARED, window=MAIN_WINDOW)
    return Decided(Change(body, Effects(removes=(removal,))), Guard(items=leaving, since=state.version))


def undo_clear(
    state: ContextState, *, clear: int, rows: Sequence[Item], brought_in: Mapping[int, UUID] = {}
) -> Decided:
    """The rows are the clear's items as the read model has them, without those that are there again already."""
    if not state.clears or state.clears[-1] != clear:
        raise Refused("the clear was taken back already.")
    effects = return_items(state, rows=rows, brought_in=brought_in).change.effects if rows else Effects()
    body = e.ClearUndone(clear=clear, items=as_ranges(row.id for row in rows))
    return Decided(Change(body, effects), Guard(expected=state.version))
