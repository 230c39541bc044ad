"""Commands that keep a window within its limit and leave a way back: checkpoints, prunes, flash saves."""

from collections.abc import Mapping, Sequence

from backstory.domain import events as e
from backstory.domain.commands.contexts import compact_items
from backstory.domain.effects import Effects, Mark, Removal
from backstory.domain.errors import Refused
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.ranges import as_ranges
from backstory.domain.policies.pruning import DEFAULT_PRUNING, PruningPolicy
from backstory.domain.policies.window import DEFAULT_WINDOW, WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Tier, build
from backstory.domain.window.checkpoints import checkpoint_contents
from backstory.domain.window.essentials import essential_items
from backstory.domain.window.pruning import PRUNES, PrunePlan
from backstory.domain.window.validation import require_valid

FLASH_SAVE = "flash_save"
"""The algorithm of a flash save, as its event names it."""
STORED = "stored"
ARCHIVED = "archived"
"""The dispositions of WARM and COLD items in a flash save."""


class NothingLeaves(Refused):
    """A window already holds nothing but what stays."""


def checkpoint_state(
    state: ContextState,
    *,
    name: str,
    fold_version: int,
    triggers: Sequence[str] = (),
    window: str = MAIN_WINDOW,
    files: Mapping[str, str] | None = None,
) -> Decided:
    """Names the version and says what a restore is held to. The exact version guards it: what it tells of is the state
    right before it."""
    contents = checkpoint_contents(state, fold_version=fold_version, window=window, files=files)
    body = build(e.CheckpointTaken, name=name, triggers=tuple(triggers), **contents)
    return Decided(Change(body, Effects(marks=Mark(name=body.name))), Guard(expected=state.version))


def record_prune_plan(
    state: ContextState,
    *,
    plan: PrunePlan,
    policy: WindowPolicy = DEFAULT_WINDOW,
    pruning: PruningPolicy = DEFAULT_PRUNING,
    trigger: str | None = None,
) -> Decided:
    """Records what a prune would take out. Refused when a plan stands already, or would take out nothing."""
    if plan.window in state.prune_plans:
        raise Refused(
            f"plan {state.prune_plans[plan.window]} of window {plan.window!r} was not carried out yet."
        )
    if not plan.dropped:
        raise NothingLeaves("there is nothing to prune: the window only holds what stays.")
    body = build(
        e.PrunePlanned,
        window=plan.window,
        target=plan.target,
        threshold=plan.threshold,
        dropped=as_ranges(plan.dropped),
        kept=as_ranges(plan.kept),
        tokens_before=plan.tokens_before,
        tokens_after=plan.tokens_after,
        policy=_policy_names(policy, pruning),
        policy_version=policy.version,
        trigger=trigger,
    )
    return Decided(Change(body), Guard(expected=state.version))


def prune_window(
    state: ContextState,
    *,
    plan: PrunePlan,
    policy: WindowPolicy = DEFAULT_WINDOW,
    pruning: PruningPolicy = DEFAULT_PRUNING,
    trigger: str | None = None,
    recorded: int | None = None,
) -> Decided:
    """Takes out what a plan drops. Messages that arrive meanwhile neither stop it nor are touched by it. `recorded` is
    the version of the plan, where it was recorded before."""
    if not plan.dropped:
        raise NothingLeaves("there is nothing to prune: the window only holds what stays.")
    decided = compact_items(
        state,
        item=None,
        summary=None,
        summarized=(),
        dropped=plan.dropped,
        kept=plan.kept,
        window=plan.window,
        algorithm=PRUNES[plan.depth],
        policy=_policy_names(policy, pruning),
        policy_version=policy.version,
        trigger=trigger,
        plan=recorded,
    )
    return require_valid(state, decided, window=plan.window, policy=policy, depth=plan.depth)


def _policy_names(policy: WindowPolicy, pruning: PruningPolicy) -> str:
    """Both led to it. Most sessions go by policies of one name."""
    return policy.name if pruning.name == policy.name else f"{policy.name}, {pruning.name}"[:200]


def flash_save(
    state: ContextState,
    *,
    window: str = MAIN_WINDOW,
    agent: str | None = None,
    policy: WindowPolicy = DEFAULT_WINDOW,
    trigger: str | None = None,
) -> Decided:
    """Takes out all but HOT items and the essentials: WARM ones are stored, COLD ones archived. With an agent, only
    that agent's own private items."""
    essential = essential_items(state, window, policy)
    leaving = [
        item
        for item in state.live(window)
        if item.tier != Tier.HOT
        and item.id not in essential
        and (agent is None or (item.private and item.agent == agent))
    ]
    if not leaving:
        raise NothingLeaves(
            "there is nothing to save away: the window only holds HOT items and what always stays."
        )
    gone = {item.id for item in leaving}
    change, guard = compact_items(
        state,
        item=None,
        summary=None,
        summarized=(),
        dropped=tuple(sorted(gone)),
        kept=tuple(item.id for item in state.live(window) if item.id not in gone),
        window=window,
        algorithm=FLASH_SAVE,
        policy=policy.name,
        policy_version=policy.version,
        trigger=trigger,
    )
    removes = tuple(
        Removal(items=items, disposition=disposition, window=window)
        for disposition, tiers in ((STORED, (Tier.WARM,)), (ARCHIVED, (Tier.COLD,)))
        if (items := tuple(item.id for item in leaving if item.tier in tiers))
    )
    decided = Decided(Change(change.body, Effects(removes=removes)), guard)
    return require_valid(state, decided, window=window, policy=policy)
