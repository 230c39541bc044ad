"""What the newest messages mention, ranked once for the same messages."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.application.context.composing import layout_of, mentions_by_item
from backstory.domain.context.history import newest_said
from backstory.domain.entities.entities import EXTRACTOR_VERSION, Mention, heaviest
from backstory.domain.log.ranges import as_ranges
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.infrastructure.states.newest_states import Memory, changed_since

RANKED = "mentioned"


class Asked(NamedTuple):
    """How a context is asked for."""

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


def rank_mentioned(
    item_reader: ItemReader, asked: Asked, history: set[int], memory: Memory
) -> Ranking | None:
    """What the newest messages mention, given which of them the context shows. Kept for the next context, which often
    has the same; but what a fork has inherited can be erased without its log telling, so there it is ranked anew. None
    where nothing was said."""
    state, policy = item_reader.material.state, asked.policy
    said = _looked_at(state, asked, history)
    first = next(said, None)
    if first is None:
        return None
    keeps = policy.entities_of_history and not item_reader.inherits
    known: Ranking | None = memory.get(RANKED) if keeps else None
    if known is not None and _holds(known, first, state, asked, memory):
        item_reader.erased |= known.erased
        return known
    newest = [first, *islice(said, policy.entity_messages - 1)]
    mentioned = mentions_by_item(item_reader, [item.id for item in newest], EXTRACTOR_VERSION)
    found = heaviest(mentioned.items(), policy.entities)
    ranking = Ranking(
        at=state.version,
        newest=first.id,
        erasure=state.last_erasure,
        asked=asked,
        sources=as_ranges(mentioned),
        erased=frozenset(item.id for item in newest).difference(mentioned),
        found=found,
        text=layout_of(policy.renderer).entities(found),
    )
    if keeps:
        memory[RANKED] = ranking
    return ranking


def _looked_at(state: ContextState, asked: Asked, history: set[int]) -> Iterator[Item]:
    """Messages and exchanges in which entities are looked for, newest first. Those since the last step need not be,
    where all of them can be read in the history and something was said before them: then the list stays as it is until
    the next step."""
    waiting = set(state.open_calls.values())
    said = newest_said(state, asked.window, asked.agent, (), waiting)
    if not asked.policy.entities_of_history:
        yield from (item for _, item in said if item.id not in history)
        return
    count = state.message_count
    end = count - count % asked.policy.entity_step
    since: list[Item] = []
    before: Item | None = None
    for number, item in said:
        if number < end:
            before = item
            break
        since.append(item)
    if before is None or any(item.id not in history for item in since):
        yield from since
    if before is not None:
        yield before
    yield from (item for _, item in said)


def _holds(known: Ranking, newest: Item, state: ContextState, asked: Asked, memory: Memory) -> bool:
    """Whether the same messages are asked for in the same way, and none has changed since."""
    same = (known.newest, known.erasure, known.asked) == (newest.id, state.last_erasure, asked)
    return same and not changed_since(memory, known.at)
