"""What the newest messages mention, ranked once for the same messages."""

from collections.abc import Iterator
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from backstory.composing import layout_of, mentions_by_item
from backstory.domain.assembly.history import newest_said
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.ranges import as_ranges
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.tracking.entities import EXTRACTOR_VERSION, Mention, heaviest
from backstory.gathering import Gatherer
from backstory.infrastructure.newest_states import Memory, changed_since

RANKED = "mentioned"


class Asked(NamedTuple):
    """How a context is asked for. The next one is likely to be asked for in the same way."""

    format: str
    window: str
    agent: str | None
    encoding: str
    policy: AssemblyPolicy


class Ranking(NamedTuple):
    """What messages mention, most recent and most frequent first."""

    at: int
    """The version that it was made at."""
    newest: int
    """The newest of the messages."""
    erasure: int
    """The session's last erasure when they were read."""
    asked: Asked
    sources: str
    """Those of which nothing was erased, as ranges."""
    erased: frozenset[int]
    """The others."""
    found: tuple[Mention, ...]
    text: str
    """What the context says of all of them."""


def rank_mentioned(gatherer: Gatherer, asked: Asked, shown: set[int], memory: Memory) -> Ranking | None:
    """What the messages up to the last step mention, but for those that are `shown`. Kept for the next context, which
    often has the same; but what a fork has inherited can be erased without its log telling, so there it is ranked anew.
    None where there are none."""
    state, policy = gatherer.material.state, asked.policy
    said = (item for item in _up_to_step(state, asked) if item.id not in shown)
    first = next(said, None)
    if first is None:
        return None
    known: Ranking | None = None if shown or gatherer.inherits else memory.get(RANKED)
    if known is not None and _holds(known, first, state, asked, memory):
        gatherer.erased |= known.erased
        return known
    newest = [first, *islice(said, policy.entity_messages - 1)]
    mentioned = sorted(
        mentions_by_item(gatherer, [item.id for item in newest], EXTRACTOR_VERSION).items(), key=itemgetter(0)
    )
    found = heaviest(mentioned, policy.entities)
    readable = [item for item, _ in mentioned]
    ranking = Ranking(
        at=state.version,
        newest=first.id,
        erasure=state.last_erasure,
        asked=asked,
        sources=as_ranges(readable),
        erased=frozenset(item.id for item in newest).difference(readable),
        found=found,
        text=layout_of(policy.renderer).entities(found),
    )
    if not shown and not gatherer.inherits:
        memory[RANKED] = ranking
    return ranking


def _up_to_step(state: ContextState, asked: Asked) -> Iterator[Item]:
    """Messages and exchanges, newest first. Those since the last step stand in the history word for word, and the list
    need not be made anew for each of them. Where there was no step yet, all."""
    count, step = state.message_count, asked.policy.entity_step
    end = count - count % step or count
    waiting = set(state.open_calls.values())
    for number, item in newest_said(state, asked.window, asked.agent, (), waiting):
        if number < end:
            yield item


def _holds(known: Ranking, newest: Item, state: ContextState, asked: Asked, memory: Memory) -> bool:
    """Whether the same messages are asked for in the same way, and none has changed since."""
    same = (known.newest, known.erasure, known.asked) == (newest.id, state.last_erasure, asked)
    return same and not changed_since(memory, known.at)
