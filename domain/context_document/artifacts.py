"""The context document's `loaded_artifacts`: every live item, and the saved ones that can be loaded again."""

from collections.abc import Iterator, Sequence
from typing import Any

from backstory.domain.context_document.sources import Registered, Sources, exported_id, exported_time
from backstory.domain.events import Event, ItemSaved
from backstory.domain.events.conversation import MessageBody
from backstory.domain.log.references import references_of
from backstory.domain.records import Item, Window
from backstory.domain.state import ContextState
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW, microseconds

ESSENTIAL, TASK_SPECIFIC, HISTORICAL = 1, 2, 3
"""The load layers."""

_LOAD_LAYERS = {
    **dict.fromkeys(
        ("system_prompt", "decision", "goal", "task", "constraint", "action", "question"), ESSENTIAL
    ),
    "summary": HISTORICAL,
}


def artifacts(state: ContextState, sources: Sources) -> Iterator[dict[str, Any]]:
    """Every item in the main window; then the saved ones outside it, each artifact as it was saved last."""
    encoding = state.windows.get(MAIN_WINDOW, Window()).encoding
    listed: set[str] = set()
    for item in state.live(MAIN_WINDOW):
        row = _loaded(item, encoding, sources)
        known = sources.registered.get(row["id"])
        if known is not None:
            row |= _told_of(known)
        if row["id"] in state.invalidated:
            row["valid"] = False
        listed.add(row["id"])
        yield row
    newest = {_id_of(event.body, "item", event.version): event for event in sources.unloaded}
    for name, event in newest.items():
        if name not in listed and name not in sources.registered:
            yield _unloaded(event, encoding, sources)
    for name, known in sources.registered.items():
        if name not in listed:
            yield _registered(name, known, state)


def _told_of(known: Registered) -> dict[str, Any]:
    """What the project has registered of an artifact that is loaded."""
    note = known.note
    told = {"name": note.name, "path": note.path, "summary": known.summary, "clarity": note.clarity}
    return {field: value for field, value in told.items() if value is not None}


def _registered(name: str, known: Registered, state: ContextState) -> dict[str, Any]:
    note = known.note
    return {
        "type": note.type,
        "id": name,
        "name": note.name,
        "path": note.path,
        "load_layer": note.load_layer,
        "summary": known.summary,
        "clarity": note.clarity,
        "loaded": False,
        "size_kb": None if note.size is None else round(note.size / 1024, 2),
        "tokens": note.tokens,
        "load_time": None,
        "last_accessed": None,
        "access_count": None,
        "last_modified": None if note.modified is None else exported_time(note.modified),
        "available": note.digest is not None,
        **({"valid": False} if name in state.invalidated else {}),
    }


def _loaded(item: Item, encoding: str | None, sources: Sources) -> dict[str, Any]:
    held = [sources.events[version] for version in item.versions]
    return {
        **_described(item.type, held[0], sources),
        "loaded": True,
        "size_kb": _size_kb(held),
        "tokens": item.tokens_in(encoding),
        "load_time": exported_time(sources.loads.get(item.id, item.brought)),
        "last_accessed": exported_time(item.touched),
        "access_count": item.accesses,
        "last_modified": exported_time(microseconds(held[-1].occurred_at)),
        "available": _available(held, sources),
    }


def _unloaded(event: Event, encoding: str | None, sources: Sources) -> dict[str, Any]:
    item = event.effects.brings
    return {
        **_described(item.type if item else "item", event, sources),
        "loaded": False,
        "size_kb": _size_kb([event]),
        # The first count: a later one is in the read model of the current version, and this may be another.
        "tokens": item.recounts.get(encoding or DEFAULT_ENCODING, item.tokens) if item else None,
        "load_time": None,
        "last_accessed": None,
        "access_count": None,
        "last_modified": exported_time(microseconds(event.occurred_at)),
        "available": _available([event], sources),
    }


def _described(type_: str, event: Event, sources: Sources) -> dict[str, Any]:
    saved = event.body if isinstance(event.body, ItemSaved) else None
    summary = (event.version, saved.summary.part) if saved and saved.summary else None
    return {
        "type": type_,
        "id": _id_of(event.body, type_, event.version),
        "name": (saved and (saved.name or saved.artifact)) or f"{type_} {event.version}",
        "path": saved.path if saved else None,
        "load_layer": (saved and saved.load_layer) or _LOAD_LAYERS.get(type_, TASK_SPECIFIC),
        "summary": sources.texts.get(summary) if summary else None,
        "clarity": saved.clarity if saved else None,
    }


def _id_of(body: Any, type_: str, version: int) -> str:
    named = body.artifact if isinstance(body, ItemSaved) else None
    return named or exported_id(type_, version)


def _contents(event: Event) -> list[tuple[int, int]]:
    """Part and size of each content that an item's event holds. A saved item's summary is beside it."""
    body = event.body
    if isinstance(body, MessageBody | ItemSaved):
        return [(ref.content.part, ref.content.size) for ref in body.parts]
    return [(ref.part, ref.size) for ref in references_of(body.encode())]


def _size_kb(events: Sequence[Event]) -> float:
    return round(sum(size for event in events for _, size in _contents(event)) / 1024, 2)


def _available(events: Sequence[Event], sources: Sources) -> bool:
    return all((event.version, part) in sources.present for event in events for part, _ in _contents(event))
