"""Commands on items in general."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from backstory.domain import events as e
from backstory.domain.commands import facts
from backstory.domain.effects import Effects, Judgement, NewItem, Recount, Removal, Resume, Return
from backstory.domain.errors import InvalidInput, ItemNotLive, NoLiveCall, UnknownItem
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.references import ContentRef
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.trust import Origin
from backstory.domain.values import MAIN_WINDOW, build, version_number


def checked_items(items: Sequence[int]) -> tuple[int, ...]:
    """Item ids, each once, in order."""
    for item in items:
        version_number("items", item)
    if not items:
        raise InvalidInput("items", "must name at least one item")
    return tuple(dict.fromkeys(items))


def live_items(state: ContextState, items: Sequence[int], window: str | None = None) -> tuple[int, ...]:
    """The items, all of them live."""
    wanted = checked_items(items)
    for item in wanted:
        if item > state.version:
            raise UnknownItem(f"item {item} does not exist: the session is at version {state.version}.")
        found = state.items.get(item)
        if found is None or (window is not None and window not in found.windows):
            place = f"window {window!r}" if window else "any window"
            raise ItemNotLive(f"item {item} is not live in {place}.")
    return wanted


def remove_items(
    state: ContextState,
    *,
    items: Sequence[int],
    window: str | None = None,
    why: ContentRef | None = None,
    disposition: str = "removed",
) -> Decided:
    leaving = live_items(state, items, window)
    body = build(e.ItemsRemoved, items=leaving, window=window, why=why)
    removal = build(Removal, items=leaving, disposition=disposition, window=window)
    return Decided(Change(body, Effects(removes=(removal,))), Guard(items=leaving, since=state.version))


def return_items(
    state: ContextState,
    *,
    rows: Sequence[Item],
    brought_in: Mapping[int, UUID] = {},
    window: str = MAIN_WINDOW,
) -> Decided:
    """The rows are the items as the read model has them; the exact version guards that they still are. `brought_in` are
    the sessions of those that a fork has inherited."""
    for row in rows:
        if window in row.windows:
            raise ItemNotLive(f"item {row.id} is already live in window {window!r}.")
    ids = checked_items([row.id for row in rows])
    body = build(e.ItemsReturned, items=ids, window=window)
    by_session: dict[UUID | None, list[Item]] = {}
    for row in rows:
        by_session.setdefault(brought_in.get(row.id), []).append(row)
    returns = tuple(
        build(
            Return,
            items=tuple(row.id for row in group),
            rows=tuple(tuple(row) for row in group),
            window=window,
            brought_in=session,
        )
        for session, group in by_session.items()
    )
    return Decided(Change(body, Effects(returns=returns)), Guard(expected=state.version))


def deprecate_item(
    state: ContextState, *, item: int, by: int | None = None, why: ContentRef | None = None
) -> Decided:
    (gone,) = live_items(state, [item])
    if by is not None:
        live_items(state, [by])
    effects = Effects(removes=(Removal(items=(gone,), disposition="deprecated"),))
    body = e.ItemDeprecated(item=gone, by=by, why=why)
    return Decided(Change(body, effects), Guard(items=(gone,), since=state.version))


def open_exchange(state: ContextState, *, body: e.ToolCalled, item: NewItem) -> Decided:
    """Calls of tools. An id that is still open would leave the earlier call without an answer for ever."""
    for call in body.calls:
        if state.open_calls.get(call) in state.items:
            raise InvalidInput("call_id", f"{call!r} is the id of a call that is still open")
    return Decided(facts.call_tools(body, item))


def answer_calls(
    state: ContextState,
    *,
    answers: Sequence[str],
    tokens: int,
    said: dict[str, Any],
    origin: Origin = "external_tool",
) -> Decided:
    """Results of tools. Unchanged since: of two results of one call, the second finds the call answered."""
    exchange = _exchange_of(state, answers)
    body = build(e.ToolAnswered, exchange=exchange, answers=tuple(answers), **said)
    # An exchange in quarantine is in no window, which a guard of items would ask for.
    live = exchange not in state.quarantined
    guard = Guard(items=(exchange,), since=state.version) if live else Guard(expected=state.version)
    return Decided(facts.answer_tools(body, tokens, origin), guard)


def _exchange_of(state: ContextState, calls: Sequence[str]) -> int:
    """The tool exchange, live or in quarantine, that has all these open calls."""
    exchanges = set()
    for call in calls:
        exchange = state.open_calls.get(call)
        if exchange is None or not (exchange in state.items or exchange in state.quarantined):
            raise NoLiveCall(f"tool result {call!r} answers no live call of this session.")
        exchanges.add(exchange)
    if len(exchanges) != 1:
        raise InvalidInput("parts", "the results of one message must answer calls of one assistant message")
    return exchanges.pop()


def count_tokens(state: ContextState, *, encoding: str, tokens: dict[int, int]) -> Decided:
    body = build(e.TokensCounted, encoding=encoding)
    counts = Recount(encoding=encoding, tokens=tokens)
    guard = Guard(items=tuple(tokens), since=state.version)
    return Decided(Change(body, Effects(counts=counts)), guard)


def backtrack(
    state: ContextState,
    *,
    to: int,
    resumes: Resume,
    status: str,
    why: ContentRef,
    quarantined: Sequence[int] = (),
) -> Decided:
    """`quarantined` are the items of the resumed state that were put into quarantine since: they stay there."""
    body = build(e.SessionBacktracked, to=to, abandoned=state.version, why=why)
    kept = tuple(quarantined)
    effects = Effects(
        resumes=resumes,
        labels={"status": status},
        judges=Judgement(items=kept, quarantined=True) if kept else None,
        removes=(Removal(items=kept, disposition="quarantined"),) if kept else (),
    )
    return Decided(Change(body, effects), Guard(expected=state.version))


def fork(*, parent: UUID, at: int, why: ContentRef | None, title: ContentRef | None, **labels: Any) -> Change:
    if title is not None:
        labels["title"] = {"part": title.part}
    body = build(e.SessionForked, parent=parent, at=at, why=why, title=title)
    return Change(
        body, Effects(resumes=Resume(stream=parent, version=at), labels={"status": "open", **labels})
    )
