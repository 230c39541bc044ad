"""Recovery of a window that is over its limit, by the step that loses least. One event undoes each step."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, NamedTuple

from backstory.application.branches.branch import backtrack
from backstory.application.checkpoints.creation import checked_policy, window_policy
from backstory.application.checkpoints.session_checkpoints import SessionCheckpoints
from backstory.application.handle import SessionPart
from backstory.application.queries.read_models import Checkpoint, read_checkpoints
from backstory.application.window.compaction_progress import Progress
from backstory.application.window.prune import Aim, Pruned, Pruner, limit_of
from backstory.application.window.results import Compacted
from backstory.application.window.stubs import Stubber
from backstory.domain.commands import recovery
from backstory.domain.errors import ContextOverflow, InvalidInput, Refused, WouldLoseContext
from backstory.domain.policies.pruning import PruningPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import LARGEST, MAIN_WINDOW, whole_number
from backstory.domain.window.pruning import PrunePlan

EMERGENCY = "context_overflow"
CHECKPOINTS_TRIED = 20
"""The newest checkpoints that are tried."""

NAMED_IN_ERRORS = 5
"""The largest items that an error names."""

Strategy = Literal["fits", "stubs", "pruned", "minimal", "aggressive", "checkpoint"]


@dataclass(frozen=True)
class Recovered:
    """The result of a recovery. `way`: the window fitted already, large results became stubs, it was pruned, only the
    minimal or the barest context was left, or the session went back to a checkpoint (`restored`) and kept the barest.
    `events` are the appended versions; `emergency` is the checkpoint of the window before it."""

    way: Strategy
    emergency: int | None
    restored: int | None
    events: tuple[int, ...]
    tokens_before: int
    tokens_after: int
    limit: int


class _Step(NamedTuple):
    """One attempt: its target, and the most tokens that it may leave."""

    way: Strategy
    aim: Aim
    most: int


class Recoverer(SessionPart):
    """Makes windows fit again."""

    def recover(
        self,
        *,
        next_tokens: int = 0,
        window: str = MAIN_WINDOW,
        policy: WindowPolicy | None = None,
        pruning: PruningPolicy | None = None,
    ) -> Recovered:
        """Makes a window fit its limit again, including the tokens of the next call. It creates an emergency
        checkpoint, then takes the first step that is enough: recent results that leave no room for the essentials
        become stubs; the window is pruned; only the minimal context stays; only the barest stays; the session goes back
        to its newest checkpoint that loses no decision, with the barest context. Each step is planned and validated
        before it is taken. If none is enough, ContextOverflow is raised and the state is unchanged. It takes no key
        (`once`): asked again, the window fits already."""
        if self._handle.key is not None:
            raise InvalidInput("key", "means nothing to a recovery, which does nothing where the window fits")
        whole_number("next_tokens", next_tokens, minimum=0, maximum=LARGEST)
        checked_policy(policy)
        state = self._handle.state()
        limit = limit_of(state, window)
        chosen = policy or window_policy(state)
        before = state.windows[window].tokens
        critical = int(chosen.critical * limit)
        if before + next_tokens < critical:
            return Recovered("fits", None, None, (), before, before, limit)
        aim = Aim("essentials", None, window, next_tokens, chosen, pruning, EMERGENCY)
        barest = _Step("aggressive", aim._replace(depth="aggressive"), limit - next_tokens)
        steps = (
            _Step("pruned", aim, critical - next_tokens),
            _Step("minimal", aim._replace(depth="minimal"), limit - next_tokens),
            barest,
        )
        # Tried again after an error, there is one of this very state.
        taken = state.last_checkpoint == state.version
        emergency = (
            state.version
            if taken
            else SessionCheckpoints(self._handle).create(EMERGENCY, triggers=(EMERGENCY,), window=window)
        )
        stubbed = self._left_out(window, next_tokens, chosen)
        if stubbed.events and stubbed.tokens_after + next_tokens < critical:
            after = stubbed.tokens_after
            return Recovered("stubs", emergency, None, (emergency, *stubbed.events), before, after, limit)
        plans: list[PrunePlan] = []
        for step in steps:
            done = self._tried(step, plans)
            if done is not None:
                events = (emergency, *stubbed.events, *_versions(done))
                return Recovered(step.way, emergency, None, events, before, done.tokens_after, limit)
        for checkpoint in self._checkpoints_before(emergency):
            back = self._gone_back(checkpoint, barest, plans)
            if back is not None:
                went, done = back
                events = (emergency, *stubbed.events, went, *_versions(done))
                return Recovered(
                    "checkpoint", emergency, checkpoint.version, events, before, done.tokens_after, limit
                )
        smallest = min(plans, key=lambda plan: plan.tokens_after)
        least = smallest.tokens_after + next_tokens
        raise ContextOverflow(
            f"window {window!r} has a limit of {limit} tokens, and the smallest context with the next call needs "
            f"{least}: {_in_the_way(smallest)}, the next call {next_tokens}. The state is as it was, and checkpoint "
            f"{emergency} names it.",
            least,
        )

    def _left_out(self, window: str, next_tokens: int, policy: WindowPolicy) -> Compacted:
        """Turns results that leave no room for the essentials into stubs."""
        state = self._handle.state()
        done = Progress("stubs", window, state.windows[window].tokens, trigger=EMERGENCY)
        # Refused when one of them has changed or left meanwhile: the next steps see the state as it is then.
        with suppress(Refused):
            stubber = Stubber(self._handle)
            stubber.stub(state, stubber.crowding(state, window, policy, next_tokens), policy, done)
        return done.result(done.tokens - done.saved)

    def _tried(self, step: _Step, plans: list[PrunePlan]) -> Pruned | None:
        """Prunes if that would leave few enough tokens; else does nothing."""
        state = self._handle.state()
        if not self._would_fit(state, step, plans):
            return None
        done = Pruner(self._handle).pruned(step.aim)
        # It was decided anew on what has arrived meanwhile, which may have been too much.
        return done if done.tokens_after <= step.most else None

    def _gone_back(
        self, checkpoint: Checkpoint, step: _Step, plans: list[PrunePlan]
    ) -> tuple[int, Pruned] | None:
        """Goes back to a checkpoint and prunes, if that would leave few enough tokens and every decision. Returns the
        version of the backtrack, and the prune."""
        now = self._handle.state()
        then = self._runtime.reader.state(self._id, checkpoint.version)
        if step.aim.window not in then.windows or then.windows[step.aim.window].limit is None:
            return None
        if not _keeps_decisions(now, then) or not self._would_fit(then, step, plans):
            return None
        went = backtrack(
            self._handle, checkpoint.version, f"context overflow: back to checkpoint {checkpoint.name}"
        )
        return went, Pruner(self._handle).pruned(step.aim)

    def _would_fit(self, state: ContextState, step: _Step, plans: list[PrunePlan]) -> bool:
        plan = Pruner(self._handle).plan(state, step.aim)
        plans.append(plan)
        return plan.tokens_after <= step.most and _is_allowed(state, plan, step.aim.policy)

    def _checkpoints_before(self, version: int) -> list[Checkpoint]:
        """The checkpoints that lead to a version, the newest first."""
        branch = self._runtime.reader.lineage(self._id, version)
        known = [
            one
            for one in read_checkpoints(self._runtime, self._id)
            if one.version < version and branch.contains(one.version)
        ]
        return known[::-1][:CHECKPOINTS_TRIED]


def _versions(done: Pruned) -> tuple[int, ...]:
    return () if done.version is None else (done.version,)


def _is_allowed(state: ContextState, plan: PrunePlan, policy: WindowPolicy | None) -> bool:
    """Whether the prune would pass validation."""
    if not plan.dropped:
        return True
    try:
        recovery.prune_window(state, plan=plan, policy=policy or window_policy(state))
    except WouldLoseContext:
        return False
    return True


def _in_the_way(plan: PrunePlan) -> str:
    """The items that stay, the largest by name, with their tokens."""
    staying = sorted((one for one in plan.ranked if one.kept), key=lambda one: -one.tokens)
    named = [
        f"{one.type.replace('_', ' ')} (item {one.item}) {one.tokens}" for one in staying[:NAMED_IN_ERRORS]
    ]
    others = staying[NAMED_IN_ERRORS:]
    if others:
        named.append(f"{len(others)} smaller items {sum(one.tokens for one in others)}")
    return ", ".join(named)


def _keeps_decisions(now: ContextState, then: ContextState) -> bool:
    return now.decision_count == then.decision_count and now.decisions == then.decisions
