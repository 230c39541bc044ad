"""Parts of a session that memories were not made of yet."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from backstory.application.queries.read_models import item_of
from backstory.application.runtime import Runtime
from backstory.domain.log.lineage import Lineage
from backstory.domain.log.ranges import as_ranges, from_ranges
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.values import LARGEST
from backstory.infrastructure.postgres.queries import query


class Part(NamedTuple):
    """A part of a session."""

    versions: tuple[int, ...]
    """Its versions on the session's branch, without those that a fork has inherited."""
    items: tuple[Item, ...]
    """The items that they brought, as the read model has them."""

    @property
    def conversation(self) -> list[Item]:
        """Its messages and tool exchanges."""
        return [item for item in self.items if item.type in CONVERSATION_TYPES]

    @property
    def ranges(self) -> str:
        """Its versions, written short."""
        return as_ranges(self.versions)


def open_parts(
    runtime: Runtime,
    session: UUID,
    state: ContextState,
    project: ContextState | None,
    *,
    every: int,
    rest: bool,
) -> list[Part]:
    """The parts that memories were not made of yet, oldest first, with so many messages each. With `rest` also what is
    left after them; a rest of less than half belongs to the part before."""
    branch = runtime.reader.lineage(session, state.version)
    before = set(from_ranges(project.reviewed.get(str(session), ""))) if project is not None else set()
    versions = [version for version in _own(branch, session) if version not in before]
    if not versions:
        return []
    items = _items_after(runtime, session, versions[0] - 1)
    wanted = set(versions)
    own = [item for item in items if item.id in wanted]
    ends = _ends([item.id for item in own if item.type in CONVERSATION_TYPES], every, rest)
    if rest and own:
        ends.append(state.version)
    return [_part(versions, own, after, upto) for after, upto in pairwise([0, *ends])]


def part_of(runtime: Runtime, session: UUID, items: Sequence[Item]) -> Part:
    """The part that somebody chose by its items."""
    return Part(tuple(item.id for item in items), tuple(items))


def _ends(messages: Sequence[int], every: int, rest: bool) -> list[int]:
    """The last message of each part, but of the rest."""
    whole = len(messages) // every
    if rest and whole and len(messages) % every < every / 2:
        # The rest is too little for a part of its own.
        whole -= 1
    return [messages[every * number - 1] for number in range(1, whole + 1)]


def _part(versions: Sequence[int], items: Iterable[Item], after: int, upto: int) -> Part:
    return Part(
        tuple(version for version in versions if after < version <= upto),
        tuple(item for item in items if after < item.id <= upto),
    )


def _own(branch: Lineage, session: UUID) -> list[int]:
    """The versions on the branch that are the session's own."""
    return [
        version
        for piece in branch
        if piece.stream == session
        for version in range(piece.first, piece.last + 1)
    ]


def _items_after(runtime: Runtime, session: UUID, version: int) -> list[Item]:
    asked = (session, version, LARGEST)
    rows = runtime.database.read(lambda c: c.execute(query("items_after"), asked).fetchall())
    return [item_of(row) for row in rows]
