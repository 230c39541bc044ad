"""The newest messages for a context. In a chat they are those of the last context and a few more."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from backstory.application.context.mentions import Asked
from backstory.application.context.token_costs import TokenCosts
from backstory.domain.context.history import SAID, Numbered, newest_said
from backstory.domain.context.loaded_items import LoadedItems
from backstory.domain.events import Event
from backstory.domain.messages.contents import Message
from backstory.domain.state import ContextState
from backstory.infrastructure.states.newest_states import TOUCHED, Memory, changed_since

NEWEST = "newest"


class Newest(NamedTuple):
    """Messages and tool exchanges, newest first, as many as the history may have."""

    at: int
    """The version of the state that they are the newest of."""
    erasure: int
    """The session's last erasure then."""
    asked: Asked
    system: tuple[int, ...]
    """Items that stand elsewhere."""
    most: int
    """Tokens that the history may have."""
    said: int
    """Messages of the branch, in any window."""
    found: list[Numbered]
    """With about as many tokens as each has."""
    whole: bool
    """Whether these are all."""
    tokens: Mapping[int, int] = MappingProxyType({})
    """As many as each has, where that is known."""
    messages: Mapping[int, Sequence[Message]] = MappingProxyType({})
    events: Mapping[int, Event] = MappingProxyType({})


def find_newest(
    material: LoadedItems, asked: Asked, system: tuple[int, ...], most: int, memory: Memory
) -> Newest:
    """Some more than fit, since what was erased falls out again. Those of the last context are gone on from, where
    nothing but messages came since, and put into the material."""
    state, policy = material.state, asked.policy
    known: Newest | None = memory.get(NEWEST)
    if known is not None and not _holds(known, state, asked, system, most, memory):
        known = None
    found: list[Numbered] = []
    tokens, whole = 0, known is None or known.whole
    for one in _numbered(state, asked, system, known):
        tokens += one.tokens
        if len(found) >= policy.history_messages or (found and tokens > 2 * most):
            whole = False
            break
        found.append(one)
    newest = Newest(state.version, state.last_erasure, asked, system, most, state.message_count, found, whole)
    if known is None:
        return newest
    material.messages.update(known.messages)
    material.events.update(known.events)
    return newest._replace(tokens=known.tokens)


def count_newest(newest: Newest, costs: TokenCosts, memory: Memory) -> list[Numbered]:
    """Those of which nothing was erased, once they are gathered, with their tokens."""
    messages, events, known = costs.material.messages, costs.material.events, newest.tokens
    counted = [
        Numbered(number, item, known.get(item.id) or costs.said_tokens(item))
        for number, item, _ in newest.found
        if item.id in messages
    ]
    # What a fork has inherited can be erased without its log telling, and a call that waits will have its result.
    if not costs.item_reader.inherits and not costs.material.state.open_calls:
        memory[NEWEST] = newest._replace(
            tokens={item.id: tokens for _, item, tokens in counted},
            messages={item.id: messages[item.id] for _, item, _ in counted},
            events={version: events[version] for _, item, _ in counted for version in item.versions},
        )
    return counted


def newest_shown(memory: Memory) -> int:
    """How many the last context went through."""
    newest: Newest | None = memory.get(NEWEST)
    return 0 if newest is None else len(newest.found)


def without_newest(memory: Memory, version: int) -> bool:
    """Takes the item of this version back out, where it is the newest: so they are gone on from as if it came next."""
    newest: Newest | None = memory.get(NEWEST)
    if newest is None or not newest.found or newest.found[0].item.id != version or newest.at != version:
        return False
    memory[NEWEST] = newest._replace(
        at=version - 1,
        said=newest.said - 1,
        found=newest.found[1:],
        messages={item: said for item, said in newest.messages.items() if item != version},
        events={each: event for each, event in newest.events.items() if each != version},
    )
    return True


def _numbered(
    state: ContextState, asked: Asked, system: tuple[int, ...], known: Newest | None
) -> Iterator[Numbered]:
    waiting = set(state.open_calls.values())
    for number, item in newest_said(state, asked.window, asked.agent, system, waiting):
        if known is not None and item.id <= known.at:
            break
        tokens = item.tokens_in(asked.encoding) + asked.policy.message_tokens * len(item.versions)
        yield Numbered(number, item, tokens)
    if known is not None:
        yield from known.found


def _holds(
    known: Newest, state: ContextState, asked: Asked, system: tuple[int, ...], most: int, memory: Memory
) -> bool:
    """Whether they are still the newest, but for those that came since."""
    same = (known.erasure, known.asked, known.system, known.most) == (
        state.last_erasure,
        asked,
        system,
        most,
    )
    if not same or memory.get(TOUCHED, 0) > known.at or changed_since(memory, known.at):
        return False
    came = 0
    for item in reversed(state.items.values()):
        if item.id <= known.at:
            break
        came += item.type in SAID and asked.window in item.windows
    # Where a message came that is not in this window, all have other numbers.
    return state.message_count == known.said + came
