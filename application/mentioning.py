"""What the newest messages mention, ranked once for the same messages.

In a chat the next context's are known before it is asked for. So they are weighed while the server records a context,
and ranked while it writes the message after that: the client would only wait. The bytes are the same in any case.
"""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from backstory.composing import layout_of, mentions_by_item
from backstory.core import Core
from backstory.domain.assembly.history import newest_said
from backstory.domain.effects import NewItem
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.tracking.entities import (
    EXTRACTOR_VERSION,
    Mention,
    Weighed,
    heaviest,
    most_weighty,
    weights_of,
)
from backstory.gathering import Gatherer
from backstory.infrastructure.newest_states import Memory
from backstory.token_costs import count_once

ASKED, RANKED, WEIGHED = "asked", "mentioned", "weighed"
TO_COME = 2
"""Messages between two contexts of a chat: the answer, and what is said to that."""

Stamp = tuple[int, int, bool]
"""An item as it was: id, last change, and whether it is a stub."""


class Asked(NamedTuple):
    """How the last context was asked for. The next one is likely to be asked for in the same way."""

    format: str
    window: str
    agent: str | None
    encoding: str
    policy: AssemblyPolicy


class Ranking(NamedTuple):
    """What messages mention, most recent and most frequent first."""

    of: tuple[Stamp, ...]
    """The newest first."""
    erasure: int
    """The session's last erasure when they were read."""
    most: int
    sources: list[int]
    """Those of which nothing was erased."""
    found: tuple[Mention, ...]
    ahead: bool
    """Whether it was made before it was asked for."""


class Weights(NamedTuple):
    """What messages mention weighs when so many have come after them."""

    of: tuple[Stamp, ...]
    erasure: int
    sources: tuple[int, ...]
    weights: dict[str, float]


def rank_newest(gatherer: Gatherer, newest: Sequence[Item], most: int, memory: Memory) -> Ranking:
    """What these items mention. What a fork has inherited can be erased without its log telling: it is ranked anew."""
    of, erasure = tuple([_stamp(item) for item in newest]), gatherer.material.state.last_erasure
    known: Ranking | None = memory.get(RANKED)
    if known is not None and (known.of, known.erasure, known.most) == (of, erasure, most):
        return known
    weighed = mentions_by_item(gatherer, [item.id for item in newest], EXTRACTOR_VERSION)
    ranking = Ranking(of, erasure, most, sorted(weighed), heaviest(weighed.items(), most), False)
    if not gatherer.inherits:
        memory[RANKED] = ranking
    return ranking


def weigh_ahead(core: Core, stream: UUID, state: ContextState, memory: Memory) -> None:
    """Weighs what the next context's messages mention, but for those to come. Not where the last context's ranking was
    not foreseen: then this is no chat."""
    asked: Asked | None = memory.get(ASKED)
    ranked: Ranking | None = memory.get(RANKED)
    if asked is None or ranked is None or not ranked.ahead or asked.policy.entity_messages <= TO_COME:
        return
    found = _newest(core, stream, state, asked, asked.policy.entity_messages - TO_COME)
    if found is None:
        return
    items, weighed = found
    weights = weights_of(weighed.items(), newer=TO_COME)
    memory[WEIGHED] = Weights(tuple(map(_stamp, items)), state.last_erasure, tuple(weighed), weights)


def rank_ahead(
    core: Core, stream: UUID, state: ContextState, memory: Memory, new: NewItem, said: Weighed
) -> Ranking | None:
    """The ranking for the context after a message that is being written, should it be the next version."""
    asked: Asked | None = memory.get(ASKED)
    if asked is None or not (asked.policy.entities and asked.policy.entity_messages):
        return None
    if not asked.policy.entities_of_history or asked.window not in new.windows or new.private:
        return None
    found = _newest(core, stream, state, asked, asked.policy.entity_messages - 1)
    if found is None:
        return None
    items, weighed = found
    version, most = state.version + 1, asked.policy.entities
    weighed[version] = said
    of = ((version, version, False), *map(_stamp, items))
    before: Weights | None = memory.pop(WEIGHED, None)
    if before is not None and (before.of, before.erasure) == (of[TO_COME:], state.last_erasure):
        to_come = [(item, weighed[item]) for item in weighed.keys() - before.sources]
        weights = weights_of(to_come, before=before.weights)
    else:
        weights = weights_of(weighed.items())
    named = most_weighty(weights, most)
    # Counted here, it is not counted again.
    count_once(layout_of(asked.policy.renderer).entities(named), asked.encoding)
    return Ranking(of, state.last_erasure, most, sorted(weighed), named, True)


def _newest(
    core: Core, stream: UUID, state: ContextState, asked: Asked, most: int
) -> tuple[list[Item], dict[int, Weighed]] | None:
    """The newest messages with what each mentions; None where some of them are another session's."""
    gatherer = Gatherer(core, stream, state, erasure=state.last_erasure)
    if gatherer.inherits:
        return None
    said = newest_said(state, asked.window, asked.agent, (), set(state.open_calls.values()))
    items = [item for _, item in islice(said, most)]
    return items, mentions_by_item(gatherer, [item.id for item in items], EXTRACTOR_VERSION)


def _stamp(item: Item) -> Stamp:
    return item.id, item.changed, item.recounts is not None and item.is_stub
