"""Taking out of a window what it can do without: prunes and flash saves."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from backstory.application.checkpoints.creation import (
    checked_policy,
    checkpoint_request,
    window_policy,
)
from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionPart
from backstory.application.tiers.tier_updates import update_session
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands import recovery
from backstory.domain.errors import InvalidInput
from backstory.domain.events import ItemSaved, ItemsCompacted
from backstory.domain.log.guards import Decided
from backstory.domain.log.ranges import from_ranges
from backstory.domain.policies.pruning import PruningPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import CONVERSATION_TYPES
from backstory.domain.state import ContextState
from backstory.domain.values import LARGEST, MAIN_WINDOW, Tier, label, whole_number
from backstory.domain.window.pruning import PrunePlan, Ranked, plan_prune
from backstory.domain.window.validation import Depth

FLASH_SAVE_TRIGGER = "flash_save"
MOST_PATHS = 500
"""The newest items besides messages whose files are looked up for a prune."""


class Aim(NamedTuple):
    """What a prune aims at: how deep it may go, to which share of the limit, and by which numbers."""

    depth: Depth = "essentials"
    target: float | None = None
    """None for the policy's own."""
    window: str = MAIN_WINDOW
    next_tokens: int = 0
    """What the next call adds: it has to fit as well."""
    policy: WindowPolicy | None = None
    """None for the one that the session has chosen, as for the next."""
    pruning: PruningPolicy | None = None
    trigger: str | None = None


@dataclass(frozen=True)
class Pruned:
    """What a prune did, or with `dry_run` would do. `version` is that of its event: None for a dry run, and where there
    was nothing to take out. `reached`: what stays is within the target; the essentials stay even when they are not."""

    version: int | None
    window: str
    limit: int
    target: int
    tokens_before: int
    tokens_after: int
    threshold: int
    dropped: tuple[int, ...]
    kept: tuple[int, ...]
    reached: bool
    dry_run: bool = False
    ranked: tuple[Ranked, ...] = ()
    """Every item with its priority and points, in the order in which they are kept."""


@dataclass(frozen=True)
class FlashSaved:
    """What a flash save did. `checkpoint_id` is the version to restore for the window as it was; `version` is that of
    the event that cleared it, None where there was nothing to clear. `items_archived` are COLD ones, `items_stored`
    WARM ones: both stay in the record, and `undo_compaction` or `items.bring_back` returns them."""

    checkpoint_id: int
    items_archived: int
    hot_items_retained: int
    items_stored: int
    version: int | None
    tokens_before: int
    tokens_after: int


