"""The messages of a context: the newest, from a start that moves in steps, and the newest of the user before them.

A window that moved with every message would change the bytes of every prompt from its beginning, and no provider's
prompt cache would ever hit. So it starts at a message whose number is a multiple of the step.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.trust import PROGRAM
from backstory.domain.values import Role


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


def is_of_user(item: Item) -> bool:
    """Whether it is a message in the role of the user, and no note that a program put there."""
    return item.type == "message" and item.role == Role.USER and item.origin != PROGRAM


def always_said(
    newest: Sequence[NumberedMessage], asked: Sequence[NumberedMessage], *, for_query: bool = False
) -> dict[int, NumberedMessage]:
    """What is in any case, by item: the newest message or exchange, and the newest of the user. `asked` are the
    user's messages, newest first. For a query an answer is not among them: nothing waits for it."""
    last = [one for one in newest[:1] if not (for_query and one.item.type == "message")]
    return {one.item.id: one for one in (*asked[:1], *last)}


def also_asked(
    asked: Sequence[NumberedMessage], said: Collection[int], room: int
) -> dict[int, NumberedMessage]:
    """The user's messages that are not said yet, newest first, as long as they fit."""
    found: dict[int, NumberedMessage] = {}
    for one in asked:
        if one.item.id in said:
            continue
        room -= one.tokens
        if room < 0:
            break
        found[one.item.id] = one
    return found


def choose_history(
    newest: Sequence[NumberedMessage],
    kept: Mapping[int, NumberedMessage],
    policy: AssemblyPolicy,
    *,
    allowance: int,
    whole: bool,
) -> History:
    """What is kept, and with it the longest run of newest messages within the allowance, from a start that is as
    steady as it can be without giving up half of what there is room for. Everything is there where there is room for
    all of it: `whole` says that nothing was said before these."""
    run = _longest(newest, kept, allowance)
    if whole and len(run) == len(newest):
        return History(tuple(one.item for one in run), ())
    last = newest[0].number if newest else 0
    start = _steady_start([numbered.number for numbered in run], last, policy) if run else 0
    # The messages that are kept whatever they are worth begin at a step too, or each new one would push one out.
    kept_from = last + 1 - policy.history_kept
    kept_from -= kept_from % policy.history_step
    shown = dict(kept)
    unimportant = []
    for one in run:
        if one.number < start:
            continue
        if one.number >= kept_from or one.item.importance >= policy.least_importance:
            shown[one.item.id] = one
        elif one.item.id not in shown:
            unimportant.append(one.item)
    in_order = sorted(shown.values(), key=lambda one: one.number)
    return History(tuple(one.item for one in in_order), tuple(unimportant))


def _longest(
    newest: Sequence[NumberedMessage], kept: Mapping[int, NumberedMessage], allowance: int
) -> list[NumberedMessage]:
    """The newest messages that fit beside those that are kept, oldest first."""
    run: list[NumberedMessage] = []
    tokens = sum(one.tokens for one in kept.values())
    for numbered in newest:
        if numbered.item.id not in kept:
            tokens += numbered.tokens
            if tokens > allowance:
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
