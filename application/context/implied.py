"""The query that a context without one implies, and the ranking of older items against it."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.domain.context.loaded_items import LoadedItems
from backstory.domain.records import Item
from backstory.domain.search.corpus import Corpus, Document
from backstory.domain.search.marks import marks
from backstory.domain.search.ranking import BY_WORDS, by_worth, rank
from backstory.domain.search.terms import terms
from backstory.domain.trust import PROGRAM
from backstory.domain.values import LARGEST

MOST_READ = 4_000
"""Characters of an item, and of the query: the first page tells what it is about, and all that may matter is read at
the first call of a process."""


MOST_RANKED = 100
"""Items that are looked at closely."""


class ImpliedQuery(NamedTuple):
    """The newest instruction, the current task and the files in focus, as one text."""

    text: str
    items: tuple[int, ...]
    """The items of instruction and task."""


def implied_query(loaded: LoadedItems, instruction: Item | None, task: str | None) -> ImpliedQuery | None:
    """The query of a context that has none. None where nobody has asked for anything."""
    state = loaded.state
    texts, items = [], []
    if instruction is not None:
        texts.append(loaded.own_words(instruction))
        items.append(instruction.id)
    if task is not None:
        texts.append(loaded.text(state.tasks[task].text))
        items.append(state.tasks[task].item)
    texts += state.focus.files
    text = "\n".join(text[:MOST_READ] for text in texts)
    return ImpliedQuery(text, tuple(sorted(items))) if text.strip() else None


class _Words(NamedTuple):
    """What the ranking needs to know of an item."""

    counts: Counter[str]
    length: int
    marks: int


def by_relevance(
    item_reader: ItemReader, items: Sequence[Item], query: str, encoding: str, most_tokens: int = LARGEST
) -> list[Item]:
    """The items that match a query, the best for their tokens first: no more than `most_tokens` of each are shown."""
    loaded, wanted = item_reader.loaded, terms(query)

    def read(item: Item) -> _Words:
        text = loaded.own_words(item)[:MOST_READ]
        counts = terms(text)
        return _Words(counts, counts.total(), marks(text, note=item.origin == PROGRAM))

    known = item_reader.derive(items, "words", read, lambda words: 100 + 100 * len(words.counts))
    found = [item for item in items if item.id in known]
    documents: dict[int, Document] = {}
    postings: dict[str, dict[int, int]] = {term: {} for term in sorted(wanted)}
    for position, item in enumerate(found):
        counts = known[item.id].counts
        for term in counts.keys() & wanted.keys():
            postings[term][position] = counts[term]
        documents[position] = Document(
            position=position,
            id=item.id,
            session=0,
            speaker=item.agent,
            type=item.type,
            time=item.brought,
            length=known[item.id].length,
            tokens=min(most_tokens, item.tokens_in(encoding)),
            marks=known[item.id].marks,
        )
    speakers = {item.agent for item in found if item.agent}
    length = sum(document.length for document in documents.values())
    corpus = Corpus(documents, postings, len(documents), length, speakers)
    hits = rank(query, corpus, most=MOST_RANKED, ranker=BY_WORDS)
    return [found[position] for position in by_worth(hits, {p: one.tokens for p, one in documents.items()})]
