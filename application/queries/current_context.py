"""The state as the `current-context.json` document, with the texts that the state only names."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from backstory.application.contents.reader import ContentReader
from backstory.domain.context_document.document import context_document
from backstory.domain.context_document.sources import (
    RETURNS,
    Registered,
    Sources,
    event_versions,
    load_times,
    text_places,
)
from backstory.domain.events import ItemSaved
from backstory.domain.fold.evolve import measure_windows
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW

MaySee = Callable[[bool, str | None], bool]
"""Says of an item, by whether it is private and whose it is, if somebody may see it."""


def as_seen(state: ContextState, may_see: MaySee) -> ContextState:
    """The state without the items that somebody may not see, and without their tokens."""
    seen = state.copy()
    seen.items = {key: item for key, item in state.items.items() if may_see(item.private, item.agent)}
    if len(seen.items) != len(state.items):
        measure_windows(seen)
    return seen


def current_context(
    state: ContextState,
    contents: ContentReader,
    *,
    may_see: MaySee = lambda private, agent: True,
    registered: Mapping[str, Registered] = MappingProxyType({}),
) -> dict[str, Any]:
    """The document at the state's version, from a handful of reads in each stream of its branch. Each item in
    the main window is listed as loaded, so that their tokens add up to the used ones; saved items outside it
    follow as not loaded, where `may_see` allows it, then the `registered` artifacts of the project. Texts that were
    erased are null. What is loaded is up to the state: see `as_seen`."""
    live = [item.id for item in state.live(MAIN_WINDOW)]
    saved = contents.events_of_type(ItemSaved.type, besides=live)
    unloaded = [
        event
        for event in saved
        if (item := event.effects.brings)
        and may_see(item.private, item.agent)
        and event.version not in state.quarantined
    ]
    events = contents.events(event_versions(state))
    told = [*events.values(), *unloaded]
    sources = Sources(
        events=events,
        loads=load_times(contents.events_of_type(*RETURNS)),
        unloaded=unloaded,
        texts=contents.texts(text_places(state, told)),
        present=contents.present(event.version for event in told),
        registered=registered,
    )
    return context_document(state, sources)
