"""Whether a window still holds what it must, after a compaction, a prune or a restore and before it is recorded."""

from collections.abc import Collection
from itertools import takewhile
from typing import Literal

from backstory.domain.context_document.document import check_state
from backstory.domain.errors import WouldLoseContext
from backstory.domain.events.base import Change, Event, EventBody
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.guards import Decided
from backstory.domain.policies.window import DEFAULT_WINDOW, WindowPolicy
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Role
from backstory.domain.window.essentials import replaceable_items

Depth = Literal["essentials", "minimal", "aggressive"]
"""The limit of a loss: all but its essentials; of the messages all but the newest; or all but the system prompt,
the current task and file, the newest decisions, the last thing the user said, and what is open."""


def problems(
    before: ContextState,
    after: ContextState,
    *,
    window: str = MAIN_WINDOW,
    policy: WindowPolicy = DEFAULT_WINDOW,
    depth: Depth = "essentials",
    change: Change | None = None,
) -> list[str]:
    """The rules that a change of a window's contents would break, in words; empty when none. With the change itself
    it is also held to naming every item that leaves, since only what it names can come back."""
    live_before = {item.id: item for item in before.live(window)}
    live_after = {item.id: item for item in after.live(window)}
    found = [
        *_lost_decisions(before, after),
        *_missing(before, list(live_before.values()), live_after.keys(), policy, depth),
        *_torn_exchanges(live_before, live_after),
        *state_problems(after),
    ]
    left = live_before.keys() - live_after.keys()
    if change is not None:
        named = {item for removal in change.effects.removes for item in removal.items}
        if left - named:
            found.append(
                f"{_items(left - named)} would leave without being named, so nothing could bring it back"
            )
    if unknown := [item for item in left if not 1 <= item <= before.version]:
        found.append(f"{_items(unknown)} is not in the record, so it could not come back")
    return found


def state_problems(state: ContextState) -> list[str]:
    """The contradictions in a state; empty for every state that the fold made."""
    found = []
    for name, window in state.windows.items():
        live = state.live(name)
        tokens = sum(item.tokens_in(window.encoding) for item in live)
        if (window.items, window.tokens) != (len(live), tokens):
            found.append(
                f"window {name!r} counts {window.items} items and {window.tokens} tokens, "
                f"and holds {len(live)} with {tokens}"
            )
    if state.current_task is not None and state.current_task not in state.tasks:
        found.append(f"the current task {state.current_task!r} is not an open one")
    return found


def leads_to(state: ContextState, change: Change) -> ContextState:
    """The state that a change would lead to; the given one stays as it is."""
    assert isinstance(change.body, EventBody)
    event = Event(
        stream=state.stream,
        version=state.version + 1,
        type=change.body.type,
        schema_version=change.body.schema_version,
        recorded_at=state.recorded_at,
        occurred_at=state.recorded_at,
        actor=None,
        cause=None,
        epoch=state.epoch,
        body=change.body,
        effects=change.effects,
    )
    return evolve(state.copy(), event)


def require_valid(
    state: ContextState,
    decided: Decided,
    *,
    window: str = MAIN_WINDOW,
    policy: WindowPolicy = DEFAULT_WINDOW,
    depth: Depth = "essentials",
) -> Decided:
    """Returns the decided change, or raises WouldLoseContext with the first rule that it would break. The context
    document's rules are checked before and after it; they raise ContextInvalid."""
    check_state(state)
    after = leads_to(state, decided.change)
    found = problems(state, after, window=window, policy=policy, depth=depth, change=decided.change)
    if found:
        raise WouldLoseContext(f"{found[0]}; nothing was changed.")
    check_state(after)
    return decided


def _lost_decisions(before: ContextState, after: ContextState) -> list[str]:
    known = {note.id for note in after.decisions}
    lost = {note.id for note in before.decisions} - known
    if lost or after.decision_count < before.decision_count:
        return [
            f"{_items(lost)} would no longer be a decision of the record"
            if lost
            else "a decision would be lost"
        ]
    return []


def _missing(
    before: ContextState, live: list[Item], after: Collection[int], policy: WindowPolicy, depth: Depth
) -> list[str]:
    """The items that must stay and would not, each with the reason."""
    required: list[tuple[str, list[int]]] = [
        ("the system prompt", [] if before.system_prompt is None else [before.system_prompt]),
        ("a system message that the conversation begins with", _leading_system(live)),
        ("the current task", _current_task(before)),
        (
            f"one of the last {policy.decisions_kept} decisions",
            # Counted from the front: the last none of a list are not all of it.
            [note.id for note in before.decisions[max(0, len(before.decisions) - policy.decisions_kept) :]],
        ),
        ("a tool call that waits for its result", list(before.open_calls.values())),
    ]
    said = [item for item in live if item.type in CONVERSATION_TYPES]
    asked = [item.id for item in said if item.role == Role.USER]
    required.append(("the last message of the user", asked[-1:]))
    if depth == "essentials":
        kept = policy.user_messages_kept
        required.append((f"one of the last {kept} messages of the user", asked[-kept:]))
    if depth != "aggressive":
        kept = policy.messages_kept if depth == "essentials" else 1
        required += [
            (
                f"one of the last {kept} messages" if kept > 1 else "the last message",
                [i.id for i in said[-kept:]],
            ),
            ("a constraint", list(before.constraints)),
            ("an open goal", list(before.goals)),
            ("an open task", [task.item for task in before.tasks.values()]),
            ("a pinned item", list(before.pins)),
            (
                "the session summary, the newest open error or the file being edited",
                sorted(replaceable_items(before)),
            ),
        ]
    there = {item.id for item in live}
    return [
        f"item {item}, {what}, would leave the window"
        for what, items in required
        for item in items
        if item in there and item not in after
    ]


def _leading_system(live: list[Item]) -> list[int]:
    said = (item for item in live if item.type in CONVERSATION_TYPES)
    return [item.id for item in takewhile(lambda item: item.role == Role.SYSTEM, said)]


def _current_task(state: ContextState) -> list[int]:
    task = state.tasks.get(state.current_task) if state.current_task is not None else None
    return [] if task is None else [task.item]


def _torn_exchanges(before: dict[int, Item], after: dict[int, Item]) -> list[str]:
    """A call and its results are one item: it stays with all its versions, or leaves with all."""
    return [
        f"tool exchange {item.id} would keep only part of its calls and results"
        for item in after.values()
        if item.type == "tool_exchange"
        and item.id in before
        and not set(before[item.id].versions) <= set(item.versions)
    ]


def _items(items: Collection[int]) -> str:
    named = sorted(items)
    return f"item {named[0]}" if len(named) == 1 else f"items {', '.join(map(str, named[:5]))}"
