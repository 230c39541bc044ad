"""Decisions that were taken out of a window to make room. They hold all the same, and a query finds them."""

from functools import partial
from uuid import UUID

import psycopg

from backstory.application.contents.items import ItemReader
from backstory.application.context.remaking import bring_back
from backstory.domain.context.history import is_visible
from backstory.domain.events import DecisionRecorded, ItemsCompacted
from backstory.domain.records import Item
from backstory.infrastructure.postgres.queries import query


def left_decisions(item_reader: ItemReader, window: str, agent: str | None, most: int) -> list[Item]:
    """The newest that a compaction, a prune or a flash save took out, oldest first and as they came. Not those that
    somebody took out by hand; and of those that were noticed in messages only the ones that the state still knows,
    since nobody can tell whether the others were dismissed."""
    state = item_reader.material.state
    live = sum(item.type == "decision" for item in state.items.values())
    if live == state.counts.get("decision", 0):
        return []
    left = {item: by for item, by in _left(item_reader, most).items() if item not in state.items}
    item_reader.versions(set(left.values()))
    events = item_reader.material.events
    made_room = sorted(item for item, by in left.items() if isinstance(events[by].body, ItemsCompacted))
    known = {note.id for note in state.decisions}
    return [
        item
        for item in bring_back(item_reader, made_room)
        if is_visible(item, window, agent)
        and (item.id in known or isinstance(events[item.id].body, DecisionRecorded))
    ]


def _left(item_reader: ItemReader, most: int) -> dict[int, int]:
    """By decision the version that took it out. What a fork has inherited only its parent's rows tell of. Others may
    have written since: of what they did, and of other branches, the state knows nothing."""
    branch, version = item_reader.branch, item_reader.material.state.version
    found: dict[int, int] = {}
    told: set[int] = set()
    for stream in dict.fromkeys(piece.stream for piece in reversed(branch)):
        for item, by in item_reader.runtime.database.read(partial(_rows, asked=(stream, version, most))):
            if (
                item not in told
                and branch.contains(item)
                and branch.contains(by)
                and branch.owner(by) == stream
            ):
                found[item] = by
            told.add(item)
    return dict(sorted(found.items())[-most:]) if most else {}


def _rows(connection: psycopg.Connection, asked: tuple[UUID, int, int]) -> list[tuple[int, int]]:
    return connection.execute(query("decisions_that_left"), asked).fetchall()
