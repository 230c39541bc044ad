"""Older items for a context: which may stand there, and their order by importance and age."""

import math
from collections.abc import Collection, Iterator, Sequence

from backstory.domain.context.history import is_visible
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import Tier

APART = frozenset({"goal", "action", "question", "constraint", "task", "system_prompt"})
"""Types that have a part of their own while they are open."""

UNSEARCHED = APART | {"summary"}
"""Types that no search brings into a context: those apart, and summaries, whose sources it finds."""

HOUR = 3_600_000_000


def candidates(
    state: ContextState, window: str, agent: str | None, apart: Collection[int], most: int
) -> list[Item]:
    """The newest items that are not apart and may stand among the older ones, oldest first."""
    found: list[Item] = []
    for item in reversed(state.items.values()):
        if item.id in apart or item.type in APART or window not in item.windows:
            continue
        if item.private and item.agent != agent:
            continue
        if len(found) == most:
            break
        found.append(item)
    return found[::-1]


def hot_items(state: ContextState, window: str, agent: str | None, apart: Collection[int]) -> list[Item]:
    """The items assigned to the HOT tier that may stand among the older ones."""
    hot = Tier.HOT.value
    return [
        item
        for item in state.items.values()
        if item.tier == hot
        and item.id not in apart
        and item.type not in APART
        and is_visible(item, window, agent)
    ]


def by_importance(found: Sequence[Item], as_of: int, policy: AssemblyPolicy) -> list[Item]:
    """Most important first, as of a moment: importance falls with time since the last access, and rises with
    accesses."""
    # All fall alike: later moments do not change the order.
    now = min(as_of, newest_touch(found))
    tau, exp = policy.tau_hours * HOUR, math.exp
    # Sorting keeps the order among equals.
    newest_first = found[::-1]
    scores = [
        item.importance
        * (1 + math.log1p(item.accesses) / 10 if item.accesses else 1)
        * (exp(age / tau) if (age := item.touched - now) < 0 else 1)
        for item in newest_first
    ]
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    return [newest_first[place] for place in order]


def newest_touch(found: Sequence[Item]) -> int:
    """The time of the newest access to these items."""
    return max((item.touched for item in found), default=0)


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
