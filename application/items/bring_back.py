"""Items that have left a window, as they are when they come back."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.queries.read_models import read_items
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import items
from backstory.domain.log.guards import Decided
from backstory.domain.records import Item
from backstory.domain.state import ContextState


class Returning(NamedTuple):
    """Items that come back, and the sessions that brought those of a fork's parent."""

    rows: list[Item]
    brought_in: dict[int, UUID]


def returning_items(
    handle: SessionHandle, state: ContextState, wanted: Iterable[int], left_at: int | None = None
) -> Returning:
    """The items with all that the state needs of them. `left_at` is the event that took them out: the read model does
    not keep versions and roles, so those come from the state before it, unless another event has changed an item since.
    """
    runtime = handle.runtime
    branch = runtime.reader.lineage(handle.id, state.version)
    reader = ContentReader(runtime, branch)
    before = {} if left_at is None else runtime.reader.state(handle.id, left_at - 1).items
    wanted = list(wanted)
    rows = [
        row._replace(versions=before[row.id].versions, role=before[row.id].role)
        if row.changed == left_at and row.id in before
        else reader.completed(row)
        for row in read_items(runtime, handle.id, wanted)
    ]
    missing = set(wanted) - {row.id for row in rows}
    if missing:
        rows += runtime.reader.inherited_items(handle.id, branch, missing)
    brought_in = {item: owner for item in missing if (owner := branch.owner(item)) != handle.id}
    return Returning(sorted(rows), brought_in)


def bring_back(handle: SessionHandle, wanted: Sequence[int], window: str) -> int:
    """Puts items that have left a window back into it."""

    def bring_back(state: ContextState, wanted: Sequence[int], window: str) -> Decided:
        found = returning_items(handle, state, wanted)
        return items.return_items(state, rows=found.rows, brought_in=found.brought_in, window=window)

    return handle.command(ContentBundle(), partial(bring_back, wanted=wanted, window=window))
