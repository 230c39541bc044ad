"""The items that a compaction takes out of a window, with the disposition of each."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.search.features import word_rarity
from backstory.domain.state import ContextState
from backstory.domain.window.essentials import essential_items

LEAST_SHARED_TERMS = 3
"""Messages of one or two words are alike by chance."""


class Selection(NamedTuple):
    """Items by what becomes of them."""

    summarized: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()

    @property
    def leaving(self) -> tuple[int, ...]:
        return tuple(sorted((*self.summarized, *self.dropped)))


MEMORY = "memory"
"""The type of item that an archive leaves. Compactions of messages leave it alone; the next archive builds on it."""


def earlier_summaries(state: ContextState, window: str) -> list[Item]:
    """Summaries of earlier compactions that are live, and the memory of an archive. The session's own summary is not
    among them: the next one replaces it."""
    own = state.summary.item if state.summary is not None else None
    archived = set(state.compactions)
    return [
        item
        for item in state.items.values()
        if item.type in ("summary", MEMORY)
        and window in item.windows
        and (item.id in archived if item.type == MEMORY else item.id != own)
    ]


def middle_messages(
    state: ContextState, window: str, policy: WindowPolicy, first: int | None = None, last: int | None = None
) -> Selection:
    """Messages between the system prompt and the newest ones, with the summaries of those that were there before them:
    told of in the summary. Tool exchanges are only counted there. Decisions of long ago leave, which the session's own
    summary tells of. What else is in the window stays."""
    essential = essential_items(state, window, policy)
    live = state.live(window)
    summaries = {item.id for item in earlier_summaries(state, window) if item.type != MEMORY}
    decisions = [item.id for item in live if item.type == "decision"]
    old = set(decisions[: max(0, len(decisions) - policy.decisions_in_window)])
    told, counted, decided, kept = [], [], [], []
    for item in live:
        within = (first is None or item.id >= first) and (last is None or item.id <= last)
        if not within:
            continue
        if item.id in essential or item.private:
            kept.append(item.id)
        elif item.id in old:
            decided.append(item.id)
        elif item.type not in CONVERSATION_TYPES and item.id not in summaries:
            kept.append(item.id)
        elif item.type == "tool_exchange":
            counted.append(item.id)
        else:
            told.append(item.id)
    # Where there are only exchanges, the count of their tools is what is told.
    return (
        Selection(tuple(told), tuple(sorted(counted + decided)), tuple(kept))
        if told
        else Selection(tuple(counted), tuple(decided), tuple(kept))
    )


def all_but_essentials(state: ContextState, window: str, policy: WindowPolicy) -> Selection:
    """Everything that may leave. What is private to an agent leaves without a word: all would read the summary."""
    essential = essential_items(state, window, policy)
    leaving = [item for item in state.live(window) if item.id not in essential]
    return Selection(
        tuple(item.id for item in leaving if not item.private),
        tuple(item.id for item in leaving if item.private),
        tuple(sorted(essential)),
    )


def only(selection: Selection, items: Collection[int]) -> Selection:
    """The same for these items; the others stay."""
    stays = {item for item in selection.leaving if item not in items}
    return Selection(
        tuple(item for item in selection.summarized if item in items),
        tuple(item for item in selection.dropped if item in items),
        tuple(sorted({*selection.kept, *stays})),
    )


def similar_messages(
    texts: Mapping[int, Counter[str]], *, similarity: float, size: int
) -> list[tuple[int, ...]]:
    """Clusters of messages that say about the same: each is like the first of its cluster, and each is in one."""
    having = Counter(word for terms in texts.values() for word in terms)
    # What is in all of them still counts: build after build that fails in the same words is one cluster.
    weights = {word: 1 + word_rarity(count, len(texts)) for word, count in having.items()}
    weight_of = {item: sum(weights[word] for word in terms) for item, terms in texts.items()}
    clusters: list[list[int]] = []
    for item, terms in texts.items():
        for members in clusters:
            seed = members[0]
            shared = terms.keys() & texts[seed].keys()
            # Of the longer one: a short message is not like every long one.
            longer = max(weight_of[seed], weight_of[item])
            if (
                len(shared) >= LEAST_SHARED_TERMS
                and sum(weights[word] for word in shared) >= similarity * longer
            ):
                members.append(item)
                break
        else:
            clusters.append([item])
    return [tuple(members) for members in clusters if len(members) >= size]


def named_most(mentions: Iterable[Iterable[str]]) -> list[str]:
    """Names by how many items mention them, the newest first among equals. `mentions` are by item, oldest first, each
    name once."""
    count: Counter[str] = Counter()
    newest: dict[str, int] = {}
    for place, names in enumerate(mentions):
        for name in names:
            count[name] += 1
            newest[name] = place
    return sorted(count, key=lambda name: (-count[name], -newest[name], name))
