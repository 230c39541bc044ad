"""The state as the `current-context.json` document, with the texts that the state only names."""

from typing import Any

from backstory.contents import ContentReader
from backstory.domain.context_document import context_document
from backstory.domain.context_sources import Sources, event_versions, text_places
from backstory.domain.events import ItemSaved
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW


def current_context(state: ContextState, contents: ContentReader) -> dict[str, Any]:
    """The document at the state's version, from a handful of reads in each stream of its branch. Each item in
    the main window is listed as loaded, so that their tokens add up to the used ones; saved items outside it
    follow as not loaded. Texts that were erased are null."""
    live = [item.id for item in state.live(MAIN_WINDOW)]
    unloaded = contents.events_of_type(ItemSaved.type, besides=live)
    events = contents.events(event_versions(state))
    told = [*events.values(), *unloaded]
    sources = Sources(
        events=events,
        unloaded=unloaded,
        texts=contents.texts(text_places(state, told)),
        present=contents.present(event.version for event in told),
    )
    return context_document(state, sources)
