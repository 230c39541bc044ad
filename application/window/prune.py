"""Prunes: the items that matter least leave a window until it is at its target."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from backstory.application.checkpoints.creation import (
    checked_policy,
    window_policy,
)
from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionPart
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import recovery
from backstory.domain.errors import InvalidInput
from backstory.domain.events import ItemSaved, ItemsCompacted, PrunePlanned
from backstory.domain.log.guards import Decided
from backstory.domain.log.ranges import from_ranges
from backstory.domain.policies.pruning import PruningPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import CONVERSATION_TYPES
from backstory.domain.state import ContextState
from backstory.domain.values import LARGEST, MAIN_WINDOW, is_number, label, whole_number
from backstory.domain.window.pruning import PRUNES, PrunePlan, Ranked, plan_prune
from backstory.domain.window.validation import Depth

MOST_PATHS = 500
"""The newest items besides messages whose files are looked up for a prune."""


class Aim(NamedTuple):
    """The target of a prune: how deep it may go, the share of the limit, and the policies."""

    depth: Depth = "essentials"
    target: float | None = None
    """None for the policy's own."""
    window: str = MAIN_WINDOW
    next_tokens: int = 0
    """The tokens of the next call, which have to fit as well."""
    policy: WindowPolicy | None = None
    """None for the session's own, as for the next field."""
    pruning: PruningPolicy | None = None
    trigger: str | None = None
    goes_on: bool = False
    """Whether a target that the essentials exceed is aimed at again with only the barest context."""
    recorded: int | None = None
    """The recorded plan that is carried out, by its version. None to plan anew."""


@dataclass(frozen=True)
class Pruned:
    """The result of a prune, or with `dry_run` of a planned one. `version` is that of its event: None for a dry run, or
    if nothing left the window. `depth` is how much stayed: the essentials, or only the barest context. `reached` is
    whether the window is within the target."""

    version: int | None
    window: str
    depth: Depth
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


class Pruner(SessionPart):
    """Keeps windows within their limits."""

    def prune(
        self,
        target: float | None = None,
        dry_run: bool = False,
        aggressive: bool | None = None,
        *,
        window: str = MAIN_WINDOW,
        next_tokens: int = 0,
        policy: WindowPolicy | None = None,
        pruning: PruningPolicy | None = None,
        trigger: str | None = None,
    ) -> Pruned:
        """Takes the items that matter least out of a window until it is at `target`, a share of its limit (by default
        the policy's 0.70). The essentials stay, then items of high priority, then the others by points. If the
        essentials alone exceed the target, only the barest context stays: the system prompt, the current task, the
        newest decisions, the last message of the user, open calls and, as far as they fit, constraints, goals, pins,
        the session summary, the newest open error and the file being edited. With `aggressive` that is done at once,
        and with False never. `undo_compaction` brings everything back."""
        if aggressive is not None and not isinstance(aggressive, bool):
            raise InvalidInput("aggressive", f"must be true, false or None, got {aggressive!r}")
        aim = Aim(
            "aggressive" if aggressive else "essentials",
            target,
            window,
            next_tokens,
            policy,
            pruning,
            trigger,
            goes_on=aggressive is None,
        )
        return self.pruned(aim, dry_run=dry_run)

    def record_plan(self, aim: Aim) -> int:
        """Records the plan of a prune, which changes nothing yet. Returns its version."""
        _check_aim(aim)

        def plan_prune(state: ContextState, aim: Aim) -> Decided:
            return recovery.record_prune_plan(
                state,
                plan=self.plan(state, aim),
                policy=aim.policy or window_policy(state),
                pruning=aim.pruning or pruning_policy(state),
                trigger=aim.trigger,
            )

        return self._handle.command(ContentBundle(), partial(plan_prune, aim=aim))

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
                recorded=aim.recorded,
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
        """The plan of a prune of this state."""
        policy = aim.policy or window_policy(state)
        pruning = aim.pruning or pruning_policy(state)
        share = policy.prune_target if aim.target is None else aim.target
        target = max(0, int(limit_of(state, aim.window) * share) - aim.next_tokens)
        by_worth = aim.depth == "essentials" and state.windows[aim.window].tokens > target
        planned = partial(
            plan_prune,
            state,
            at=self._handle.now_us(),
            target=target,
            window=aim.window,
            policy=policy,
            pruning=pruning,
            paths=self._paths(state, aim.window),
            digests=self._digests(state, aim.window, pruning) if by_worth else {},
        )
        plan = planned(depth=aim.depth)
        if aim.recorded is not None:
            event = ContentReader.on_branch(self._runtime, self._id, state.version).events([aim.recorded])
            body = event[aim.recorded].body
            assert isinstance(body, PrunePlanned)
            return plan.carried_out(from_ranges(body.dropped))
        return plan if plan.reached or not aim.goes_on else planned(depth="aggressive")

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

    def _digests(self, state: ContextState, window: str, pruning: PruningPolicy) -> Mapping[int, str]:
        """The digests of contents that may stand in the window twice: those with as many tokens as another."""
        live = [item for item in state.live(window) if item.tokens >= pruning.repeated_tokens]
        number = Counter((item.tokens, item.encoding) for item in live)
        alike = [item for item in live if number[item.tokens, item.encoding] > 1]
        return (
            ItemReader.of_newest(self._runtime, self._id, state, whole=True).digests(alike) if alike else {}
        )

    def _pruned_at(self, version: int) -> Pruned:
        """The result of an earlier prune, from its event."""
        before = self._runtime.reader.state(self._id, version - 1)
        after = self._runtime.reader.state(self._id, version)
        event = ContentReader.on_branch(self._runtime, self._id, version).events([version])[version]
        assert isinstance(event.body, ItemsCompacted)
        window, limit = event.body.window, limit_of(before, event.body.window)
        return Pruned(
            version=version,
            window=window,
            depth=next(depth for depth, name in PRUNES.items() if name == event.body.algorithm),
            limit=limit,
            target=int(limit * window_policy(before).prune_target),
            tokens_before=before.windows[window].tokens,
            tokens_after=after.windows[window].tokens,
            threshold=0,
            dropped=from_ranges(event.body.dropped),
            kept=from_ranges(event.body.kept),
            reached=after.windows[window].tokens <= int(limit * window_policy(before).prune_target),
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
        depth=plan.depth,
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
    if target is not None and (not is_number(target) or not 0 <= target <= 1):
        raise InvalidInput("target", f"must be a share of the window's limit, from 0 to 1, got {target!r}")
    whole_number("next_tokens", aim.next_tokens, minimum=0, maximum=LARGEST)
    checked_policy(aim.policy)
    if aim.pruning is not None and not isinstance(aim.pruning, PruningPolicy):
        raise InvalidInput("pruning", f"must be a PruningPolicy, got {type(aim.pruning).__name__}")
    if aim.trigger is not None:
        label("trigger", aim.trigger)
