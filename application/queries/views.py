"""Views of a session: documents and lists that are made from its state."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from backstory.application.artifacts.registry import registered
from backstory.application.branches.tree import Branch, read_branches
from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.context.listing import CallReader, CallRecord, PromptRecord
from backstory.application.context.mentions import entities_in
from backstory.application.handle import SessionPart
from backstory.application.queries.current_context import as_seen, current_context
from backstory.application.queries.hot_context import hot_context
from backstory.application.queries.recent_history import HistoryMessage, recent_history
from backstory.application.queries.restore_view import MESSAGES_RESTORED, RestoreView, restore_view
from backstory.application.queries.session_list import read_session
from backstory.application.queries.source_lines import SourceLine, source_lines
from backstory.application.writing.access import record_read
from backstory.domain.context.history import is_visible
from backstory.domain.context_document.rules import check_context, check_decisions_preserved
from backstory.domain.entities.entities import Entity, by_kind
from backstory.domain.errors import InvalidInput
from backstory.domain.records import CONVERSATION_TYPES
from backstory.domain.safety.quarantine import without_quarantined
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, whole_number
from backstory.infrastructure.postgres.standby import reads_only


class SessionViews(SessionPart):
    """Views of a session: `session.views`."""

    @reads_only
    def current_context(self, at: int | None = None) -> dict[str, Any]:
        """The state as the `current-context.json` of the ForgeMind document, every section of it. An agent
        (`by`) does not see other agents' private items, nor their tokens."""
        return self._document(None if at is None else whole_number("version", at))

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
            hidden = self._runtime.reader.state(self._id, at).quarantined
            check_decisions_preserved(self._document(since, hidden), document)
        return document

    @reads_only
    def hot_context(self) -> dict[str, Any]:
        """The working state with its texts, in the form of the short-term memory document: goals, files in focus, open
        actions and questions, decisions, constraints, pinned notes, key entities. An agent (`by`) does not see other
        agents' private items."""
        state, contents = self._seen()
        entities = by_kind(self.entities(agent=self._handle.actor))
        return {**hot_context(state, contents), "key_entities": entities}

    @reads_only
    def recent_history(
        self, limit: int = 20, *, max_tokens: int = 3000, min_importance: float = 0.5
    ) -> tuple[HistoryMessage, ...]:
        """The newest messages and tool exchanges of the main window with their texts, oldest first: of those at least
        this important, the longest run of at most `limit` messages and `max_tokens` tokens."""
        whole_number("limit", limit, minimum=1)
        whole_number("max_tokens", max_tokens, minimum=1)
        if not isinstance(min_importance, int | float) or not 0 <= min_importance <= 1:
            raise InvalidInput("min_importance", f"must be a number from 0 to 1, got {min_importance!r}")
        state, contents = self._seen()
        found = recent_history(
            state,
            contents,
            limit=limit,
            max_tokens=max_tokens,
            min_importance=min_importance,
            agent=self._handle.actor,
        )
        record_read(self._handle, [message.item for message in found])
        return found

    @reads_only
    def restore_view(self) -> RestoreView:
        """What somebody needs to go on with the session: its goals, its last ten messages, its hot context, its next
        steps."""
        state, contents = self._seen()
        recent = recent_history(state, contents, limit=MESSAGES_RESTORED, agent=self._handle.actor)
        record_read(self._handle, [message.item for message in recent])
        return restore_view(
            read_session(self._runtime, self._id), state, contents, recent=recent, hot=self.hot_context()
        )

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
        """The newest session summary; None when there is none, or when it was erased or quarantined."""
        state = without_quarantined(self._runtime.reader.state(self._id))
        if state.summary is None:
            return None
        reader = ContentReader.on_branch(self._runtime, self._id, state.version)
        return reader.texts([(state.summary.item, 0)]).get((state.summary.item, 0))

    def imported_lines(self) -> Iterator[SourceLine]:
        """The lines of transcripts that were imported to this session, byte for byte and in their order, file by
        file. Of a line that has changed in the file since, the newest."""
        return source_lines(self._runtime, self._id, self._runtime.require_head(self._id).version)

    @reads_only
    def branches(self) -> list[Branch]:
        """The runs of the log between backtracks, oldest first, those inherited by a fork included."""
        return read_branches(self._runtime, self._id)

    @reads_only
    def model_calls(self, *, before: int | None = None, limit: int = 50) -> list[CallRecord]:
        """The calls of models, abandoned branches included, the newest first: those before a version, at most
        `limit`."""
        return CallReader(self._runtime, self._id).calls(before, limit)

    @reads_only
    def prompts(self, *, before: int | None = None, limit: int = 50) -> list[PromptRecord]:
        """The recorded contexts with their manifests, abandoned branches included, the newest first: those before a
        version, at most `limit`. `session.reproduce` gives the bytes of one."""
        return CallReader(self._runtime, self._id).prompts(before, limit)

    def _document(
        self, at: int | None, hidden: Mapping[int, list[str]] = MappingProxyType({})
    ) -> dict[str, Any]:
        state, contents = self._seen(at, hidden)
        known = registered(self._runtime, state, then=at is not None)
        return current_context(state, contents, may_see=self._may_see, registered=known)

    def _seen(
        self, at: int | None = None, hidden: Mapping[int, list[str]] = MappingProxyType({})
    ) -> tuple[ContextState, ContentReader]:
        """The state at a version, or the newest, as the actor sees it and without what is in quarantine or `hidden`,
        and the reader of its contents."""
        state = self._runtime.reader.state(self._id, at)
        state.quarantined |= hidden
        state = without_quarantined(state)
        contents = ContentReader.on_branch(self._runtime, self._id, state.version)
        actor = self._handle.actor
        return (state if actor is None else as_seen(state, self._may_see)), contents

    def _may_see(self, private: bool, owner: str | None) -> bool:
        actor = self._handle.actor
        return actor is None or not private or owner == actor
