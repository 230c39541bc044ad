"""Items that have left a window, as they are when they come back."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.queries.read_models import read_items
from backstory.domain.records import Item
from backstory.domain.state import ContextState


class Returning(NamedTuple):
    """Items that come back, and the sessions that brought those of a fork's parent."""

    rows: list[Item]
    brought_in: dict[int, UUID]


def returning_items(
    handle: SessionHandle,
    state: ContextState,
    wanted: Iterable[int],
    left_at: int | None = None,
    *,
    quarantined: bool = False,
) -> Returning:
    """The items with all that the state needs of them, without those in quarantine unless they are `quarantined` on
    purpose. `left_at` is the event that took them out: the read model does
    not keep versions and roles, so those come from the state before it, unless another event has changed an item since.
    """
    runtime = handle.runtime
    branch = runtime.reader.lineage(handle.id, state.version)
    reader = ContentReader(runtime, branch)
    before = {} if left_at is None else runtime.reader.state(handle.id, left_at - 1).items
    wanted = [item for item in wanted if quarantined or item not in state.quarantined]
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
