"""Stubs: what stands for the results of an old tool exchange. The call and each result stay, with the same ids, so that
every provider takes the conversation as before; only the results' texts are left out.

How a stub is worded belongs to the renderers: it never changes, or past contexts could not be made again.
"""

import hashlib
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import partial
from itertools import islice

from backstory.domain.context.shortened import stub_of, with_results
from backstory.domain.messages.contents import Message
from backstory.domain.messages.prose import result_text
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.window.essentials import essential_items, minimal_items, standing_items


def stub_candidates(
    state: ContextState,
    window: str,
    policy: WindowPolicy,
    repeated: Collection[int] = (),
    whole: Sequence[Item] | None = None,
) -> list[int]:
    """Tool exchanges whose results may be shown as stubs: `whole` yet, not pinned, worth it, and old enough or
    `repeated` by a newer one."""
    whole = whole_exchanges(state, window) if whole is None else whole
    oldest_recent = _oldest_recent(state, window, policy)
    stay = {item.id for item in whole if item.id >= oldest_recent}.difference(repeated)
    found = [item.id for item in whole if item.tokens >= policy.stub_least_tokens and item.id not in stay]
    if not found:
        return []
    # A stub stays in the window with its call, so that recent messages may be stubs where the policy says so.
    apart = minimal_items(state, window, policy)
    return [item for item in found if item not in apart]


def _oldest_recent(state: ContextState, window: str, policy: WindowPolicy) -> int:
    """The oldest message or exchange that is recent."""
    said = (
        item.id
        for item in reversed(state.items.values())
        if item.type in CONVERSATION_TYPES and window in item.windows
    )
    return min(islice(said, policy.stub_results_older_than), default=state.version + 1)


def crowded_exchanges(
    state: ContextState, window: str, policy: WindowPolicy, next_tokens: int = 0
) -> list[Item]:
    """The recent exchanges with results, where these leave what must stay too little room: it has as many tokens as the
    zone `danger` begins with, so that no pruning would lead out of it. None where it has room."""
    found = state.windows[window]
    if found.limit is None or found.tokens + next_tokens < policy.danger * found.limit:
        return []
    essential = essential_items(state, window, policy)
    if _tokens_of(state, window, essential) + next_tokens < policy.danger * found.limit:
        return []
    apart = standing_items(state, window, policy)
    return [
        item
        for item in state.live(window)
        if item.id in essential and item.id not in apart and _is_whole(item)
    ]


def crowding_results(
    state: ContextState,
    window: str,
    policy: WindowPolicy,
    stubs: Mapping[int, int],
    next_tokens: int = 0,
) -> list[int]:
    """Of crowded exchanges those to be shown as stubs, since messages would have to leave for them otherwise: the
    largest, the newest one only if all others are not enough, and no more than it takes. Where that does not make room
    for all that must stay, the newest one, if that makes room for the least. `stubs` has by exchange the tokens of its
    stub."""
    limit = state.windows[window].limit
    assert limit is not None
    encoding = state.windows[window].encoding
    newest = max((item.id for item in state.live(window) if item.type in CONVERSATION_TYPES), default=0)
    gains = {item: state.items[item].tokens_in(encoding) - tokens for item, tokens in stubs.items()}
    order = sorted((item for item in gains if gains[item] > 0), key=lambda item: -gains[item])
    for kept, most in (
        (essential_items(state, window, policy), policy.danger * limit),
        (minimal_items(state, window, policy), policy.critical * limit),
    ):
        used = _tokens_of(state, window, kept) + next_tokens
        there = [item for item in order if item in kept]
        without_newest = used - sum(gains[item] for item in there if item != newest) < most
        taken: list[int] = []
        for item in sorted(there, key=lambda item: item == newest if without_newest else item != newest):
            if used < most:
                break
            taken.append(item)
            used -= gains[item]
        if used < most:
            return sorted(taken)
    return []


def _tokens_of(state: ContextState, window: str, items: Collection[int]) -> int:
    encoding = state.windows[window].encoding
    return sum(state.items[item].tokens_in(encoding) for item in items)


def whole_exchanges(state: ContextState, window: str) -> list[Item]:
    """Answered tool exchanges that a window shows with their results, oldest first."""
    return [
        item
        for item in state.items.values()
        if item.type == "tool_exchange" and window in item.windows and _is_whole(item)
    ]


def _is_whole(item: Item) -> bool:
    answered = item.type == "tool_exchange" and len(item.versions) > 1
    return answered and (item.recounts is None or not item.is_stub)


def repeated_results(results: Mapping[int, Hashable]) -> set[int]:
    """Of exchanges, those whose results a newer one has again, word for word, as of a file that is read once more.
    `results` has by item what stands for its results' texts, oldest first."""
    newest = {result: item for item, result in results.items()}
    return {item for item, result in results.items() if newest[result] != item}


def results_of(messages: Sequence[Message]) -> bytes:
    """The stub of an exchange's results: equal for equal results."""
    parts = [part for message in messages for part in message.parts if part.kind == "tool_result"]
    return hashlib.sha256("\0".join(map(result_text, parts)).encode()).digest()


def stubbed(item: Item, messages: Sequence[Message]) -> tuple[Message, ...]:
    """The exchange with stubs for its results. A result that is shorter than its stub stays."""
    return with_results(messages, partial(stub_of, item.id, item.tokens))
