"""A session as written to files: without the private items of others."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from backstory.application.artifacts.registry import registered
from backstory.application.contents.reader import ContentReader
from backstory.application.queries.current_context import as_seen, current_context
from backstory.application.queries.hot_context import hot_context
from backstory.application.queries.recent_history import HistoryMessage, recent_history
from backstory.application.queries.session_list import SessionSummary
from backstory.application.session import Session
from backstory.domain.context_document.rules import check_context
from backstory.domain.entities.entities import by_kind
from backstory.domain.safety.quarantine import without_quarantined
from backstory.domain.state import ContextState


@dataclass(frozen=True)
class View:
    """One session as an agent may see it, or without an agent. Everything is read at one version."""

    session: Session
    listed: SessionSummary
    agent: str | None

    @cached_property
    def state(self) -> ContextState:
        return as_seen(without_quarantined(self.session.state), self.may_see)

    @cached_property
    def contents(self) -> ContentReader:
        return ContentReader.on_branch(self.session._runtime, self.session.id, self.state.version)

    @property
    def inherits(self) -> bool:
        """Whether some of its history is another session's."""
        lineage = self.session._runtime.reader.lineage(self.session.id, self.state.version)
        return any(piece.stream != self.session.id for piece in lineage)

    @property
    def id(self) -> str:
        return str(self.session.id)

    @property
    def title(self) -> str:
        return self.listed.title or f"session {self.session.id.hex[-12:]}"

    def may_see(self, private: bool, owner: str | None) -> bool:
        return not private or (self.agent is not None and owner == self.agent)

    @cached_property
    def hot(self) -> dict[str, Any]:
        entities = by_kind(self.session.views.entities(agent=self.agent))
        return {**hot_context(self.state, self.contents), "key_entities": entities}

    def current_context(self) -> dict[str, Any]:
        """The context document, checked by its rules."""
        known = registered(self.session._runtime, self.state)
        document = current_context(self.state, self.contents, may_see=self.may_see, registered=known)
        check_context(document)
        return document

    def recent(self, most: int) -> tuple[HistoryMessage, ...]:
        return recent_history(self.state, self.contents, limit=most, agent=self.agent)

    @cached_property
    def summary(self) -> str | None:
        return self.session.views.summary()
