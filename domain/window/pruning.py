"""The items that leave a window when it is pruned."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from backstory.domain.policies.pruning import DEFAULT_PRUNING, PruningPolicy
from backstory.domain.policies.window import DEFAULT_WINDOW, WindowPolicy
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Role
from backstory.domain.window.essentials import essential_items, minimal_items, replaceable_items
from backstory.domain.window.priorities import ItemPriorities, KeepPriority
from backstory.domain.window.validation import Depth

PRUNES: dict[Depth, str] = {
    "essentials": "prune",
    "minimal": "prune:minimal",
    "aggressive": "prune:aggressive",
}
"""The algorithms of prunes, as their events name them."""


class Ranked(NamedTuple):
    """An item as a prune sees it."""

    item: int
    type: str
    tokens: int
    priority: int
    points: int
    essential: bool
    kept: bool


class PrunePlan(NamedTuple):
    """The plan of a prune. `threshold` is the one at which what has more points fits; items below it stay where they
    still fit. `ranked` is in the order in which items are kept."""

    window: str
    depth: Depth
    target: int
    tokens_before: int
    tokens_after: int
    threshold: int
    ranked: tuple[Ranked, ...]

    @property
    def kept(self) -> tuple[int, ...]:
        return tuple(sorted(one.item for one in self.ranked if one.kept))

    @property
    def dropped(self) -> tuple[int, ...]:
        return tuple(sorted(one.item for one in self.ranked if not one.kept))

    def carried_out(self, planned: Collection[int]) -> "PrunePlan":
        """An earlier plan, by what it drops, carried out on this one's state. What is essential by now stays; what this
        plan drops leaves too, if the other is not enough any more."""
        planned = frozenset(planned)
        with_planned = [one._replace(kept=one.essential or one.item not in planned) for one in self.ranked]
        if sum(one.tokens for one in with_planned if one.kept) > self.target:
            with_planned = [
                one._replace(kept=one.kept and own.kept)
                for one, own in zip(with_planned, self.ranked, strict=True)
            ]
        after = sum(one.tokens for one in with_planned if one.kept)
        return self._replace(ranked=tuple(with_planned), tokens_after=after)

    @property
    def reached(self) -> bool:
        """Whether what stays fits the target. The essentials stay even when they do not."""
        return self.tokens_after <= self.target


def plan_prune(
    state: ContextState,
    *,
    at: int,
    target: int,
    window: str = MAIN_WINDOW,
    depth: Depth = "essentials",
    policy: WindowPolicy = DEFAULT_WINDOW,
    pruning: PruningPolicy = DEFAULT_PRUNING,
    paths: Mapping[int, str] | None = None,
    digests: Mapping[int, str] | None = None,
) -> PrunePlan:
    """Essentials first, then what is kept if relevant, then by points what is above the threshold, then what else has
    space; what does not fit is skipped, and the next one is tried. What the matrix always prunes leaves.

    A window that is below the target already is left alone, unless only the minimal or aggressive context is asked for.
    """
    encoding = state.windows[window].encoding if window in state.windows else None
    first, second = _protected(state, window, policy, depth)
    weighing = ItemPriorities(
        state, at=at, essential=first, window=window, policy=pruning, paths=paths, digests=digests
    )
    found = [
        Ranked(
            item.id,
            item.type,
            item.tokens_in(encoding),
            int(weighing.priority(item)),
            weighing.points(item),
            item.id in first,
            item.id in first,
        )
        for item in state.live(window)
    ]
    before = sum(one.tokens for one in found)
    if depth == "essentials" and before <= target:
        return PrunePlan(
            window, depth, target, before, before, 0, tuple(one._replace(kept=True) for one in found)
        )
    # Of two with as many points, the newer one.
    order = sorted(found, key=lambda one: (one.priority, -one.points, -one.item))
    used = sum(one.tokens for one in found if one.essential)
    kept = {one.item for one in found if one.essential}
    threshold = pruning.threshold
    if depth == "essentials":
        used = _fill(order, kept, used, target, lambda one: one.priority == KeepPriority.KEEP_IF_RELEVANT)
        open_to_choice = [one for one in order if one.priority == KeepPriority.KEEP_IF_SPACE]
        threshold = _risen(open_to_choice, target - used, pruning)
        _fill(open_to_choice, kept, used, target, lambda one: True)
    elif depth == "aggressive":
        _fill(order, kept, used, target, lambda one: one.item in second)
    ranked = tuple(one._replace(kept=one.item in kept) for one in order)
    after = sum(one.tokens for one in ranked if one.kept)
    return PrunePlan(window, depth, target, before, after, threshold, ranked)


def _fill(
    order: list[Ranked], kept: set[int], used: int, target: int, wanted: Callable[[Ranked], bool]
) -> int:
    """Keeps what is wanted and still fits, in this order; how many tokens are used then."""
    for one in order:
        if one.item not in kept and wanted(one) and used + one.tokens <= target:
            kept.add(one.item)
            used += one.tokens
    return used


def _risen(candidates: list[Ranked], space: int, pruning: PruningPolicy) -> int:
    """The threshold, raised from where it begins until what has more points fits. At 100 nothing is above it."""
    threshold = pruning.threshold
    while threshold < 100 and sum(one.tokens for one in candidates if one.points > threshold) > space:
        threshold = min(100, threshold + pruning.threshold_step)
    return threshold


def _protected(
    state: ContextState, window: str, policy: WindowPolicy, depth: Depth
) -> tuple[frozenset[int], frozenset[int]]:
    """The items that always stay, and those that stay as long as they fit."""
    if depth == "essentials":
        return essential_items(state, window, policy), frozenset()
    standing = minimal_items(state, window, policy)
    if depth == "minimal":
        return standing, frozenset()
    live = state.live(window)
    asked = [item.id for item in live if item.role == Role.USER and item.type in CONVERSATION_TYPES]
    replaceable = {
        *state.goals,
        *state.constraints,
        *state.pins,
        *(task.item for task in state.tasks.values()),
        *replaceable_items(state),
    }
    bare = {item for item in standing if item not in replaceable and not _is_said(state, item)}
    # A system message, an open call or a decision stays even when it is pinned or said.
    bare |= set(state.open_calls.values()) & standing
    bare |= {
        note.id for note in state.decisions[-policy.decisions_kept :] if policy.decisions_kept
    } & standing
    bare |= {item.id for item in _leading_system(live)} | set(asked[-1:])
    if state.current_task is not None:
        bare |= {state.tasks[state.current_task].item} & standing
    if state.system_prompt is not None:
        bare |= {state.system_prompt} & standing
    return frozenset(bare), standing


def _is_said(state: ContextState, item: int) -> bool:
    return state.items[item].type in CONVERSATION_TYPES


def _leading_system(live: list[Item]) -> list[Item]:
    leading = []
    for item in live:
        if item.type in CONVERSATION_TYPES:
            if item.role != Role.SYSTEM:
                break
            leading.append(item)
    return leading
