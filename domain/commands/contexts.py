"""Commands on what the model is shown: the system prompt, summaries, pins, noticed decisions, compactions."""

from collections.abc import Sequence
from typing import Any

from backstory.domain import events as e
from backstory.domain.commands.items import checked_items, live_items
from backstory.domain.commands.sources import made_from, no_further
from backstory.domain.effects import Effects, NewItem, Removal
from backstory.domain.errors import InvalidInput, ItemNotLive, Refused
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.ranges import as_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.records import Candidate
from backstory.domain.state import ContextState
from backstory.domain.trust import Trust
from backstory.domain.values import MAIN_WINDOW, build, version_number


def set_system_prompt(state: ContextState, *, item: NewItem, text: ContentRef) -> Decided:
    """The exact version guards it: of two prompts set at once, the second takes the place of the first."""
    replaced = [live for live in (state.system_prompt,) if live in state.items]
    return Decided(
        Change(e.SystemPromptSet(text=text), _replacing(item, replaced)), Guard(expected=state.version)
    )


def make_summary(state: ContextState, *, item: NewItem, replaces: int | None, **fields: Any) -> Decided:
    """Refused when another summary came meanwhile: it tells of the same messages."""
    newest = state.summary.item if state.summary is not None else None
    if newest != replaces:
        raise Refused(f"another summary, {newest}, was made meanwhile.")
    replaced = [live for live in (replaces,) if live in state.items]
    body = build(e.SummaryMade, replaces=replaces, **fields)
    item = made_from(state, item, body.derived_from())
    return Decided(Change(body, _replacing(item, replaced)), Guard(expected=state.version))


def _replacing(item: NewItem, replaced: Sequence[int]) -> Effects:
    removal = (Removal(items=tuple(replaced), disposition="superseded"),) if replaced else ()
    return Effects(brings=item, removes=removal)


def pin_item(state: ContextState, *, item: int, why: ContentRef | None = None) -> Decided:
    (pinned,) = live_items(state, [item])
    return Decided(Change(e.ItemPinned(item=pinned, why=why)), Guard(items=(pinned,)))


def remember_message(state: ContextState, *, item: int) -> Decided:
    """Pins a message that asks to be remembered. Refused when somebody else has done so."""
    if item in state.pins:
        raise Refused(f"message {item} is pinned already.")
    return Decided(pin_item(state, item=item).change, Guard(expected=state.version))


def unpin_item(state: ContextState, *, item: int) -> Decided:
    (pinned,) = checked_items([item])
    if pinned not in state.pins:
        raise ItemNotLive(f"item {pinned} is not pinned.")
    return Decided(Change(e.ItemUnpinned(item=pinned)))


def notice_decision(state: ContextState, *, place: int, **fields: Any) -> Decided:
    """The message's candidate number `place`, from 0. Refused when somebody else has noticed it."""
    body = build(e.DecisionNoticed, **fields)
    noticed = sum(candidate.noticed_in == body.source for candidate in state.candidates)
    if noticed != place:
        raise Refused(f"what message {body.source} decides was noticed already.")
    return Decided(Change(body), Guard(expected=state.version))


def confirm_decision(
    state: ContextState,
    *,
    candidate: int,
    item: NewItem,
    text: ContentRef,
    rationale: ContentRef | None = None,
) -> Decided:
    noticed = _waiting_candidate(state, candidate)
    item = no_further(item, [Trust(noticed.trust)])
    body = e.DecisionConfirmed(
        candidate=noticed.id, text=text, rationale=rationale, decided_by=noticed.decided_by
    )
    return Decided(Change(body, Effects(brings=item)), Guard(expected=state.version))


def dismiss_decision(state: ContextState, *, candidate: int, why: ContentRef | None = None) -> Decided:
    noticed = _waiting_candidate(state, candidate)
    return Decided(Change(e.DecisionDismissed(candidate=noticed.id, why=why)), Guard(expected=state.version))


def _waiting_candidate(state: ContextState, candidate: int) -> Candidate:
    """The candidate, which nobody has confirmed or dismissed yet."""
    version_number("candidate", candidate)
    for noticed in state.candidates:
        if noticed.id == candidate:
            return noticed
    raise ItemNotLive(f"decision {candidate} does not wait to be confirmed or dismissed.")


def compact_items(
    state: ContextState,
    *,
    item: NewItem | None,
    summary: ContentRef | None,
    summarized: Sequence[int],
    dropped: Sequence[int] = (),
    kept: Sequence[int] = (),
    window: str = MAIN_WINDOW,
    tokens_before: int | None = None,
    **fields: Any,
) -> Decided:
    """Messages that arrive meanwhile neither stop it nor are touched by it."""
    leaving = live_items(state, [*summarized, *dropped], window)
    if bool(summarized) != (summary is not None):
        raise InvalidInput("summary", "must be given when items are summarized, and only then")
    if set(leaving) & set(kept) or len(leaving) != len(summarized) + len(dropped):
        raise InvalidInput("items", "must each have one disposition")
    if item is not None:
        item = made_from(state, item, summarized)
    encoding = state.windows[window].encoding if window in state.windows else None
    if tokens_before is None:
        tokens_before = sum(state.items[item].tokens_in(encoding) for item in leaving)
    body = build(
        e.ItemsCompacted,
        summary=summary,
        summarized=as_ranges(summarized),
        dropped=as_ranges(dropped),
        kept=as_ranges(kept),
        window=window,
        tokens_before=tokens_before,
        tokens_after=item.tokens if item is not None else 0,
        **fields,
    )
    removes = tuple(
        Removal(items=tuple(items), disposition=disposition, window=window)
        for disposition, items in (("summarized", summarized), ("dropped", dropped))
        if items
    )
    return Decided(
        Change(body, Effects(brings=item, removes=removes)), Guard(items=leaving, since=state.version)
    )
