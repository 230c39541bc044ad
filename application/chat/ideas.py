"""The current idea of a project, if it is in the window."""

from typing import TYPE_CHECKING

from backstory.application.contents.reader import ContentReader
from backstory.domain.events import Event, ItemSaved
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW

if TYPE_CHECKING:
    from backstory.application.session import Session


def loaded_ideas(session: "Session", state: ContextState) -> list[Event]:
    """The events that saved the current idea and whose items are in the main window, oldest first."""
    wanted = state.project.current_idea if state.project else None
    if wanted is None:
        return []
    kept = [item.id for item in state.live(MAIN_WINDOW) if item.type not in ("message", "tool_exchange")]
    events = ContentReader.on_branch(session._runtime, session.id, state.version).events(kept)
    return [
        event
        for event in events.values()
        if isinstance(event.body, ItemSaved) and event.body.artifact == wanted
    ]


def idea_is_loaded(session: "Session", state: ContextState) -> bool:
    return bool(loaded_ideas(session, state))
