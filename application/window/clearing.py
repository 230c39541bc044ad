"""Taking back a clear: what it took out of the main window comes back in one event."""

from functools import partial

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.items.returning import returning_items
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import clears
from backstory.domain.effects import Effects
from backstory.domain.errors import Refused
from backstory.domain.log.guards import Decided
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW


def undo_clear(handle: SessionHandle) -> int:
    """Brings back what the newest clear that still stands took out, but for what is in the window again already."""

    def undo(state: ContextState) -> Decided:
        if not state.clears:
            raise Refused("there is no clear to take back.")
        clear = state.clears[-1]
        branch = handle.runtime.reader.lineage(handle.id, state.version)
        effects: Effects = ContentReader(handle.runtime, branch).events([clear])[clear].effects
        taken = [item for removal in effects.removes for item in removal.items]
        wanted = [item for item in taken if not is_in(state, item, MAIN_WINDOW)]
        found = returning_items(handle, state, wanted, left_at=clear)
        return clears.undo_clear(state, clear=clear, rows=found.rows, origins=found.origins)

    return handle.command(ContentBundle(), partial(undo))


def is_in(state: ContextState, item: int, window: str) -> bool:
    """Whether an item is live in a window."""
    return item in state.items and window in state.items[item].windows
