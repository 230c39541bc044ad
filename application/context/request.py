"""One context as a caller asks for it."""

from dataclasses import dataclass
from datetime import datetime

from backstory.domain.context.composition import checked_format
from backstory.domain.errors import InvalidInput
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import LARGEST, label, whole_number


@dataclass(frozen=True)
class ContextRequest:
    """The arguments of `Session.context`, checked as far as that needs no state."""

    budget: int | None
    """None for the window's limit, or where it has none the policy's usual budget."""
    format: str
    window: str
    agent: str | None
    query: str | None
    reserve: int | None
    policy: AssemblyPolicy
    as_of: datetime
    tools: bytes | None = None
    """The definitions of tools that are sent along, as JSON."""
    told_as_of: datetime | None = None
    """The time as of which memories are told, where the caller named one."""

    def __post_init__(self) -> None:
        for name, tokens in (("budget", self.budget), ("reserve", self.reserve)):
            if tokens is not None:
                whole_number(name, tokens, minimum=0, maximum=LARGEST)
        if not isinstance(self.policy, AssemblyPolicy):
            raise InvalidInput("policy", f"must be an AssemblyPolicy, got {type(self.policy).__name__}")
        if self.query is not None and (not isinstance(self.query, str) or not self.query.strip()):
            raise InvalidInput("query", "must be text that is not empty")
        if self.agent is not None:
            label("agent", self.agent)
        label("window", self.window)
        checked_format(self.format)

    def budget_in(self, state: ContextState) -> int:
        """The budget, by default the limit of the window in a state, or where it has none the usual one."""
        if self.window not in state.windows:
            raise InvalidInput("window", f"must be a window of the session, got {self.window!r}")
        limit = state.windows[self.window].limit
        return next(budget for budget in (self.budget, limit, self.policy.usual_budget) if budget is not None)
