"""Commands on what items may do: trusted further, kept out of prompts, cleared of a suspicion."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from backstory.domain import events as e
from backstory.domain.commands.items import checked_items, return_items
from backstory.domain.effects import Effects, Judgement, Removal, Return
from backstory.domain.errors import InvalidInput, Refused
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.references import ContentRef
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.trust import Trust
from backstory.domain.values import MAIN_WINDOW, build

QUARANTINED = "quarantined"
"""The disposition of an item that left for quarantine."""


def choose_safety(policy: SafetyPolicy) -> Change:
    """The safety policy of a project. The last choice holds."""
    if not isinstance(policy, SafetyPolicy):
        raise InvalidInput("policy", f"must be a SafetyPolicy, got {type(policy).__name__}")
    return Change(
        build(
            e.PolicyChosen,
            kind=policy.kind,
            name=policy.name,
            version=policy.version,
            settings=policy.settings(),
        )
    )


def confirm_items(state: ContextState, *, items: Sequence[int], person: str | None, **fields: Any) -> Decided:
    """Items that are trusted from here on. An agent cannot confirm anything: it may repeat what it read in them."""
    wanted = checked_items(items)
    if person is not None and person in state.agents:
        raise Refused(f"{person!r} is an agent of this session: only a person confirms.")
    body = build(e.ItemsConfirmed, items=wanted, person=person, **fields)
    judges = Judgement(items=wanted, trust=Trust.TRUSTED)
    # Whose text was replaced meanwhile is not what was confirmed.
    return Decided(Change(body, Effects(judges=judges)), Guard(items=wanted, since=state.version))


def quarantine_items(state: ContextState, *, items: Sequence[int], why: ContentRef) -> Decided:
    """Items that stand in no prompt from here on; those that are in quarantine already stay there."""
    wanted = tuple(item for item in checked_items(items) if item not in state.quarantined)
    if not wanted:
        raise Refused("all of these items are in quarantine already.")
    if state.system_prompt in wanted:
        raise Refused(f"item {state.system_prompt} is the system prompt: set another one instead.")
    live = tuple(item for item in wanted if item in state.items)
    effects = Effects(
        judges=Judgement(items=wanted, quarantined=True),
        removes=(Removal(items=live, disposition=QUARANTINED),) if live else (),
    )
    body = build(e.ItemsQuarantined, items=wanted, why=why)
    return Decided(Change(body, effects), Guard(items=wanted, since=state.version))


def release_items(
    state: ContextState,
    *,
    items: Sequence[int],
    rows: Sequence[Item],
    brought_in: Mapping[int, UUID],
    why: ContentRef | None,
) -> Decided:
    """Items that leave quarantine. The rows are those as the read model has them."""
    wanted = checked_items(items)
    for item in wanted:
        if item not in state.quarantined:
            raise Refused(f"item {item} is not in quarantine.")
    free = [row._replace(quarantined=False) for row in rows]
    returns: list[Return] = []
    for window in dict.fromkeys(name for row in free for name in _windows_of(state, row.id)):
        back = [row for row in free if window in _windows_of(state, row.id)]
        returned = return_items(state, rows=back, brought_in=brought_in, window=window)
        returns += returned.change.effects.returns
    body = build(e.ItemsReleased, items=wanted, why=why)
    effects = Effects(judges=Judgement(items=wanted, quarantined=False), returns=tuple(returns))
    return Decided(Change(body, effects), Guard(expected=state.version))


def clear_flags(
    state: ContextState, *, items: Sequence[int], flags: Sequence[str], why: ContentRef | None
) -> Decided:
    """Items that are not suspected any more."""
    wanted = checked_items(items)
    body = build(e.FlagsCleared, items=wanted, flags=tuple(dict.fromkeys(flags)), why=why)
    judges = Judgement(items=wanted, cleared=body.flags)
    return Decided(Change(body, Effects(judges=judges)), Guard(items=wanted, since=state.version))


def _windows_of(state: ContextState, item: int) -> list[str]:
    """The windows that an item comes back to: those that it left. A memory has one, while it holds."""
    note = state.memories.get(item)
    if note is not None:
        return [MAIN_WINDOW] if note.left is None else []
    return state.quarantined[item]
