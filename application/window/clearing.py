"""Taking back a clear: what it took out of the main window comes back in one event."""

from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.queries.read_models import read_items
from backstory.application.runtime import Runtime
from backstory.domain.commands import clears
from backstory.domain.effects import Effects
from backstory.domain.errors import Refused
from backstory.domain.log.guards import Decided
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW


def undo_clear(state: ContextState, runtime: Runtime, stream: UUID) -> Decided:
    """Decides on the event that brings back what the newest clear that still stands took out, but for what is in the
    window again already."""
    if not state.clears:
        raise Refused("there is no clear to take back.")
    clear = state.clears[-1]
    branch = runtime.reader.lineage(stream, state.version)
    effects: Effects = ContentReader(runtime, branch).events([clear])[clear].effects
    taken = [item for removal in effects.removes for item in removal.items]
    wanted = [item for item in taken if not _is_live(state, item)]
    # Versions and roles, which the read model does not keep, are those before the clear, unless an event of somebody's
    # own has changed an item since.
    before = runtime.reader.state(stream, clear - 1).items
    reader = ContentReader(runtime, branch)
    rows = [
        row._replace(versions=before[row.id].versions, role=before[row.id].role)
        if row.changed == clear
        else reader.completed(row)
        for row in read_items(runtime, stream, wanted)
    ]
    missing = set(wanted) - {row.id for row in rows}
    if missing:
        rows += runtime.reader.inherited_items(stream, branch, missing)
    origins = {item: owner for item in missing if (owner := branch.owner(item)) != stream}
    return clears.undo_clear(state, clear=clear, rows=sorted(rows), origins=origins)


def _is_live(state: ContextState, item: int) -> bool:
    found: Item | None = state.items.get(item)
    return found is not None and MAIN_WINDOW in found.windows
