"""Which older items come into a context: by what a query asks for, else by importance and age."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice

from backstory.domain.assembly.history import is_visible
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.records import Item
from backstory.domain.relevance import Terms, relevance
from backstory.domain.state import ContextState

_ELSEWHERE = frozenset({"goal", "action", "question", "constraint", "task", "system_prompt"})
"""Types that have a part of their own while they are open."""

HOUR = 3_600_000_000


def candidates(
    state: ContextState, window: str, agent: str | None, apart: Collection[int], most: int
) -> list[Item]:
    """The newest items that stand nowhere else, oldest first."""
    found = (
        item
        for item in reversed(state.items.values())
        if item.id not in apart
        and item.type not in _ELSEWHERE
        and window in item.windows
        and (not item.private or item.agent == agent)
    )
    return list(islice(found, most))[::-1]


def by_importance(found: Iterable[Item], as_of: int, policy: AssemblyPolicy) -> list[Item]:
    """Most important first, as of a moment: importance falls with time since the last access, and rises with
    accesses."""
    tau, exp = policy.tau_hours * HOUR, math.exp
    scored = [
        (
            -item.importance
            * (1 + math.log1p(item.accesses) / 10 if item.accesses else 1)
            * (exp(age / tau) if (age := item.touched - as_of) < 0 else 1),
            -item.id,
            item,
        )
        for item in found
    ]
    # No two have the same id, so nothing is compared beyond it.
    scored.sort()
    return [item for _, _, item in scored]


def by_relevance(found: list[Item], query: Terms, texts: Mapping[int, Terms]) -> list[Item]:
    """Most relevant first; what has nothing to do with the query is left out."""
    scores = relevance(query, [texts[item.id] for item in found])
    ranked = sorted(zip(scores, found, strict=True), key=lambda pair: (-pair[0], -pair[1].id))
    return [item for score, item in ranked if score > 0]


def leading_system(state: ContextState, window: str, agent: str | None) -> Iterator[int]:
    """The system prompt: the one that was set, and the system messages before anybody else spoke."""
    prompt = state.items.get(state.system_prompt or 0)
    if prompt is not None and is_visible(prompt, window, agent):
        yield prompt.id
    for item in state.items.values():
        if item.type == "tool_exchange" or (item.type == "message" and item.role != "system"):
            return
        if item.type == "message" and is_visible(item, window, agent):
            yield item.id
