"""Items that have left a window, brought back."""

from collections.abc import Sequence
from functools import partial

from backstory.application.contents.returning import returning_items
from backstory.application.handle import SessionHandle
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import items
from backstory.domain.errors import Refused
from backstory.domain.log.guards import Decided
from backstory.domain.state import ContextState


def bring_back(handle: SessionHandle, wanted: Sequence[int], window: str) -> int:
    """Puts items that have left a window back into it."""

    def bring_back(state: ContextState, wanted: Sequence[int], window: str) -> Decided:
        for item in wanted:
            if item in state.quarantined:
                raise Refused(f"item {item} is in quarantine: it has to be released first.")
        found = returning_items(handle, state, wanted)
        return items.return_items(state, rows=found.rows, brought_in=found.brought_in, window=window)

    return handle.command(ContentBundle(), partial(bring_back, wanted=wanted, window=window))
