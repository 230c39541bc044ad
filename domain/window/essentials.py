"""The items that a window always holds, whatever is compacted or pruned."""

from collections.abc import Iterator
from itertools import islice

from backstory.domain.policies.window import DEFAULT_WINDOW, WindowPolicy
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Role


def essential_items(
    state: ContextState, window: str = MAIN_WINDOW, policy: WindowPolicy = DEFAULT_WINDOW
) -> frozenset[int]:
    """The items of a window that no compaction or pruning takes out: the system prompt and the system messages that
    the conversation begins with, constraints, open goals, open tasks, the newest decisions, pinned items, open tool
    calls, the session summary, the newest open error, the file being edited, the newest messages, and the newest ones
    of the user."""
    return standing_items(state, window, policy) | _newest_messages(
        state, window, policy.messages_kept, policy.user_messages_kept
    )


def minimal_items(
    state: ContextState, window: str = MAIN_WINDOW, policy: WindowPolicy = DEFAULT_WINDOW
) -> frozenset[int]:
    """The essentials without the newest messages but the last one, and the last one of the user: what a window is
    brought down to when nothing else makes it fit."""
    return standing_items(state, window, policy) | _newest_messages(state, window, 1, 1)


def standing_items(
    state: ContextState, window: str = MAIN_WINDOW, policy: WindowPolicy = DEFAULT_WINDOW
) -> frozenset[int]:
    """The essentials without any of the newest messages. Looked up by their ids: a long session's window may hold
    hundreds of other items, and every check asks."""
    decided = state.decisions[-policy.decisions_kept :] if policy.decisions_kept else []
    kept = {*state.goals, *state.constraints, *state.pins, *(note.id for note in decided)}
    kept |= set(state.open_calls.values())
    if state.system_prompt is not None:
        kept.add(state.system_prompt)
    # Every open one: when the current task is completed, another of them is the current one.
    kept |= {task.item for task in state.tasks.values()}
    kept |= _leading_system(state, window)
    kept |= replaceable_items(state)
    return frozenset(item for item in kept if item in state.items and window in state.items[item].windows)


def replaceable_items(state: ContextState) -> set[int]:
    """The essentials that can be read or made again: the session summary, the newest open error, and the file being
    edited."""
    summary = None if state.summary is None else state.summary.item
    return {item for item in (summary, state.newest_error, state.edited_item) if item is not None}


def _leading_system(state: ContextState, window: str) -> set[int]:
    leading = set()
    for item in state.items.values():
        if window not in item.windows:
            continue
        if item.type == "message" and item.role == Role.SYSTEM:
            leading.add(item.id)
        elif item.type in CONVERSATION_TYPES:
            break
    return leading


def _newest_messages(state: ContextState, window: str, most: int, of_user: int) -> frozenset[int]:
    def said() -> Iterator[Item]:
        items = reversed(state.items.values())
        return (item for item in items if item.type in CONVERSATION_TYPES and window in item.windows)

    asked = (item for item in said() if item.role == Role.USER)
    return frozenset(item.id for item in (*islice(said(), most), *islice(asked, of_user)))
