"""Commands on artifacts."""

from collections.abc import Sequence
from typing import Any

from backstory.domain import events as e
from backstory.domain.commands.items import checked_items
from backstory.domain.effects import Effects, NewItem, Removal
from backstory.domain.errors import ItemNotLive, Refused, UnknownItem
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.references import ContentRef
from backstory.domain.records import ArtifactNote
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, build


def known_artifact(state: ContextState, artifact: str) -> ArtifactNote:
    """A registered artifact."""
    note = state.artifacts.get(artifact)
    if note is None:
        raise UnknownItem(f"artifact {artifact!r} is not registered in this project.")
    return note


def loaded_item(state: ContextState, artifact: str) -> int | None:
    """The item in the main window that holds an artifact."""
    held = state.loaded.get(artifact)
    item = None if held is None else state.items.get(held.item)
    return None if item is None or MAIN_WINDOW not in item.windows else item.id


def loaded_artifacts(state: ContextState) -> dict[str, int]:
    """The artifacts in the main window, by id, with their items."""
    return {id: item for id in state.loaded if (item := loaded_item(state, id)) is not None}


def remove_artifact(state: ContextState, *, artifact: str, why: ContentRef | None) -> Decided:
    known_artifact(state, artifact)
    return Decided(Change(e.ArtifactRemoved(artifact=artifact, why=why)), Guard(expected=state.version))


def load_artifact(state: ContextState, *, body: e.ItemSaved, item: NewItem) -> Decided:
    """The content of an artifact in the main window, in place of the one before. The same content must not be there."""
    assert body.artifact is not None
    held = loaded_item(state, body.artifact)
    if held is not None and state.loaded[body.artifact].digest == body.digest:
        raise Refused(f"artifact {body.artifact!r} is loaded already.")
    removes = () if held is None else (Removal(items=(held,), disposition="reloaded"),)
    return Decided(Change(body, Effects(brings=item, removes=removes)), Guard(expected=state.version))


def access_artifact(state: ContextState, *, artifact: str, digest: str) -> Decided:
    """An access to a content that is in the main window."""
    held = loaded_item(state, artifact)
    if held is None or state.loaded[artifact].digest != digest:
        raise ItemNotLive(f"artifact {artifact!r} is not loaded.")
    touched = build(e.ItemsTouched, items=(held,), reason="loaded")
    return Decided(Change(touched, Effects(touches=(held,))), Guard(items=(held,), since=state.version))


def unload_artifacts(state: ContextState, *, artifacts: Sequence[str], why: ContentRef | None) -> Decided:
    """Takes artifacts out of the main window. They are loaded again from the record."""
    items = []
    for artifact in artifacts:
        item = loaded_item(state, artifact)
        if item is None:
            raise ItemNotLive(f"artifact {artifact!r} is not loaded.")
        items.append(item)
    leaving = checked_items(items)
    body = build(e.ItemsRemoved, items=leaving, window=MAIN_WINDOW, why=why)
    removal = Removal(items=leaving, disposition="unloaded", window=MAIN_WINDOW)
    return Decided(Change(body, Effects(removes=(removal,))), Guard(items=leaving, since=state.version))


def invalidate_progress(state: ContextState, **said: Any) -> Decided:
    return Decided(Change(build(e.ProgressInvalidated, **said)), Guard(expected=state.version))
