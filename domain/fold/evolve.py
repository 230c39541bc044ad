"""The fold: applies events to a state. It reads no clock, no configuration and nothing random."""

from collections.abc import Iterable

from backstory.domain.effects import NO_EFFECTS, Effects, Extension, Judgement, NewItem, Removal
from backstory.domain.events import UPKEEP, Event, UnknownBody
from backstory.domain.fold.table import FOLDS
from backstory.domain.fold.windows import forget_left_alerts
from backstory.domain.records import Item, Window
from backstory.domain.state import NAMES_KEPT, ContextState
from backstory.domain.trust import TRUST_OF_ORIGIN, less_trusted
from backstory.domain.values import MAIN_WINDOW, microseconds

FOLD_VERSION = 3
"""Raised whenever the fold gives another state for the same events: snapshots of other folds are then ignored."""


def fold(state: ContextState | None, events: Iterable[Event]) -> ContextState | None:
    """The state after these events. A given state is folded on in place."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: ContextState | None, event: Event, *, keep_removed: bool = False) -> ContextState:
    """The state after one more event. For a branch point (a fork's first event, a backtrack) the given state is the
    one it resumes. With `keep_removed`, items stay when they have left every window, as they do in the items read
    model."""
    at = microseconds(event.occurred_at)
    if state is None:
        state = ContextState(stream=event.stream, started=at)
    state.stream = event.stream
    state.version = event.version
    state.epoch = event.epoch
    state.recorded = microseconds(event.recorded_at)
    if event.type not in UPKEEP:
        state.active = at
    if event.actor is not None:
        state.last_actor = event.actor
        if event.actor in state.actors or len(state.actors) < NAMES_KEPT:
            state.actors[event.actor] = state.actors.get(event.actor, 0) + 1
    effects = event.effects
    if effects is not NO_EFFECTS:
        _apply(state, event.version, at, effects, keep_removed)
    # Not `isinstance`, which asks pydantic for every event of a replay. Where the body is known, so is the type.
    if type(event.body) is not UnknownBody:
        folded = FOLDS.get(event.type)
        if folded is not None:
            folded(state, event, event.body)
    if state.alerts:
        forget_left_alerts(state)
    return state


def _apply(state: ContextState, version: int, at: int, effects: Effects, keep_removed: bool) -> None:
    if effects.brings is not None:
        _bring(state, version, at, effects.brings, keep_removed)
    if effects.window is not None:
        settings = effects.window
        state.windows[settings.name] = Window(settings.limit, settings.encoding, settings.model)
    if effects.counts is not None:
        _recount(state, effects.counts.encoding, effects.counts.tokens)
    if effects.window is not None:
        measure_windows(state)
    if effects.extends is not None:
        _extend(state, version, effects.extends)
    if effects.revises is not None:
        revision = effects.revises
        item = state.items.get(revision.item)
        if item is not None:
            _use(state, item, -1, 0)
            item = item._replace(
                tokens=revision.tokens,
                encoding=revision.encoding,
                recounts=None,
                changed=version,
                versions=(version,),
                flags=revision.flags,
            )
            if revision.origin is not None:
                trust = min(item.trust, TRUST_OF_ORIGIN[revision.origin])
                item = item._replace(origin=revision.origin, trust=trust)
            state.items[item.id] = item
            _use(state, item, 1, 0)
    if effects.judges is not None:
        # Before they leave, so that a quarantined item's windows are known.
        _judge(state, version, effects.judges)
    for removal in effects.removes:
        _remove(state, version, removal, keep_removed)
    for returned in effects.returns:
        for row in returned.rows:
            _return(state, version, Item.from_row(list(row)), returned.window, keep_removed)
    if effects.returns:
        # Dicts keep the order of insertion; items stand in the order in which they came.
        state.items = dict(sorted(state.items.items()))
    for touched in dict.fromkeys(effects.touches):
        item = state.items.get(touched)
        if item is not None:
            state.items[touched] = item._replace(accesses=item.accesses + 1, touched=max(item.touched, at))
    for tier, assigned in effects.tiers.items():
        for item_id in assigned:
            item = state.items.get(item_id)
            if item is not None:
                state.items[item_id] = item._replace(tier=str(tier))
    if effects.labels:
        for name, value in effects.labels.items():
            if value is None:
                state.labels.pop(name, None)
            else:
                state.labels[name] = {**value, "version": version} if isinstance(value, dict) else value
    if effects.marks is not None:
        state.last_checkpoint = version
    if effects.resumes is not None:
        # Contents erased on the abandoned branch, or in the session that a fork began in, stay gone, and the state
        # that is resumed knows nothing of it.
        state.last_erasure = version


def _bring(state: ContextState, version: int, at: int, new: NewItem, keep_removed: bool) -> None:
    item = brought(version, at, new)
    if item.windows or keep_removed:
        state.items[version] = item
    if new.quarantined:
        state.quarantined[version] = [MAIN_WINDOW]
    state.counts[new.type] = state.counts.get(new.type, 0) + 1
    _use(state, item, 1, 1)


def brought(version: int, at: int, new: NewItem) -> Item:
    """An item as it comes, at a moment in microseconds since 1970."""
    return Item(
        version,
        new.type,
        new.tokens,
        new.importance,
        new.tier.value,
        new.windows,
        at,  # brought
        at,  # touched
        0,  # accesses
        version,  # changed
        (version,),
        None,  # role
        new.agent,
        new.private,
        new.task,
        new.references,
        new.encoding,
        new.recounts or None,
        new.origin,
        new.own_trust.value,
        new.quarantined,
        new.flags,
    )


def _use(state: ContextState, item: Item, sign: int, items: int) -> None:
    for name in item.windows:
        _adjust(state, name, sign * items, sign, item)


def _adjust(state: ContextState, name: str, items: int, sign: int, item: Item) -> None:
    window = state.windows.get(name) or Window()
    tokens = sign * item.tokens_in(window.encoding)
    state.windows[name] = window._replace(items=window.items + items, tokens=window.tokens + tokens)


def _recount(state: ContextState, encoding: str, tokens: dict[int, int]) -> None:
    for item_id, count in tokens.items():
        item = state.items.get(item_id)
        if item is not None:
            _use(state, item, -1, 0)
            item = state.items[item_id] = item._replace(recounts={**(item.recounts or {}), encoding: count})
            _use(state, item, 1, 0)


def measure_windows(state: ContextState) -> None:
    """Sets every window's usage from its live items."""
    for name, window in state.windows.items():
        live = state.live(name)
        state.windows[name] = window._replace(
            items=len(live), tokens=sum(item.tokens_in(window.encoding) for item in live)
        )


def _extend(state: ContextState, version: int, extension: Extension) -> None:
    item, tokens = state.items.get(extension.item), extension.tokens
    if item is None:
        return
    for name in item.windows:
        window = state.windows[name]
        state.windows[name] = window._replace(tokens=window.tokens + tokens)
    recounts = item.recounts and {encoding: count + tokens for encoding, count in item.recounts.items()}
    state.items[item.id] = item._replace(
        tokens=item.tokens + tokens,
        recounts=recounts,
        changed=version,
        versions=_held_by(item, version),
        origin=less_trusted(item.origin, extension.origin),
        trust=min(item.trust, TRUST_OF_ORIGIN[extension.origin]),
        flags=merged_flags(item.flags, extension.flags),
    )


def merged_flags(flags: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """The flags of an item that has grown, in the order of the alphabet."""
    return tuple(sorted({*flags, *more})) if more else flags


def _held_by(item: Item, version: int) -> tuple[int, ...]:
    """The events that hold an item's contents, with one more; an event may bring an item and extend it."""
    return item.versions if version in item.versions else (*item.versions, version)


def _remove(state: ContextState, version: int, removal: Removal, keep_removed: bool) -> None:
    for item_id in removal.items:
        item = state.items.get(item_id)
        if item is None:
            continue
        leaves = item.windows if removal.window is None else tuple({removal.window} & set(item.windows))
        if not leaves:
            continue
        for name in leaves:
            _adjust(state, name, -1, -1, item)
        windows = tuple(name for name in item.windows if name not in leaves)
        if windows or keep_removed:
            state.items[item_id] = item._replace(windows=windows, changed=version)
        else:
            del state.items[item_id]


def _judge(state: ContextState, version: int, judgement: Judgement) -> None:
    for item_id in judgement.items:
        item = state.items.get(item_id)
        if judgement.quarantined:
            state.quarantined.setdefault(item_id, [] if item is None else list(item.windows))
        elif judgement.quarantined is not None:
            state.quarantined.pop(item_id, None)
        if item is None:
            continue
        state.items[item_id] = item._replace(
            trust=item.trust if judgement.trust is None else judgement.trust.value,
            quarantined=item.quarantined if judgement.quarantined is None else judgement.quarantined,
            flags=tuple(flag for flag in item.flags if flag not in judgement.cleared),
            changed=version,
        )


def _return(state: ContextState, version: int, carried: Item, window: str | None, keep_removed: bool) -> None:
    item = state.items.get(carried.id) or carried._replace(windows=())
    if window is None:
        if keep_removed:
            state.items[item.id] = item
        return
    if window in item.windows:
        return
    _adjust(state, window, 1, 1, item)
    state.items[item.id] = item._replace(windows=(*item.windows, window), changed=version)
