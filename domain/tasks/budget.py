"""The budget of a fresh context: fixed parts, and shares of the rest."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from backstory.domain.errors import BudgetTooSmall, InvalidInput
from backstory.domain.tasks.values import CustomBudget, checked
from backstory.domain.values import LARGEST, whole_number

DEFAULT_TOTAL = 150_000
FIXED = CustomBudget(
    system_prompt=2_000, repo_map=2_000, codebase_docs=3_000, task_spec=1_000, reserved=16_000
)
"""The tokens of the fixed parts, where nobody chose otherwise."""
SHARES = {"files": 60, "code_results": 25, "memories": 15}
"""What files, code and memories get of the rest, in percent."""
CHARACTERS_PER_TOKEN = 4


class TokenBudget(NamedTuple):
    """The tokens of each part."""

    total: int
    system_prompt: int
    repo_map: int
    codebase_docs: int
    task_spec: int
    reserved: int
    files: int
    code_results: int
    memories: int

    @property
    def fixed(self) -> int:
        """The sum of the fixed parts."""
        return self.system_prompt + self.repo_map + self.codebase_docs + self.task_spec + self.reserved

    @property
    def dynamic(self) -> int:
        """The rest, which files, code and memories share."""
        return self.total - self.fixed


class TokenBreakdown(NamedTuple):
    """The tokens that each part of a context has, as they are counted."""

    system_prompt: int
    repo_map: int
    codebase_docs: int
    task_spec: int
    files: int
    code_results: int
    memories: int
    reserved: int

    @property
    def total(self) -> int:
        """Their sum: the prompt, and what is reserved for the response."""
        return sum(self)


class TokenBudgeter:
    """Creates budgets, allocates them, and cuts texts to fit."""

    def __init__(
        self, custom: CustomBudget | None = None, *, count: Callable[[str], int] | None = None
    ) -> None:
        """`custom` are fixed parts that differ from the usual ones. `count` counts tokens; without it they are
        estimated."""
        chosen: CustomBudget = checked(CustomBudget, "custom_budget", custom)
        self._fixed = FIXED.model_copy(update=chosen.model_dump(exclude_none=True))
        self._count = count or self.estimate_tokens

    def create_budget(self, total: int = DEFAULT_TOTAL) -> TokenBudget:
        """The budget of so many tokens: the fixed parts, and of the rest 60, 25 and 15 percent for files, code and
        memories. Raises BudgetTooSmall where the fixed parts do not fit."""
        whole_number("max_tokens", total, minimum=0, maximum=LARGEST)
        fixed = {name: int(value) for name, value in self._fixed.model_dump().items()}
        needed = sum(fixed.values())
        if total < needed:
            told = ", ".join(f"{name} {tokens:,}" for name, tokens in fixed.items())
            raise BudgetTooSmall(
                f"max_tokens: must be at least {needed:,}, the sum of the fixed parts ({told}), got {total:,}.",
                needed,
            )
        rest = total - needed
        return TokenBudget(
            total=total, **fixed, **{name: rest * share // 100 for name, share in SHARES.items()}
        )

    @staticmethod
    def estimate_tokens(text: str) -> int:
        """About the tokens of a text: one for every four characters, rounded up. Contexts are not measured by it, but
        by the tokenizer of the model's encoding."""
        if not isinstance(text, str):
            raise InvalidInput("text", f"must be text, got {type(text).__name__}")
        return math.ceil(len(text) / CHARACTERS_PER_TOKEN)

    def count(self, text: str) -> int:
        """The tokens of a text."""
        return self._count(text)

    def truncate_to_fit(self, text: str, max_tokens: int) -> str:
        """The text, or as many of its first lines as fit, and a last line that says how many were cut."""
        whole_number("max_tokens", max_tokens, minimum=0)
        if self._count(text) <= max_tokens:
            return text
        lines = text.split("\n")
        # The count grows with the lines, so halving finds the most of them.
        low, high = 0, len(lines) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._count(_cut(lines, middle)) <= max_tokens:
                low = middle
            else:
                high = middle - 1
        shortened = _cut(lines, low)
        return shortened if self._count(shortened) <= max_tokens else ""


def fair_shares(needs: Sequence[int], total: int) -> list[int]:
    """Divides tokens: nobody gets more than it needs, and what one does not need goes to the others in equal parts."""
    shares = [0] * len(needs)
    left = max(0, total)
    waiting = sorted(range(len(needs)), key=lambda place: needs[place])
    for number, place in enumerate(waiting):
        shares[place] = min(needs[place], left // (len(waiting) - number))
        left -= shares[place]
    return shares


def _cut(lines: Sequence[str], kept: int) -> str:
    return "\n".join([*lines[:kept], f"⋯ {len(lines) - kept:,} more lines"])
