"""Divides a budget: the essentials first, then each part its share. What a part does not use goes to the next."""

from collections.abc import Callable

from backstory.domain.context.calibration import Calibration
from backstory.domain.errors import BudgetTooSmall
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.values import LARGEST

STEPS = 16
"""A limit that comes from a provider's counts is taken down to a sixteenth of the budget: it moves a little with every
call, and the start of the history must not."""


class Limit:
    """Tokens a prompt may have for a budget: without the reserve, and as far as the provider's counts are known."""

    def __init__(
        self, policy: AssemblyPolicy, reserve: int | None, calibration: Calibration | None = None
    ) -> None:
        self._policy = policy
        self._reserve = reserve
        self._calibration = calibration if policy.calibrated else None

    def reserve(self, budget: int) -> int:
        return self._policy.reserve(budget) if self._reserve is None else self._reserve

    def of(self, budget: int) -> int:
        left = max(0, budget - self.reserve(budget))
        if self._calibration is None:
            return left
        step = max(1, left // STEPS)
        return min(left, self._calibration.most(left) // step * step)

    def least_budget(self, tokens: int) -> int:
        """The least budget whose prompt may have this many tokens."""
        low, high = tokens, max(1, tokens)
        while self.of(high) < tokens and high < LARGEST:
            low, high = high, high * 2
        while low < high:
            middle = (low + high) // 2
            if self.of(middle) < tokens:
                low = middle + 1
            else:
                high = middle
        return low


class Allowances:
    """The tokens of each part, as parts are filled one after the other."""

    def __init__(self, limit: int, *, steady: int, newest: int, policy: AssemblyPolicy) -> None:
        """`steady` are the essentials that seldom change, `newest` is the newest message. The shares are of what the
        steady ones leave, so that they do not move with each message."""
        self._shared = max(0, limit - steady)
        self._free = max(0, limit - steady - newest)
        self._newest = newest
        self._policy = policy
        self._passed_on = 0.0

    def next(self, part: str) -> int:
        """The allowance of the next part: its share and what those before it have left. The history's holds the
        newest message, which has its place already."""
        self._passed_on += self._policy.shares.get(part, 0.0) * self._shared
        return min(self._free + (self._newest if part == "history" else 0), int(self._passed_on))

    def used(self, tokens: int, part: str = "") -> int:
        self._passed_on -= tokens
        self._free -= tokens - (self._newest if part == "history" else 0)
        return tokens


def require_room(tokens: int, limit: Limit, budget: int, describe: Callable[[], str]) -> None:
    """Refuses a budget that does not hold the essentials."""
    if tokens > limit.of(budget):
        needed = limit.least_budget(tokens)
        raise BudgetTooSmall(
            f"budget: must be at least {needed} tokens, got {budget}: {describe()} need {tokens}, "
            f"and {limit.reserve(budget)} are kept for the response.",
            needed,
        )
