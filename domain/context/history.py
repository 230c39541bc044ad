"""The messages of a context: the newest, from a start that moves in steps.

A window that moved with every message would change the bytes of every prompt from its beginning, and no provider's
prompt cache would ever hit. So it starts at a message whose number is a multiple of the step.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState


class NumberedMessage(NamedTuple):
    """A message or tool exchange, its number among all on the branch, and its tokens in the context."""

    number: int
    item: Item
    tokens: int


class History(NamedTuple):
    """The items that stand in the context, oldest first, and those left out for their importance."""

    items: tuple[Item, ...]
    unimportant: tuple[Item, ...]
    """Left out between those that stand there."""


def is_visible(item: Item, window: str, agent: str | None) -> bool:
    """Whether the item may be shown: it is in the window, and not private to somebody else."""
    return window in item.windows and (not item.private or item.agent == agent)


def newest_messages(
    state: ContextState, window: str, agent: str | None, system: Iterable[int], open_exchanges: set[int]
) -> Iterator[tuple[int, Item]]:
    """Messages and tool exchanges with their numbers, newest first. An exchange that waits for a result cannot be
    shown without it, and the system prompt stands elsewhere."""
    apart = {*system, *open_exchanges}
    number = state.message_count
    for item in reversed(state.items.values()):
        if item.type in CONVERSATION_TYPES and window in item.windows:
            number -= 1
            if item.id not in apart and is_visible(item, window, agent):
                yield number, item


def choose_history(
    newest: Sequence[NumberedMessage], policy: AssemblyPolicy, allowance: int, *, whole: bool
) -> History:
    """The longest run of newest messages, within the policy's numbers and the allowance, from a start that is as
    steady as it can be without giving up half of what there is room for. The newest is there in any case, and so is
    everything where there is room for all of it: `whole` says that nothing was said before these."""
    run = _longest(newest, policy, min(allowance, policy.history_tokens))
    if not run:
        return History((), ())
    first, last = run[0].number, run[-1].number
    if whole and len(run) == len(newest):
        start = first
    else:
        start = _steady_start([numbered.number for numbered in run], last, policy)
    # The messages that are kept whatever they are worth begin at a step too, or each new one would push one out.
    kept_from = last + 1 - policy.history_kept
    kept_from -= kept_from % policy.history_step
    shown, unimportant = [], []
    for number, item, _ in run:
        if number < start:
            continue
        if number >= kept_from or item.importance >= policy.least_importance or number == last:
            shown.append(item)
        else:
            unimportant.append(item)
    return History(tuple(shown), tuple(unimportant))


def _longest(
    newest: Iterable[NumberedMessage], policy: AssemblyPolicy, allowance: int
) -> list[NumberedMessage]:
    """The newest messages that fit, oldest first."""
    run: list[NumberedMessage] = []
    tokens = 0
    for numbered in newest:
        tokens += numbered.tokens
        if run and (tokens > allowance or len(run) == policy.history_messages):
            break
        run.append(numbered)
    return run[::-1]


def _steady_start(numbers: Sequence[int], last: int, policy: AssemblyPolicy) -> int:
    first = numbers[0]
    step = policy.history_step
    while step > 1:
        start = -(-first // step) * step
        if start <= last and 2 * sum(number >= start for number in numbers) >= len(numbers):
            return start
        step //= 2
    return first
