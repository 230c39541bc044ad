"""Views of a session: documents and lists that are made from its state."""

from collections.abc import Iterator
from typing import Any

from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.context.mentions import entities_in
from backstory.application.handle import SessionPart
from backstory.application.queries.current_context import as_seen, current_context
from backstory.application.queries.source_lines import SourceLine, source_lines
from backstory.domain.context.history import is_visible
from backstory.domain.context_document.rules import check_context, check_decisions_preserved
from backstory.domain.entities.entities import Entity
from backstory.domain.records import CONVERSATION_TYPES
from backstory.domain.values import MAIN_WINDOW, whole_number
from backstory.infrastructure.postgres.standby import reads_only


class SessionViews(SessionPart):
    """Views of a session: `session.views`."""

    @reads_only
    def current_context(self, at: int | None = None) -> dict[str, Any]:
        """The state as the `current-context.json` of the ForgeMind document, every section of it. An agent
        (`by`) does not see other agents' private items, nor their tokens."""
        state = self._runtime.reader.state(self._id, None if at is None else whole_number("version", at))
        contents = ContentReader.on_branch(self._runtime, self._id, state.version)
        if (actor := self._handle.actor) is None:
            return current_context(state, contents)

        def may_see(private: bool, owner: str | None) -> bool:
            return not private or owner == actor

        return current_context(as_seen(state, may_see), contents, may_see=may_see)

    @reads_only
    def validate(self, at: int | None = None, *, since: int | None = None) -> dict[str, Any]:
        """The document of `current_context`, checked by its rules: no required field is missing, the tokens are the sum
        of all live items, the layer has its own name. No decision was lost since an earlier version, by default the one
        before the newest compaction. Raises ContextInvalid with the field and the rule."""
        document = self.current_context(at)
        check_context(document)
        if since is None:
            state = self._runtime.reader.state(self._id, at)
            since = state.compactions[-1] - 1 if state.compactions else None
        if since is not None:
            check_decisions_preserved(self.current_context(since), document)
        return document

    def entities(self, limit: int = 50, *, agent: str | None = None) -> tuple[Entity, ...]:
        """The entities that live messages mention, most recent and most frequent first, with those messages."""
        whole_number("limit", limit, minimum=1)
        with self._runtime.reader.borrow(self._id) as state:
            messages = [
                item.id
                for item in state.items.values()
                if item.type in CONVERSATION_TYPES and is_visible(item, MAIN_WINDOW, agent)
            ]
            return entities_in(ItemReader.of_newest(self._runtime, self._id, state), messages, limit)

    def summary(self) -> str | None:
        """The newest session summary; None when there is none, or when it was erased."""
        state = self._runtime.reader.state(self._id)
        if state.summary is None:
            return None
        reader = ContentReader.on_branch(self._runtime, self._id, state.version)
        return reader.texts([(state.summary.item, 0)]).get((state.summary.item, 0))

    def imported_lines(self) -> Iterator[SourceLine]:
        """The lines of transcripts that were imported to this session, byte for byte and in their order, file by
        file. Of a line that has changed in the file since, the newest."""
        return source_lines(self._runtime, self._id, self._runtime.require_head(self._id).version)
