"""Sources of the context document besides the state: events, and the texts that they name."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from backstory.domain.events import (
    ClearUndone,
    CompactionUndone,
    DecisionConfirmed,
    DecisionRecorded,
    Event,
    ItemSaved,
    ItemsReturned,
)
from backstory.domain.records import ArtifactNote, Place
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, from_microseconds, microseconds

RETURNS = (ItemsReturned.type, ClearUndone.type, CompactionUndone.type)
"""The events that bring items back."""

_PREFIXES = {"decision": "DEC", "action": "ACT", "question": "Q"}


class Registered(NamedTuple):
    """An artifact of the session's project, with the text of its summary."""

    note: ArtifactNote
    summary: str | None


class Sources(NamedTuple):
    """Everything that has to be read, so that the document can be built without reading."""

    events: Mapping[int, Event]
    """By version, the events at `event_versions`."""
    loads: Mapping[int, int]
    """By item, the time at which it last came back into the main window, in microseconds since 1970."""
    unloaded: Sequence[Event]
    """The branch's saved items that are not in the main window, oldest first."""
    texts: Mapping[Place, str]
    """The texts at `text_places` that are still there."""
    present: Collection[Place]
    """The contents of all these events that are still there."""
    registered: Mapping[str, Registered] = MappingProxyType({})
    """The artifacts of the session's project, by id."""


def event_versions(state: ContextState) -> list[int]:
    """The events that hold what live items and decisions say, and the newest compaction."""
    live = [version for item in state.live(MAIN_WINDOW) for version in item.versions]
    return sorted({*live, *(decision.id for decision in state.decisions), *state.compactions[-1:]})


def load_times(returns: Iterable[Event]) -> dict[int, int]:
    """By item, the time at which these events last brought it back into the main window. They come oldest first."""
    return {
        item: microseconds(event.occurred_at)
        for event in returns
        for returned in event.effects.returns
        if returned.window == MAIN_WINDOW
        for item in returned.items
    }


def text_places(state: ContextState, events: Collection[Event]) -> list[Place]:
    """The places of all texts in the document."""
    actions, questions = state.actions.values(), state.questions.values()
    places = [action.text for action in actions] + [question.text for question in questions]
    places += [action.blocked_by for action in actions if action.blocked_by]
    places += [question.context for question in questions if question.context]
    for event in events:
        body = event.body
        if isinstance(body, DecisionRecorded):
            refs = [body.text, body.rationale, *body.alternatives_rejected, *body.impact]
            places += [(event.version, ref.part) for ref in refs if ref is not None]
        elif isinstance(body, DecisionConfirmed):
            places += [(event.version, ref.part) for ref in (body.text, body.rationale) if ref is not None]
        elif isinstance(body, ItemSaved) and body.summary is not None:
            places.append((event.version, body.summary.part))
    return places


def exported_id(type_: str, version: int) -> str:
    """The id of an item in the document: DEC-7, ACT-8, Q-9, and ITEM-10 for every other type."""
    return f"{_PREFIXES.get(type_, 'ITEM')}-{version}"


def exported_time(microseconds: int) -> str:
    return from_microseconds(microseconds).isoformat().replace("+00:00", "Z")
