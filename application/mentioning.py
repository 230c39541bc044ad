"""What the newest messages mention, ranked once for the same messages.

In a chat the next context's are known before it is asked for. So they are weighed while the server records a context,
and ranked while it writes the message after that: the client would only wait. The bytes are the same in any case.
"""

from collections.abc import Sequence
from itertools import islice
from operator import itemgetter
from typing import NamedTuple
from uuid import UUID

from backstory.composing import layout_of, mentions_by_item
from backstory.core import Core
from backstory.domain.assembly.history import newest_said
from backstory.domain.effects import NewItem
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.ranges import as_ranges
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.tracking.entities import (
    EXTRACTOR_VERSION,
    Mention,
    Weighed,
    heaviest,
    heavy_names,
    most_weighty,
    weights_of,
)
from backstory.gathering import Gatherer, gatherer_of
from backstory.infrastructure.newest_states import Memory, changed_since
from backstory.token_costs import count_once

ASKED, RANKED, WEIGHED = "asked", "mentioned", "weighed"
TO_COME = 2
"""Messages between two contexts of a chat: the answer, and what is said to that."""


Mentions = list[tuple[int, Weighed]]
"""What messages mention, by their ids, the oldest first."""


class Asked(NamedTuple):
    """How a context is asked for. The next one is likely to be asked for in the same way."""

    format: str
    window: str
    agent: str | None
    encoding: str
    policy: AssemblyPolicy


class Ranking(NamedTuple):
    """What the newest messages mention, most recent and most frequent first."""

    at: int
    """The version that they are the newest at."""
    erasure: int
    """The session's last erasure when they were read."""
    asked: Asked
    sources: str
    """Those of which nothing was erased, as ranges."""
    weighed: Mentions
    found: tuple[Mention, ...]
    text: str
    """What the context says of all of them."""
    ahead: bool
    """Whether it was made before it was asked for."""


class Weights(NamedTuple):
    """What the newest messages mention weighs when so many more have come."""

    at: int
    erasure: int
    asked: Asked
    to_come: int
    weighed: Mentions
    weights: dict[str, float]
    heavy: set[str]
    """Names of which the heaviest are, together with those that are still to come."""


def rank_newest(gatherer: Gatherer, newest: Sequence[Item], asked: Asked, memory: Memory) -> Ranking:
    """What these items mention. What a fork has inherited can be erased without its log telling: it is ranked anew."""
    state = gatherer.material.state
    weighed = _mentions(gatherer, newest)
    found = heaviest(weighed, asked.policy.entities)
    ranking = _ranking(state.version, state, asked, weighed, found, ahead=False)
    if not gatherer.inherits:
        memory[RANKED] = ranking
    return ranking


def ranked_before(state: ContextState, asked: Asked, memory: Memory) -> Ranking | None:
    """The ranking of the newest messages, where it is known."""
    known: Ranking | None = memory.get(RANKED)
    return known if known is not None and _holds(known, state, asked, memory) else None


def weigh_ahead(core: Core, stream: UUID, state: ContextState, memory: Memory) -> None:
    """Weighs what the next context's messages mention, but for those to come. Not where the last context's ranking was
    not foreseen: then this is no chat."""
    ranked: Ranking | None = memory.get(RANKED)
    if ranked is None or not ranked.ahead or ranked.asked.policy.entity_messages <= TO_COME:
        return
    asked, weighed = ranked.asked, None
    if len(ranked.weighed) == asked.policy.entity_messages and _holds(ranked, state, asked, memory):
        # The oldest of them make room for those to come.
        weighed = ranked.weighed[TO_COME:]
    weighed = weighed or _newest(core, stream, state, asked, asked.policy.entity_messages - TO_COME)
    if weighed is None:
        return
    weights = weights_of(weighed, newer=TO_COME)
    heavy = set(heavy_names(weights, asked.policy.entities))
    memory[WEIGHED] = Weights(state.version, state.last_erasure, asked, TO_COME, weighed, weights, heavy)


def add_ahead(state: ContextState, memory: Memory, new: NewItem, said: Weighed, place: int) -> Weights | None:
    """The weights with those of a message that is being written, should it come so many versions after the newest, and
    before it nothing that says something."""
    before: Weights | None = memory.get(WEIGHED)
    if before is None or before.to_come < 2 or not _holds(before, state, before.asked, memory):
        return None
    return _with(before, state.version + place, said) if _is_shown(new, before.asked) else None


def rank_ahead(
    core: Core, stream: UUID, state: ContextState, memory: Memory, new: NewItem, said: Weighed, place: int
) -> Ranking | None:
    """The ranking for the context after such a message."""
    asked: Asked | None = memory.get(ASKED)
    if asked is None or not _is_shown(new, asked):
        return None
    version, policy = state.version + place, asked.policy
    before: Weights | None = memory.get(WEIGHED)
    if before is not None and before.to_come == 1 and _holds(before, state, asked, memory):
        last = _with(before, version, said)
        weighed, weights = last.weighed, {name: last.weights[name] for name in last.heavy}
    else:
        earlier = _newest(core, stream, state, asked, policy.entity_messages - 1)
        if earlier is None:
            return None
        weighed = [*earlier, (version, said)]
        weights = weights_of(weighed)
    named = most_weighty(weights, policy.entities)
    ranking = _ranking(version, state, asked, weighed, named, ahead=True)
    # Counted here, it is not counted again.
    count_once(ranking.text, asked.encoding)
    return ranking


def _holds(made: Ranking | Weights, state: ContextState, asked: Asked, memory: Memory) -> bool:
    """Whether nothing was said or called since then, nothing has changed that was, and the same is asked for."""
    if made.erasure != state.last_erasure or made.asked != asked or changed_since(memory, made.at):
        return False
    newest = next(newest_said(state, asked.window, asked.agent, (), set()), None)
    return newest is None or newest[1].id <= made.at


def _with(before: Weights, version: int, said: Weighed) -> Weights:
    to_come = before.to_come - 1
    weights = weights_of([(version, said)], newer=to_come, before=before.weights)
    return before._replace(
        at=version,
        to_come=to_come,
        weighed=[*before.weighed, (version, said)],
        weights=weights,
        heavy=before.heavy.union(said.names),
    )


def _is_shown(new: NewItem, asked: Asked) -> bool:
    """Whether the entities of the next context have to do with the item."""
    policy = asked.policy
    looked_at = policy.entities and policy.entity_messages and policy.entities_of_history
    return bool(looked_at) and asked.window in new.windows and not new.private


def _newest(core: Core, stream: UUID, state: ContextState, asked: Asked, most: int) -> Mentions | None:
    """What each of the newest messages mentions; None where some of them are another session's."""
    gatherer = gatherer_of(core, stream, state)
    if gatherer.inherits:
        return None
    said = newest_said(state, asked.window, asked.agent, (), set(state.open_calls.values()))
    return _mentions(gatherer, [item for _, item in islice(said, most)])


def _mentions(gatherer: Gatherer, newest: Sequence[Item]) -> Mentions:
    weighed = mentions_by_item(gatherer, [item.id for item in newest], EXTRACTOR_VERSION)
    return sorted(weighed.items(), key=itemgetter(0))


def _ranking(
    at: int, state: ContextState, asked: Asked, weighed: Mentions, found: tuple[Mention, ...], *, ahead: bool
) -> Ranking:
    sources = as_ranges(item for item, _ in weighed)
    text = layout_of(asked.policy.renderer).entities(found)
    return Ranking(at, state.last_erasure, asked, sources, weighed, found, text, ahead)
