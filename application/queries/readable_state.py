"""A state together with its texts."""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property

from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import Bytes
from backstory.application.queries.event_contents import NamedContent, contents_of
from backstory.domain.events import Event
from backstory.domain.records import Item, Place
from backstory.domain.state import ContextState


class ReadableState:
    """A state with the texts of its items, goals, questions, decisions and the like. They are read on first use."""

    def __init__(
        self,
        state: ContextState,
        reader: Callable[[], ContentReader],
        items: Collection[int] | None = None,
    ) -> None:
        self.state = state
        self._reader = reader
        self._items = items

    @cached_property
    def _named(self) -> tuple[dict[int, Event], Bytes]:
        state = self.state
        wanted = [item for item in state.items.values() if self._items is None or item.id in self._items]
        versions = {version for item in wanted for version in item.versions}
        versions.update(place[0] for place in _places(state))
        versions.update(decision.id for decision in state.decisions)
        versions.update(candidate.id for candidate in state.candidates)
        reader = self._reader()
        return reader.events_and_bytes(versions)

    @property
    def title(self) -> str | None:
        return self.text(self.state.title)

    def text(self, place: Place | None) -> str | None:
        """The text at a place of the state. None if there is none or it was erased."""
        data = None if place is None else self._named[1].get(place)
        return None if data is None else data.decode(errors="replace")

    def said_by(self, item: Item) -> tuple[NamedContent, ...]:
        """The contents of an item, all its events together."""
        return tuple(content for version in item.versions for content in self.said_at(version))

    def said_at(self, version: int) -> tuple[NamedContent, ...]:
        """The contents of one event, such as a decision."""
        events, held = self._named
        return contents_of(events[version], held) if version in events else ()


def _places(state: ContextState) -> Iterable[Place]:
    """Every text place in a state."""
    if state.title is not None:
        yield state.title
    yield from (goal.text for goal in state.goals.values())
    yield from state.constraints.values()
    for action in state.actions.values():
        yield from (place for place in (action.text, action.blocked_by) if place is not None)
    for question in state.questions.values():
        yield from (place for place in (question.text, question.context) if place is not None)
    for task in state.tasks.values():
        yield from (task.text, *task.acceptance_criteria)
