"""What the newest messages mention, ranked once for the same messages: where a context was made before, the next one's
while its newest message is written, since the client would only wait."""

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
from backstory.domain.tracking.entities import EXTRACTOR_VERSION, Mention, Weighed, heaviest
from backstory.gathering import Gatherer
from backstory.infrastructure.newest_states import Memory
from backstory.token_costs import count_once

ASKED, RANKED = "asked", "mentioned"


class Asked(NamedTuple):
    """How the last context was asked for. The next one is likely to be asked for in the same way."""

    format: str
    window: str
    agent: str | None
    encoding: str
    policy: AssemblyPolicy


class Ranking(NamedTuple):
    """What messages mention, most recent and most frequent first."""

    of: tuple[tuple[int, int, bool], ...]
    """The items as they were, newest first: id, last change, and whether it is a stub."""
    erasure: int
    """The session's last erasure when they were read."""
    most: int
    sources: list[int]
    """Those of which nothing was erased."""
    found: tuple[Mention, ...]


def rank_newest(gatherer: Gatherer, newest: Sequence[Item], most: int, memory: Memory) -> Ranking:
    """What these items mention. What a fork has inherited can be erased without its log telling, and is ranked anew."""
    of, erasure = tuple([_as_it_is(item) for item in newest]), gatherer.material.state.last_erasure
    known: Ranking | None = memory.get(RANKED)
    if known is not None and (known.of, known.erasure, known.most) == (of, erasure, most):
        return known
    weighed = mentions_by_item(gatherer, [item.id for item in newest], EXTRACTOR_VERSION)
    ranking = Ranking(of, erasure, most, sorted(weighed), heaviest(weighed.items(), most))
    if not gatherer.inherits:
        memory[RANKED] = ranking
    return ranking


def rank_ahead(
    core: Core, stream: UUID, state: ContextState, memory: Memory, new: NewItem, said: Weighed
) -> None:
    """Ranks for the context after a message that is being written. Should anything else come before it, the ranking is
    not found again, and that is all."""
    asked: Asked | None = memory.get(ASKED)
    if asked is None or not (asked.policy.entities and asked.policy.entity_messages):
        return
    if not asked.policy.entities_of_history or asked.window not in new.windows or new.private:
        return
    gatherer = Gatherer(core, stream, state, erasure=state.last_erasure)
    if gatherer.inherits:
        return
    waiting = set(state.open_calls.values())
    before = newest_said(state, asked.window, asked.agent, (), waiting)
    items = [item for _, item in islice(before, asked.policy.entity_messages - 1)]
    version, most = state.version + 1, asked.policy.entities
    weighed = mentions_by_item(gatherer, [item.id for item in items], EXTRACTOR_VERSION) | {version: said}
    found = heaviest(weighed.items(), most)
    of = ((version, version, False), *map(_as_it_is, items))
    memory[RANKED] = Ranking(of, state.last_erasure, most, sorted(weighed), found)
    # Counted here, it is not counted again.
    count_once(layout_of(asked.policy.renderer).entities(found), asked.encoding)


def _as_it_is(item: Item) -> tuple[int, int, bool]:
    return item.id, item.changed, item.recounts is not None and item.is_stub
