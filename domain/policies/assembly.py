"""The assembly policy: the parts of a context, the share of each, and their limits."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from backstory.domain.errors import InvalidInput
from backstory.domain.values import label, whole_number

SECTIONS = ("system", "rules", "summary", "history", "state", "entities", "older")
"""The parts of a context, in the order in which they are filled and mostly stand: what seldom changes first."""


@dataclass(frozen=True)
class AssemblyPolicy:
    """The numbers of an assembly. The defaults are those of the Quaid document for a window of 8,000 tokens."""

    name: str = "default"
    """The name in the events that were made with the policy. Why: a record then says which numbers it was made with."""
    version: int = 1
    """The version of the numbers. Why: it is raised when they change, and old events keep theirs."""
    renderer: int = 1
    """The version of the renderer, which lays out the parts. Why: the newest."""
    reserve_share: float = 0.25
    """Of the budget, for the response. Why: Quaid's example keeps 2,100 of 8,000 tokens for query and response."""
    reserve_most: int = 4096
    """The most tokens that are kept for the response. Why: few answers are longer, and in a large window a quarter
    would be wasted. `reserve=` sets more."""
    shares: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {"rules": 0.10, "summary": 0.15, "history": 0.45, "state": 0.12, "entities": 0.03, "older": 0.15}
        )
    )
    """Shares of the tokens that the essentials leave. Unused tokens pass to the next section. Why: Quaid's example has
    5,400 tokens to share out: 2,500 for history, 800 for what is hot (state and entities here), 2,100 for summary and
    fragments, of which rules and decisions have a part of their own here."""
    history_messages: int = 20
    """The most messages and tool exchanges of recent history. Why: Quaid's 20."""
    history_tokens: int = 3000
    """The most tokens of recent history, however large the budget. Why: Quaid's 3,000. For large windows there is
    LONG_HISTORY."""
    history_kept: int = 10
    """The newest messages, of which none is left out for its importance. Why: as many as the window keeps, and as
    Quaid's document brings back of an earlier session."""
    history_step: int = 10
    """The window advances by so many messages at once. Why: the bytes before them stay the same meanwhile, and a
    provider's prompt cache hits. Half of the most messages, so that a step leaves enough of them."""
    least_importance: float = 0.5
    """The least importance of a message between the kept ones and the start of the history. Why: Quaid's threshold.
    Acknowledgements are below it."""
    decisions: int = 3
    """The newest decisions, which are in every context. Others are found by relevance, also those that have left the
    window. Why: the least that the
    documents keep: a decision holds until another one is made, and older ones can be found."""
    older_candidates: int = 500
    """The newest items outside the history, among which relevance is looked for, and as many decisions that have left
    the window. Why: as many as a window of 32,000
    tokens may hold. They are ranked at each call, which takes longer the more there are."""
    entity_messages: int = 40
    """Messages in which entities are looked for. Why: a mention's weight is halved every 8 messages: one from before
    the newest 40 weighs a thirtieth."""
    entities: int = 30
    """The most entities that are named. Why: with some five tokens each they fit into their share of a budget of
    8,000."""
    entities_of_history: bool = True
    """Whether those that the shown history mentions are named as well, or only what cannot be read there any more. Why:
    the list then tells what matters now, as Quaid's hot context does."""
    tau_hours: float = 48.0
    """Hours in which importance falls to a third after the last access. Why: the tier policy's, so that what is
    relevant and what is HOT age alike."""
    message_tokens: int = 4
    """Tokens that providers add around each message. Why: OpenAI tells of three or four, others of fewer: rather too
    many than over the limit."""
    calibrated: bool = True
    """Whether the provider's own counts, where known, narrow the budget further. Why: another provider may count more
    tokens than our tokenizer, and a context must fit by theirs."""
    notice: bool = True
    """Whether new messages are looked through for decisions and things to remember. Why: most people decide in a
    sentence and not by a command, and Quaid's document finds decisions in messages too."""

    def __post_init__(self) -> None:
        label("policy.name", self.name)
        if not isinstance(self.shares, Mapping):
            raise InvalidInput("policy.shares", f"must be a mapping, got {type(self.shares).__name__}")
        if not isinstance(self.shares, MappingProxyType):
            object.__setattr__(self, "shares", MappingProxyType(dict(self.shares)))
        unknown = set(self.shares) - set(SECTIONS)
        if unknown:
            raise InvalidInput(
                "policy.shares", f"{min(unknown)!r} is no part; they are {', '.join(SECTIONS)}"
            )
        numbers = all(_is_number(share) and 0 <= share <= 1 for share in self.shares.values())
        if not numbers or sum(self.shares.values()) > 1.000001:
            raise InvalidInput("policy.shares", "must each be between 0 and 1, and at most 1 together")
        for name, least in _COUNTS.items():
            whole_number(f"policy.{name}", getattr(self, name), minimum=least)
        for name in ("reserve_share", "least_importance", "tau_hours"):
            if not _is_number(getattr(self, name)):
                raise InvalidInput(f"policy.{name}", f"must be a number, got {getattr(self, name)!r}")
        for name in ("calibrated", "notice", "entities_of_history"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidInput(f"policy.{name}", f"must be true or false, got {getattr(self, name)!r}")
        if not 0 <= self.reserve_share < 1:
            raise InvalidInput(
                "policy.reserve_share", f"must be from 0 to below 1, got {self.reserve_share!r}"
            )
        if not self.tau_hours > 0:
            raise InvalidInput("policy.tau_hours", f"must be positive, got {self.tau_hours!r}")

    def reserve(self, budget: int) -> int:
        """Tokens reserved for the response when the caller names no reserve."""
        return min(self.reserve_most, int(budget * self.reserve_share))

    def settings(self) -> dict[str, Any]:
        """The numbers that differ from the defaults, as JSON."""
        if self is DEFAULT_ASSEMBLY:
            return {}
        found = {}
        for one in fields(self):
            value, usual = getattr(self, one.name), getattr(DEFAULT_ASSEMBLY, one.name)
            if one.name not in ("name", "version") and value != usual:
                found[one.name] = dict(value) if isinstance(value, Mapping) else value
        return found


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_COUNTS = {
    "version": 1,
    "renderer": 1,
    "reserve_most": 0,
    "history_messages": 1,
    "history_tokens": 0,
    "history_kept": 0,
    "history_step": 1,
    "decisions": 0,
    "older_candidates": 0,
    "entity_messages": 0,
    "entities": 0,
    "message_tokens": 0,
}

DEFAULT_ASSEMBLY = AssemblyPolicy()

LONG_HISTORY = AssemblyPolicy(
    name="long-history",
    history_messages=100_000,
    history_tokens=10_000_000,
    shares={"rules": 0.10, "summary": 0.05, "history": 0.65, "state": 0.07, "entities": 0.03, "older": 0.10},
)
"""For models with large windows: as much of the conversation as there is room for."""
