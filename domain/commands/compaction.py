"""Commands that make a window smaller without losing anything, take that back, and say how full it is."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from backstory.domain import events as e
from backstory.domain.commands.items import live_items, return_items
from backstory.domain.effects import Effects, Recount, Removal
from backstory.domain.errors import InvalidInput, Refused
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.ranges import as_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW, build

UNDONE = "undone"
"""The disposition of a summary whose compaction was taken back."""


def stub_results(
    state: ContextState,
    *,
    encoding: str,
    tokens: Mapping[int, int],
    window: str = MAIN_WINDOW,
    **fields: Any,
) -> Decided:
    """`tokens` is what each exchange has with its results left out, in this encoding."""
    wanted = live_items(state, list(tokens), window)
    for item in wanted:
        if state.items[item].type != "tool_exchange":
            raise InvalidInput("items", f"item {item} is no tool exchange, so it has no results to leave out")
        if item in state.open_calls.values():
            raise Refused(f"tool exchange {item} waits for a result.")
    body = build(
        e.ResultsStubbed,
        items=as_ranges(wanted),
        encoding=encoding,
        window=window,
        tokens_before=sum(state.items[item].tokens_in(encoding) for item in wanted),
        tokens_after=sum(tokens.values()),
        **fields,
    )
    effects = Effects(counts=Recount(encoding=encoding, tokens=dict(tokens)))
    return Decided(Change(body, effects), Guard(items=wanted, since=state.version))


def restore_results(state: ContextState, *, encoding: str, tokens: Mapping[int, int]) -> Decided:
    """`tokens` is what each exchange has as a whole, in this encoding."""
    wanted = live_items(state, list(tokens))
    body = build(e.ResultsRestored, items=as_ranges(wanted), encoding=encoding)
    effects = Effects(counts=Recount(encoding=encoding, tokens=dict(tokens)))
    return Decided(Change(body, effects), Guard(items=wanted, since=state.version))


def encodings_of(state: ContextState, item: Item) -> tuple[str, ...]:
    """The encodings that an exchange must be counted in when its results are left out: that of each window it is in,
    and the one it was first counted in, by which a stub is known."""
    windows = [state.windows[name].encoding for name in item.windows if name in state.windows]
    return tuple(dict.fromkeys((one or DEFAULT_ENCODING) for one in (item.encoding, *windows)))


def undo_compaction(
    state: ContextState,
    *,
    compaction: int,
    window: str,
    summary: int | None,
    rows: Sequence[Item],
    brought_in: Mapping[int, UUID] = {},
    why: ContentRef | None = None,
) -> Decided:
    """The rows are the compaction's items as the read model has them, without those that are there again already."""
    if compaction not in state.compactions:
        raise Refused(f"compaction {compaction} does not stand any more.")
    removes: tuple[Removal, ...] = ()
    if summary is not None:
        live = state.items.get(summary)
        if live is None or window not in live.windows:
            raise Refused(
                f"the summary of compaction {compaction} is not in the window: what took it out comes first."
            )
        removes = (Removal(items=(summary,), disposition=UNDONE, window=window),)
    returns = (
        return_items(state, rows=rows, brought_in=brought_in, window=window).change.effects.returns
        if rows
        else ()
    )
    items = as_ranges(row.id for row in rows)
    body = build(e.CompactionUndone, compaction=compaction, items=items, window=window, why=why)
    return Decided(Change(body, Effects(removes=removes, returns=returns)), Guard(expected=state.version))


def alert_window(state: ContextState, *, window: str, policy: WindowPolicy, next_tokens: int = 0) -> Decided:
    """Refused where there is nothing new to say: `newly_reached` tells."""
    found = state.windows[window]
    assert found.limit is not None
    level = newly_reached(state, window, policy, next_tokens)
    if level is None:
        raise Refused("the window was alerted of already.")
    ratio = (found.tokens + next_tokens) / found.limit
    body = build(
        e.WindowAlerted,
        level=level,
        window=window,
        tokens=found.tokens,
        next_tokens=next_tokens,
        limit=found.limit,
        ratio=ratio,
        levels={reached: getattr(policy, reached) for reached in policy.levels(ratio)},
        policy=policy.name,
        policy_version=policy.version,
    )
    return Decided(Change(body), Guard(expected=state.version))


def newly_reached(state: ContextState, window: str, policy: WindowPolicy, next_tokens: int = 0) -> str | None:
    """The highest level that a window has reached, unless it was alerted of and not left since."""
    found = state.windows.get(window)
    if found is None or found.limit is None:
        return None
    reached = policy.levels((found.tokens + next_tokens) / found.limit)
    return reached[-1] if reached and reached[-1] not in state.alerts.get(window, {}) else None
