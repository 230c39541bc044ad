"""Second sources: whether one item says the same as another, and could not have it from there."""

from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.queries.read_models import read_items
from backstory.application.runtime import Runtime
from backstory.domain.context.loaded_items import own_words
from backstory.domain.errors import InvalidInput, Refused
from backstory.domain.events import MemoryRecorded
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.log.ranges import from_ranges
from backstory.domain.memory.values import Source
from backstory.domain.records import Item
from backstory.domain.search.terms import terms

SAME = 0.6
"""The share of an item's words that a witness has to say, too."""


def require_witness(runtime: Runtime, stream: UUID, item: Item, witness: Source) -> None:
    """Refuses a witness that is no second independent source of an item."""
    if len(witness.items) != 1:
        raise InvalidInput("witness", "must be one item of a session")
    runtime.require_session(witness.session)
    found = read_items(runtime, witness.session, witness.items)
    if not found:
        raise InvalidInput("witness", f"item {witness.items[0]} is not on the session's branch")
    (other,) = found
    _require_apart(runtime, stream, item, witness, other)
    said, heard = _words(runtime, stream, item.id), _words(runtime, witness.session, other.id)
    if not said or len(said & heard) < SAME * len(said):
        raise Refused(f"item {other.id} of the witness does not say what item {item.id} says.")


def _require_apart(runtime: Runtime, stream: UUID, item: Item, witness: Source, other: Item) -> None:
    if other.origin == "model":
        raise Refused("a model's words are no second source: it may repeat what it read.")
    if other.quarantined:
        raise Refused(f"item {other.id} of the witness is in quarantine.")
    streams, origins = _sources(runtime, stream, item)
    owner = runtime.reader.owner(witness.session, other.id)
    if owner in streams or witness.session in streams:
        raise Refused("the witness must be of another session.")
    if other.origin in origins:
        raise Refused(f"the witness must be of another origin than {other.origin}.")


def _sources(runtime: Runtime, stream: UUID, item: Item) -> tuple[set[UUID], set[str]]:
    """The sessions that an item comes from, and the origins; of a memory, those of what it was made from."""
    owner = runtime.reader.owner(stream, item.id)
    streams, origins = {stream, owner}, {str(item.origin)}
    reader = ContentReader(runtime, Lineage([VersionRange(owner, item.id, item.id)]))
    body = reader.events([item.id])[item.id].body
    if isinstance(body, MemoryRecorded):
        for source in body.sources:
            streams.add(source.session)
            items = from_ranges(source.items)
            rows = read_items(runtime, source.session, items) if items else []
            origins |= {str(row.origin) for row in rows}
            streams |= {runtime.reader.owner(source.session, row.id) for row in rows}
    return streams, origins


def _words(runtime: Runtime, stream: UUID, item: int) -> set[str]:
    version = runtime.require_head(stream).version
    reader = ContentReader.on_branch(runtime, stream, version)
    return set(terms(own_words(reader.said_by(item))))
