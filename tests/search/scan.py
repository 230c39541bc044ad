"""A search without an index: every text of a branch is read, and ranked as the product ranks it."""

from collections import Counter
from dataclasses import dataclass

from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import message_of
from backstory.application.session import Session
from backstory.domain.effects import NewItem
from backstory.domain.errors import ContentErased
from backstory.domain.events import Event
from backstory.domain.search.corpus import Corpus, Document
from backstory.domain.search.marks import marks
from backstory.domain.search.passages import Passage, counted_terms, passages, whole_text
from backstory.domain.search.ranking import rank
from backstory.domain.search.terms import terms
from backstory.domain.values import microseconds


@dataclass
class Item:
    """What can be found of an item at a version."""

    new: NewItem
    time: int
    texts: list[str]
    counts: Counter[str]
    tokens: int


def scan(session: Session, version: int, query: str, agent: str | None = None) -> list[tuple[int, float]]:
    """The items of a session that hold a word of a query, best first, with scores."""
    found = _items(session, version, agent)
    documents = {
        place: Document(
            position=place,
            id=id_,
            session=0,
            speaker=item.new.agent,
            type=item.new.type,
            time=item.time,
            length=item.counts.total(),
            tokens=item.tokens,
            marks=sum({mark for text in item.texts for mark in marks(text)}),
        )
        for place, (id_, item) in enumerate(found.items())
    }
    postings = {
        term: {place: item.counts[term] for place, item in enumerate(found.values()) if item.counts[term]}
        for term in terms(query)
    }
    length = sum(document.length for document in documents.values())
    speakers = {item.new.agent for item in found.values() if item.new.agent is not None}
    corpus = Corpus(documents, postings, len(found), length, speakers)
    matching = set().union(*postings.values())
    return [
        (documents[hit.position].id, hit.score) for hit in rank(query, corpus) if hit.position in matching
    ]


def quarantined_items(session: Session) -> frozenset[int]:
    """The items that are in quarantine now, which no search finds, whatever version it is as of."""
    with session._runtime.reader.borrow(session.id) as newest:
        return frozenset(newest.quarantined)


def _items(session: Session, version: int, agent: str | None) -> dict[int, Item]:
    """What an agent may see at a version, in the order in which it came."""
    runtime = session._runtime
    hidden = quarantined_items(session)
    branch = runtime.reader.lineage(session.id, version)
    reader = ContentReader(runtime, branch)
    brought: dict[int, NewItem] = {}
    found: dict[int, Item] = {}
    for event in runtime.reader.events(branch):
        effects = event.effects
        more = effects.revises or effects.extends
        if effects.brings is not None:
            brought[event.version] = effects.brings
        elif more is None or more.item not in brought:
            continue
        id_ = event.version if effects.brings is not None or more is None else more.item
        new = brought[id_]
        if id_ in hidden:
            continue
        said = _passages(reader, event)
        if said is None or (new.private and new.agent != agent):
            continue
        text, counts = whole_text(said), counted_terms(said)
        if id_ == event.version:
            counts.update(terms(new.agent or ""))
        tokens = new.tokens if more is None or id_ == event.version else more.tokens
        time = microseconds(event.occurred_at)
        if id_ not in found:
            found[id_] = Item(new, time, [text], counts, tokens)
        elif effects.revises is not None:
            found[id_] = Item(new, found[id_].time, [text], counts, tokens)
        else:
            item = found[id_]
            found[id_] = Item(new, item.time, [*item.texts, text], item.counts + counts, item.tokens + tokens)
    return found


def _passages(reader: ContentReader, event: Event) -> list[Passage] | None:
    """The text of an event; None if something of it was erased."""
    _, contents = reader.events_and_bytes([event.version])
    try:
        return passages([message_of(event, contents)])
    except ContentErased:
        return None
