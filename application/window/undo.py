"""Items that compactions and clears took out: shown, and brought back."""

from collections.abc import Sequence
from functools import partial

from backstory.application.contents.reader import ContentReader
from backstory.application.contents.returning import returning_items
from backstory.application.handle import SessionHandle, SessionPart
from backstory.application.window.results import ExpandedItem
from backstory.application.writing.access import record_access
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import clears, compaction
from backstory.domain.effects import Effects
from backstory.domain.errors import Refused, UnknownItem
from backstory.domain.events import ItemsCompacted
from backstory.domain.log.guards import Decided
from backstory.domain.log.ranges import from_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, version_number


class Expander(SessionPart):
    """Gives and brings back the items that compactions took out."""

    def expand(self, summary: int, *, record: bool = True) -> tuple[ExpandedItem, ...]:
        """Returns the items that a compaction's summary stands for, oldest first, and counts an access to each unless
        `record` is off. Earlier summaries among them are expanded too. An agent (`by`) does not get other agents'
        private items."""
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
            if record:
                record_access(self._handle, [summary, *(item.id for item in found)], "expanded")
            return tuple(
                ExpandedItem(item.id, item.type, item.role, tuple(messages.get(item.id, ())))
                for item in found
            )
        return ()

    def undo_compaction(self, version: int | None = None, *, why: str | None = None) -> int:
        """Brings back exactly the items that a compaction or a prune took out, and removes its summary. By default the
        newest that was not undone; called again, the one before it."""
        if version is not None:
            version_number("version", version)
        bundle = self._handle.bundle()

        def undo_compaction(state: ContextState, version: int | None, why: ContentRef | None) -> Decided:
            return self._undone(state, version, why)

        reason = bundle.optional("why", why)
        return self._handle.command(bundle, partial(undo_compaction, version=version, why=reason))

    # Steps

    def _originals(self, summary: int) -> list[int]:
        """The items behind a summary, including those behind earlier summaries."""
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
        """Items of the branch, live or not, with the versions that hold their contents."""
        items = [item for item in items if item not in state.quarantined]
        known = [state.items[item] for item in items if item in state.items]
        missing = [item for item in items if item not in state.items]
        return sorted([*known, *(returning_items(self._handle, state, missing).rows if missing else [])])

    def _undone(self, state: ContextState, version: int | None, why: ContentRef | None) -> Decided:
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
            brought_in=found.brought_in,
            why=why,
        )


def undo_clear(handle: SessionHandle) -> int:
    """Brings back the items that the newest clear took out and that are not in the window already."""

    def undo(state: ContextState) -> Decided:
        if not state.clears:
            raise Refused("there is no clear to take back.")
        clear = state.clears[-1]
        branch = handle.runtime.reader.lineage(handle.id, state.version)
        effects: Effects = ContentReader(handle.runtime, branch).events([clear])[clear].effects
        taken = [item for removal in effects.removes for item in removal.items]
        wanted = [item for item in taken if not is_in(state, item, MAIN_WINDOW)]
        found = returning_items(handle, state, wanted, left_at=clear)
        return clears.undo_clear(state, clear=clear, rows=found.rows, brought_in=found.brought_in)

    return handle.command(ContentBundle(), partial(undo))


def is_in(state: ContextState, item: int, window: str) -> bool:
    """Whether an item is live in a window."""
    return item in state.items and window in state.items[item].windows