class Pruner(SessionPart):
    """Keeps windows within their limits."""

    def prune(
        self,
        target: float | None = None,
        dry_run: bool = False,
        aggressive: bool = False,
        *,
        window: str = MAIN_WINDOW,
        next_tokens: int = 0,
        policy: WindowPolicy | None = None,
        pruning: PruningPolicy | None = None,
        trigger: str | None = None,
    ) -> Pruned:
        """Takes the items that matter least out of a window until it is at `target`, a share of its limit (by default
        the policy's 0.70): the essentials stay, then what is always worth keeping, then by points. With `aggressive`
        only the barest stays: the system prompt, the current task, the newest decisions, the last thing the user said,
        open calls and, as far as they fit, constraints, goals, pins and the current file. One event brings everything
        back."""
        aim = Aim(
            "aggressive" if aggressive else "essentials",
            target,
            window,
            next_tokens,
            policy,
            pruning,
            trigger,
        )
        return self.pruned(aim, dry_run=dry_run)

    def flash_save(
        self,
        *,
        window: str = MAIN_WINDOW,
        agent: str | None = None,
        policy: WindowPolicy | None = None,
        trigger: str | None = None,
    ) -> FlashSaved:
        """Takes a checkpoint and clears the window but for HOT items and what always stays. WARM items are kept in the
        store, COLD ones archived; `checkpoints.restore` brings the window back as it was. With an agent, only its own
        private items leave. Tiers are brought up to date first."""
        if agent is not None:
            label("agent", agent)
        if trigger is not None:
            label("trigger", trigger)
        checked_policy(policy)
        if label("window", window) not in self._handle.state().windows:
            raise InvalidInput("window", f"must be a window of the session, got {window!r}")
        update_session(self._runtime, self._id, None, self._handle.provenance)
        checkpoint = checkpoint_request(
            self._handle, FLASH_SAVE_TRIGGER, (trigger or FLASH_SAVE_TRIGGER,), window
        )
        cleared: list[tuple[ContextState, frozenset[int]]] = []

        def flash_save(state: ContextState, window: str, agent: str | None, trigger: str | None) -> Decided:
            cleared[:] = [(state.copy(), frozenset())]
            decided = recovery.flash_save(
                state, window=window, agent=agent, policy=policy or window_policy(state), trigger=trigger
            )
            leaving = (item for removal in decided.change.effects.removes for item in removal.items)
            cleared[:] = [(cleared[0][0], frozenset(leaving))]
            return decided

        decider = partial(flash_save, window=window, agent=agent, trigger=trigger)
        clear = Request(ContentBundle(), decider, self._handle.provenance)
        key = self._handle.key
        try:
            done = self._handle.append([checkpoint, clear], key=key)
        except recovery.NothingLeaves:
            done = self._handle.append([checkpoint], key=key, asked=[checkpoint, clear])
        saved = done.last_version if done.last_version > done.first_version else None
        if not cleared:
            # The same request was made before under its key: this is its answer.
            cleared = [self._cleared_at(done.first_version, saved, window)]
        return _flash_saved(done.first_version, saved, window, agent, *cleared[0])

    # Steps

    def pruned(self, aim: Aim, *, dry_run: bool = False) -> Pruned:
        _check_aim(aim)
        plans: list[PrunePlan] = []

        def prune(state: ContextState, aim: Aim) -> Decided:
            plans[:] = [self.plan(state, aim)]
            return recovery.prune_window(
                state,
                plan=plans[0],
                policy=aim.policy or window_policy(state),
                pruning=aim.pruning or pruning_policy(state),
                trigger=aim.trigger,
            )

        version: int | None = None
        if dry_run:
            plans[:] = [self.plan(self._runtime.reader.state(self._id), aim)]
        else:
            try:
                version = self._handle.command(ContentBundle(), partial(prune, aim=aim))
            except recovery.NothingLeaves:
                version = None
        if not plans:
            # The same request was made before under its key: this is its answer.
            assert version is not None
            return self._pruned_at(version)
        return _outcome(
            plans[0], version, limit_of(self._runtime.reader.state(self._id), aim.window), dry_run
        )

    def plan(self, state: ContextState, aim: Aim) -> PrunePlan:
        """What a prune of this state would do."""
        policy = aim.policy or window_policy(state)
        share = policy.prune_target if aim.target is None else aim.target
        return plan_prune(
            state,
            at=self._handle.now_us(),
            target=max(0, int(limit_of(state, aim.window) * share) - aim.next_tokens),
            window=aim.window,
            depth=aim.depth,
            policy=policy,
            pruning=aim.pruning or pruning_policy(state),
            paths=self._paths(state, aim.window),
        )

    def _paths(self, state: ContextState, window: str) -> Mapping[int, str]:
        """The files that the newest saved items came from."""
        saved = [item.id for item in state.live(window) if item.type not in CONVERSATION_TYPES][-MOST_PATHS:]
        if not saved:
            return {}
        found = ContentReader.on_branch(self._runtime, self._id, state.version).events(saved)
        return {
            version: event.body.path
            for version, event in found.items()
            if isinstance(event.body, ItemSaved) and event.body.path is not None
        }

    def _pruned_at(self, version: int) -> Pruned:
        """What an earlier prune did, from its event."""
        before = self._runtime.reader.state(self._id, version - 1)
        after = self._runtime.reader.state(self._id, version)
        event = ContentReader.on_branch(self._runtime, self._id, version).events([version])[version]
        assert isinstance(event.body, ItemsCompacted)
        window, limit = event.body.window, limit_of(before, event.body.window)
        return Pruned(
            version=version,
            window=window,
            limit=limit,
            target=int(limit * window_policy(before).prune_target),
            tokens_before=before.windows[window].tokens,
            tokens_after=after.windows[window].tokens,
            threshold=0,
            dropped=from_ranges(event.body.dropped),
            kept=from_ranges(event.body.kept),
            reached=after.windows[window].tokens <= int(limit * window_policy(before).prune_target),
        )

    def _cleared_at(
        self, checkpoint: int, saved: int | None, window: str
    ) -> tuple[ContextState, frozenset[int]]:
        """The state that an earlier flash save was decided on, and what left."""
        before = self._runtime.reader.state(self._id, checkpoint)
        if saved is None:
            return before, frozenset()
        stayed = {item.id for item in self._runtime.reader.state(self._id, saved).live(window)}
        return before, frozenset(item.id for item in before.live(window) if item.id not in stayed)


