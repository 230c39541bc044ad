"""What a compaction took out: given again, or brought back."""

from collections.abc import Sequence
from functools import partial

from backstory.application.contents.reader import ContentReader
from backstory.application.queries.read_models import read_items
from backstory.application.window.results import ExpandedItem
from backstory.application.writing.base import WriterBase
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import compaction, facts
from backstory.domain.errors import Refused, UnknownItem
from backstory.domain.events import ItemsCompacted
from backstory.domain.log.guards import Decided
from backstory.domain.log.ranges import from_ranges
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import version_number


class Expanding(WriterBase):
    """The side of a session that brings back what compactions took out."""

    def expand(self, summary: int) -> tuple[ExpandedItem, ...]:
        """The items that a compaction's summary stands for, oldest first, and an access of each. Of a summary that
        stands for earlier summaries, the items behind those. Whoever speaks here as an agent does not get what is
        private to another."""
        originals = self._originals(version_number("summary", summary))
        actor = self._provenance.actor
        found = [
            item
            for item in self._rows(originals, self._runtime.reader.state(self.id))
            if actor is None or not item.private or item.agent == actor
        ]
        if found:
            said = ContentReader.on_branch(
                self._runtime, self.id, self._runtime.require_head(self.id).version
            )
            messages = said.messages(found)
            self._write(
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

        return self._command(ContentBundle(), partial(undo_compaction, version=version))

    # Steps

    def _originals(self, summary: int) -> list[int]:
        """The items behind a summary, those behind earlier summaries among them included."""
        head = self._runtime.require_head(self.id).version
        if summary > head:
            raise UnknownItem(f"item {summary} does not exist: the session is at version {head}.")
        reader = ContentReader(self._runtime, self._runtime.reader.log_of(self.id, head))
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
        reader = ContentReader.on_branch(self._runtime, self.id, state.version)
        known = [state.items[item] for item in items if item in state.items]
        missing = [item for item in items if item not in state.items]
        rows = (
            [reader.completed(row) for row in read_items(self._runtime, self.id, missing)] if missing else []
        )
        absent = set(missing) - {row.id for row in rows}
        if absent:
            branch = self._runtime.reader.lineage(self.id, state.version)
            rows += self._runtime.reader.inherited_items(self.id, branch, absent)
        return sorted([*known, *rows])

    def _undone(self, state: ContextState, version: int | None) -> Decided:
        if version is None:
            if not state.compactions:
                raise Refused("there is no compaction to take back.")
            version = state.compactions[-1]
        branch = self._runtime.reader.lineage(self.id, state.version)
        if not branch.contains(version):
            raise UnknownItem(f"version {version} is not on this branch.")
        event = ContentReader(self._runtime, branch).events([version])[version]
        if not isinstance(event.body, ItemsCompacted):
            raise UnknownItem(f"version {version} is no compaction.")
        window = event.body.window
        taken = [item for removal in event.effects.removes for item in removal.items]
        wanted = [
            item for item in taken if item not in state.items or window not in state.items[item].windows
        ]
        # Versions and roles, which the read model does not keep, are those before it, unless an event of somebody's own
        # has changed an item since.
        before = self._runtime.reader.state(self.id, version - 1).items
        reader = ContentReader(self._runtime, branch)
        rows = [
            row._replace(versions=before[row.id].versions, role=before[row.id].role)
            if row.changed == version and row.id in before
            else reader.completed(row)
            for row in read_items(self._runtime, self.id, wanted)
        ]
        missing = set(wanted) - {row.id for row in rows}
        if missing:
            rows += self._runtime.reader.inherited_items(self.id, branch, missing)
        origins = {item: owner for item in missing if (owner := branch.owner(item)) != self.id}
        return compaction.undo_compaction(
            state,
            compaction=version,
            window=window,
            summary=version if event.body.summary is not None else None,
            rows=sorted(rows),
            origins=origins,
        )
