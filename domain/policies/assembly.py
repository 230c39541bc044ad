"""The assembly policy: the parts of a context, the share of each, and their limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from backstory.domain.errors import InvalidInput
from backstory.domain.policies.settings import changed_settings
from backstory.domain.values import is_number, label, whole_number

SHARED = ("pins", "summary", "history", "entities", "hot", "older", "earlier")
"""The parts of a context that have a share, in the order in which they are filled."""


@dataclass(frozen=True)
class AssemblyPolicy:
    """The numbers of an assembly. The defaults are those of the Quaid document for a budget of 8,000 tokens."""

    name: str = "default"
    """The name, recorded in the events made with the policy. Why: a record then says which numbers applied."""
    version: int = 1
    """The version of the numbers. Why: it is raised when they change; old events keep their own."""
    renderer: int = 1
    """The version of the renderer, which lays out the sections. Why: the newest."""
    reserve_share: float = 0.25
    """The share of the budget that is reserved for the response. Why: Quaid's example reserves 2,100 of 8,000 tokens
    for query and response."""
    reserve_most: int = 4096
    """The most tokens reserved for the response. Why: few answers are longer, and a quarter of a large window would be
    wasted. `reserve=` sets more."""
    usual_budget: int = 8000
    """The budget where neither the caller nor the window sets one. The numbers of the hot state are for this budget and
    scale with it. Why: Quaid's 8,000."""
    hot_state_tokens: int = 1000
    """The tokens of hot state (role, goals, files, actions, questions) that every context holds before any history.
    Why: Quaid's hot context has 500 to 1,000 and is never negotiable."""
    hot_state_share: float = 0.25
    """The share of the budget that these may have at most. Why: in a small prompt they must leave room for messages."""
    shares: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "pins": 0.10,
                "summary": 0.15,
                "history": 0.40,
                "entities": 0.03,
                "hot": 0.07,
                "older": 0.15,
                "earlier": 0.10,
            }
        )
    )
    """Each section's share of the tokens that the essentials and the hot state leave. Unused tokens pass to the next
    section. Why: Quaid's example divides 5,400 of 8,000 tokens: 2,500 for history, 800 for hot context, 600 for the
    summary, 1,500 for fragments, which have `memory_share`. A tenth of the history's part is for earlier steps, which
    tell more in short."""
    memory_share: float = 0.28
    """The share of the tokens that the essentials and the hot state leave for memories of the project. What they do not
    use is shared by the other sections. Why: Quaid's example gives fragments 1,500 of 5,400 tokens."""
    memory_least: float = 0.02
    """The least score of a memory, as a share of the best one's. Why: below it are those that share a common word with
    the query and nothing else."""
    artifact_share: float = 0.2
    """The share of the same tokens for loaded artifacts, whole. What they do not use is shared by the other sections.
    Why: what somebody loaded on purpose is needed, and the conversation needs the rest."""
    query_shares: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {"pins": 0.08, "summary": 0.08, "history": 0.12, "hot": 0.02, "older": 0.70}
        )
    )
    """The same with a query. Why: on recorded conversations a search finds more of what a question needs, token by
    token, than anything else in a context."""
    query_least: int = 4000
    """The least tokens of a prompt with a query in which parts other than `older` have a share. Why: in smaller ones
    what is found is worth more."""
    query_reserve_share: float = 0.10
    """The share of the budget that is reserved for the response to a query. Why: answers to questions are short, and a
    quarter less to be found costs .04 of the evidence."""
    user_messages: int = 3
    """The number of newest user messages in every context, however long ago: the newest one always, the others while
    they fit. Why: as many as the window keeps. An agent in a loop of tool calls would forget its instruction."""
    history_kept: int = 10
    """The number of newest messages that are shown whatever their importance. Why: as many as the window keeps, and as
    Quaid's document restores from an earlier session."""
    history_step: int = 10
    """The number of messages by which the start of the history advances. Why: between two steps the bytes before it
    stay the same, so a provider's prompt cache hits."""
    least_importance: float = 0.5
    """The least importance of a history message that is older than the kept ones. Why: Quaid's threshold.
    Acknowledgements are below it."""
    decisions: int = 3
    """The number of newest decisions in every context. Older ones, even those that left the window, are found by a
    query. Why: the least that the documents keep."""
    older_candidates: int = 500
    """The number of newest items outside the history that are ranked. Why: as many as a window of 32,000 tokens may
    hold. More would make each call slower."""
    relevant_share: float = 0.15
    """The share of the earlier steps' tokens for those that have to do with the newest instruction, the current task
    and the files in focus; the others are the newest. Why: chats need what was said of their subject, however long
    ago. Work with tools needs the newest steps, and loses nothing up to this share."""
    entity_messages: int = 40
    """The number of newest messages in which entities are looked for. Why: the weight of a mention halves every 8
    messages, so older ones weigh less than a thirtieth."""
    entities: int = 30
    """The most entities that are listed. Why: at about five tokens each they fit their share of a budget of 8,000."""
    tau_hours: float = 48.0
    """The hours after the last access in which importance falls to about a third (1/e). Why: the same as in the tier
    policy, so that relevance and tiers age alike."""
    cut_share: float = 0.5
    """The share of what the other essentials leave for the newest tool exchange, where it would not fit whole and its
    results are cut. Why: half for what was just returned, half for what it is needed for."""
    message_tokens: int = 4
    """The tokens that providers add to each message. Why: OpenAI documents three or four, others fewer. Too many is
    safer than a prompt over the limit."""
    calibrated: bool = True
    """Whether the provider's own counts, if known, narrow the budget. Why: the provider may count more tokens than our
    tokenizer, and the context must fit by its count."""
    notice: bool = True
    """Whether new messages are searched for decisions and requests to remember. Why: most people state a decision in a
    sentence rather than by a command, and Quaid's document finds such decisions too."""

    def __post_init__(self) -> None:
        label("policy.name", self.name)
        for name in ("shares", "query_shares"):
            object.__setattr__(self, name, _checked_shares(f"policy.{name}", getattr(self, name)))
        for name, least in _COUNTS.items():
            whole_number(f"policy.{name}", getattr(self, name), minimum=least)
        parts = (
            "reserve_share",
            "query_reserve_share",
            "hot_state_share",
            "memory_share",
            "memory_least",
            "artifact_share",
            "relevant_share",
            "cut_share",
        )
        for name in (*parts, "least_importance", "tau_hours"):
            if not is_number(getattr(self, name)):
                raise InvalidInput(f"policy.{name}", f"must be a number, got {getattr(self, name)!r}")
        for name in ("calibrated", "notice"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidInput(f"policy.{name}", f"must be true or false, got {getattr(self, name)!r}")
        for name in parts:
            if not 0 <= getattr(self, name) < 1:
                raise InvalidInput(
                    f"policy.{name}", f"must be from 0 to below 1, got {getattr(self, name)!r}"
                )
        if not self.tau_hours > 0:
            raise InvalidInput("policy.tau_hours", f"must be positive, got {self.tau_hours!r}")

    def reserve(self, budget: int, *, for_query: bool = False) -> int:
        """Tokens reserved for the response when the caller names no reserve."""
        share = self.query_reserve_share if for_query else self.reserve_share
        return min(self.reserve_most, int(budget * share))

    def shares_of(self, tokens: int, *, for_query: bool) -> Mapping[str, float]:
        """The shares in a prompt of so many tokens, with a query or without one."""
        if not for_query:
            return self.shares
        if tokens >= self.query_least:
            return self.query_shares
        return {"older": self.query_shares.get("older", 0.0)}

    def hot_state(self, budget: int) -> float:
        """Tokens of hot state that every context with this budget holds."""
        return min(self.hot_state_tokens, budget * self.hot_state_share)

    def most_hot_state(self, budget: int) -> int:
        """The most tokens of hot state, where there is room."""
        return max(int(self.hot_state(budget)), self.hot_state_tokens * budget // self.usual_budget)

    def settings(self) -> dict[str, Any]:
        """The numbers that differ from the defaults, as JSON."""
        return changed_settings(self, DEFAULT_ASSEMBLY)


def _checked_shares(name: str, shares: Mapping[str, float]) -> Mapping[str, float]:
    if not isinstance(shares, Mapping):
        raise InvalidInput(name, f"must be a mapping, got {type(shares).__name__}")
    unknown = set(shares) - set(SHARED)
    if unknown:
        raise InvalidInput(name, f"{min(unknown)!r} is no part; they are {', '.join(SHARED)}")
    numbers = all(is_number(share) and 0 <= share <= 1 for share in shares.values())
    if not numbers or sum(shares.values()) > 1.000001:
        raise InvalidInput(name, "must each be between 0 and 1, and at most 1 together")
    return shares if isinstance(shares, MappingProxyType) else MappingProxyType(dict(shares))


_COUNTS = {
    "version": 1,
    "renderer": 1,
    "reserve_most": 0,
    "usual_budget": 1,
    "hot_state_tokens": 0,
    "user_messages": 1,
    "history_kept": 0,
    "history_step": 1,
    "decisions": 0,
    "older_candidates": 0,
    "query_least": 0,
    "entity_messages": 0,
    "entities": 0,
    "message_tokens": 0,
}

DEFAULT_ASSEMBLY = AssemblyPolicy()