def _flash_saved(
    checkpoint: int,
    saved: int | None,
    window: str,
    agent: str | None,
    before: ContextState,
    leaving: frozenset[int],
) -> FlashSaved:
    live = before.live(window)
    left = [item for item in live if item.id in leaving]
    hot = [
        item
        for item in live
        if item.id not in leaving
        and item.tier == Tier.HOT
        and (agent is None or item.agent == agent or not item.private)
    ]
    usage = before.windows[window]
    return FlashSaved(
        checkpoint_id=checkpoint,
        items_archived=sum(item.tier == Tier.COLD for item in left),
        hot_items_retained=len(hot),
        items_stored=sum(item.tier != Tier.COLD for item in left),
        version=saved,
        tokens_before=usage.tokens,
        tokens_after=usage.tokens - sum(item.tokens_in(usage.encoding) for item in left),
    )


def pruning_policy(state: ContextState) -> PruningPolicy:
    """The pruning policy that the session has chosen, else the default."""
    return PruningPolicy.chosen(state.policies.get(PruningPolicy.kind))


def limit_of(state: ContextState, window: str) -> int:
    """A window's limit; without one there is nothing to prune to."""
    if label("window", window) not in state.windows:
        raise InvalidInput("window", f"must be a window of the session, got {window!r}")
    limit = state.windows[window].limit
    if limit is None:
        raise InvalidInput("window", f"{window!r} has no limit to keep to: see window.configure")
    return limit


def _outcome(plan: PrunePlan, version: int | None, limit: int, dry_run: bool) -> Pruned:
    return Pruned(
        version=version,
        window=plan.window,
        limit=limit,
        target=plan.target,
        tokens_before=plan.tokens_before,
        tokens_after=plan.tokens_after,
        threshold=plan.threshold,
        dropped=plan.dropped,
        kept=plan.kept,
        reached=plan.reached,
        dry_run=dry_run,
        ranked=plan.ranked,
    )


def _check_aim(aim: Aim) -> None:
    target = aim.target
    if target is not None and (
        isinstance(target, bool) or not isinstance(target, int | float) or not 0 <= target <= 1
    ):
        raise InvalidInput("target", f"must be a share of the window's limit, from 0 to 1, got {target!r}")
    whole_number("next_tokens", aim.next_tokens, minimum=0, maximum=LARGEST)
    checked_policy(aim.policy)
    if aim.pruning is not None and not isinstance(aim.pruning, PruningPolicy):
        raise InvalidInput("pruning", f"must be a PruningPolicy, got {type(aim.pruning).__name__}")
    if aim.trigger is not None:
        label("trigger", aim.trigger)
