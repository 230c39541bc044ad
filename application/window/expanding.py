"""What a compaction took out: given again, or brought back."""

from collections.abc import Sequence
from functools import partial

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionPart
from backstory.application.items.returning import returning_items
from backstory.application.window.clearing import is_in
from backstory.application.window.results import ExpandedItem
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import compaction, facts
from backstory.domain.errors import Refused, UnknownItem
from backstory.domain.events import ItemsCompacted
from backstory.domain.log.guards import Decided
from backstory.domain.log.ranges import from_ranges
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import version_number


class Expander(SessionPart):
    """Gives and brings back the items that compactions took out."""

    def expand(self, summary: int) -> tuple[ExpandedItem, ...]:
        """The items that a compaction's summary stands for, oldest first, and an access of each. Of a summary that
        stands for earlier summaries, the items behind those. Whoever speaks here as an agent does not get what is
        private to another."""
        originals = self._originals(version_number("summary", summary))
        actor = self._handle.actor
        found = [
            item
            for item in self._rows(originals, self._runtime.reader.state(self._id))
            if actor is None or not item.private or item.agent == actor
        ]
        if found:
            said = ContentReader.on_branch(
                self._runtime, self._id, self._runtime.require_head(self._id).version
            )
            messages = said.messages(found)
            self._handle.write(
                ContentBundle(), facts.touch_items([summary, *(item.id for item in found)], "expanded")
            )
            return tuple(
                ExpandedItem(item.id, item.type, item.role, tuple(messages.get(item.id, ())))
                for item in found
            )
        return ()

    def undo_compaction(self, version: int | None = None) -> int:
        """Brings back exactly what a compaction or a prune took out, and takes its summary out: the newest that still
        stands, or the one of this version. Called again, the one before it."""
        if version is not None:
            version_number("version", version)

        def undo_compaction(state: ContextState, version: int | None) -> Decided:
            return self._undone(state, version)

        return self._handle.command(ContentBundle(), partial(undo_compaction, version=version))

    # Steps

    def _originals(self, summary: int) -> list[int]:
        """The items behind a summary, those behind earlier summaries among them included."""
        head = self._runtime.require_head(self._id).version
        if summary > head:
            raise UnknownItem(f"item {summary} does not exist: the session is at version {head}.")
        reader = ContentReader(self._runtime, self._runtime.reader.log_of(self._id, head))
        found: list[int] = []
        waiting, seen = [summary], {summary}
        while waiting:
            events = reader.events(waiting)
            bodies = {v: event.body for v, event in events.items() if isinstance(event.body, ItemsCompacted)}
            if summary in events and summary not in bodies and not found:
                raise UnknownItem(f"version {summary} is no compaction.")
            found += [version for version in waiting if version not in bodies]
            inner = [item for body in bodies.values() for item in from_ranges(body.summarized)]
            inner += [item for body in bodies.values() for item in from_ranges(body.dropped)]
            waiting = [item for item in inner if item not in seen]
            seen.update(waiting)
        return sorted(found)

    def _rows(self, items: Sequence[int], state: ContextState) -> list[Item]:
        """Items of the branch, live or not, with the versions that hold what they say."""
        known = [state.items[item] for item in items if item in state.items]
        missing = [item for item in items if item not in state.items]
        return sorted([*known, *(returning_items(self._handle, state, missing).rows if missing else [])])

    def _undone(self, state: ContextState, version: int | None) -> Decided:
        if version is None:
            if not state.compactions:
                raise Refused("there is no compaction to take back.")
            version = state.compactions[-1]
        branch = self._runtime.reader.lineage(self._id, state.version)
        if not branch.contains(version):
            raise UnknownItem(f"version {version} is not on this branch.")
        event = ContentReader(self._runtime, branch).events([version])[version]
        if not isinstance(event.body, ItemsCompacted):
            raise UnknownItem(f"version {version} is no compaction.")
        window = event.body.window
        taken = [item for removal in event.effects.removes for item in removal.items]
        wanted = [item for item in taken if not is_in(state, item, window)]
        found = returning_items(self._handle, state, wanted, left_at=version)
        return compaction.undo_compaction(
            state,
            compaction=version,
            window=window,
            summary=version if event.body.summary is not None else None,
            rows=found.rows,
            origins=found.origins,
        )
