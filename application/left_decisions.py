"""Decisions that were taken out of a window to make room. They hold all the same, and a query finds them."""

from functools import partial
from uuid import UUID

import psycopg

from backstory.domain.assembly.history import is_visible
from backstory.domain.events import DecisionRecorded, ItemsCompacted
from backstory.domain.records import Item
from backstory.gathering import Gatherer
from backstory.infrastructure.queries import query
from backstory.remaking import bring_back


def left_decisions(gatherer: Gatherer, window: str, agent: str | None, most: int) -> list[Item]:
    """The newest that a compaction, a prune or a flash save took out, oldest first and as they came. Not those that
    somebody took out by hand; and of those that were noticed in messages only the ones that the state still knows,
    since nobody can tell whether the others were dismissed."""
    state = gatherer.material.state
    live = sum(item.type == "decision" for item in state.items.values())
    if live == state.counts.get("decision", 0):
        return []
    left = {item: by for item, by in _left(gatherer, most).items() if item not in state.items}
    gatherer.versions(set(left.values()))
    events = gatherer.material.events
    made_room = sorted(item for item, by in left.items() if isinstance(events[by].body, ItemsCompacted))
    known = {note.id for note in state.decisions}
    return [
        item
        for item in bring_back(gatherer, made_room)
        if is_visible(item, window, agent)
        and (item.id in known or isinstance(events[item.id].body, DecisionRecorded))
    ]


def _left(gatherer: Gatherer, most: int) -> dict[int, int]:
    """By decision the version that took it out. What a fork has inherited only its parent's rows tell of. Others may
    have written since: of what they did, and of other branches, the state knows nothing."""
    branch, version = gatherer.branch, gatherer.material.state.version
    found: dict[int, int] = {}
    told: set[int] = set()
    for stream in dict.fromkeys(piece.stream for piece in reversed(branch)):
        for item, by in gatherer.core.database.read(partial(_rows, asked=(stream, version, most))):
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
