"""Views of a session: documents and lists that are made from its state."""

from typing import Annotated, Any, Literal

from fastapi import Query

from backstory.domain.access import Action
from backstory.domain.messages.contents import Message
from backstory.domain.values import MAIN_WINDOW
from backstory.interfaces.documents.messages import NeutralMessageDocument, text_or_base64
from backstory.interfaces.documents.states import ValidationDocument
from backstory.interfaces.documents.views import (
    ConversationDocument,
    EntitiesDocument,
    EntityDocument,
    HistoryMessageDocument,
    HotContextDocument,
    ImportedLineDocument,
    RecentHistoryDocument,
    RestoreViewDocument,
    SummaryTextDocument,
)
from backstory.interfaces.http.requests import OpenSession
from backstory.interfaces.http.responses import NDJSON, LinesResponse, lines
from backstory.interfaces.http.routing import Routes

routes = Routes("views")

At = Annotated[int | None, Query(ge=1, description="The version; otherwise the newest.")]


@routes.get("/sessions/{session}/messages", Action.READ, whole=True)
def messages(
    session: OpenSession,
    format: Annotated[
        Literal["openai", "anthropic"] | None, Query(description="The provider whose form they have.")
    ] = None,
    window: Annotated[str, Query(description="The window.")] = MAIN_WINDOW,
    at: At = None,
    last: Annotated[
        int | None, Query(ge=1, description="At most this many of the newest messages and tool exchanges.")
    ] = None,
) -> ConversationDocument:
    """Read the live conversation of a window: a provider's own messages, or neutral ones."""
    found = session.messages(format=format, window=window, at=at, last=last)
    return ConversationDocument(
        messages=[
            NeutralMessageDocument.of(one).as_json() if isinstance(one, Message) else one for one in found
        ]
    )


@routes.get("/sessions/{session}/views/current-context", Action.READ)
def current_context(session: OpenSession, at: At = None) -> dict[str, Any]:
    """Show the state as a `current-context.json`: see docs/reference/context-document.md."""
    return session.views.current_context(at)


@routes.get("/sessions/{session}/views/validate", Action.READ)
def validate(
    session: OpenSession,
    at: At = None,
    since: Annotated[
        int | None, Query(ge=1, description="The earlier version whose decisions must be there.")
    ] = None,
) -> ValidationDocument:
    """Check the context document by its rules."""
    return ValidationDocument.of(session.views.validate(at, since=since))


@routes.get("/sessions/{session}/views/hot-context", Action.READ)
def hot_context(session: OpenSession) -> HotContextDocument:
    """Show the working state: goals, files, actions, decisions, constraints, pinned notes."""
    return HotContextDocument.model_validate(session.views.hot_context())


@routes.get("/sessions/{session}/views/recent-history", Action.READ)
def recent_history(
    session: OpenSession,
    limit: Annotated[int, Query(ge=1, le=1000, description="The most messages.")] = 20,
    max_tokens: Annotated[int, Query(ge=1, description="The most tokens of all of them.")] = 3000,
    min_importance: Annotated[
        float, Query(ge=0, le=1, description="Only messages of at least this importance.")
    ] = 0.5,
) -> RecentHistoryDocument:
    """Read the newest messages of the main window with their texts, oldest first."""
    found = session.views.recent_history(limit, max_tokens=max_tokens, min_importance=min_importance)
    return RecentHistoryDocument(messages=[HistoryMessageDocument.model_validate(one) for one in found])


@routes.get("/sessions/{session}/views/restore-view", Action.READ)
def restore_view(session: OpenSession) -> RestoreViewDocument:
    """Show what is needed to go on with a session."""
    return RestoreViewDocument.model_validate(session.views.restore_view())


@routes.get("/sessions/{session}/views/entities", Action.READ)
def entities(
    session: OpenSession,
    limit: Annotated[int, Query(ge=1, le=1000, description="The most entities.")] = 50,
    agent: Annotated[str | None, Query(description="Also from the private items of this agent.")] = None,
) -> EntitiesDocument:
    """List what live messages mention, the most recent and most frequent first."""
    found = session.views.entities(limit, agent=agent)
    return EntitiesDocument(entities=[EntityDocument.model_validate(one) for one in found])


@routes.get("/sessions/{session}/views/summary", Action.READ)
def session_summary(session: OpenSession) -> SummaryTextDocument:
    """Read the newest session summary."""
    return SummaryTextDocument(text=session.views.summary())


@routes.get("/sessions/{session}/views/imported-lines", Action.READ, whole=True, **NDJSON)
def imported_lines(session: OpenSession) -> LinesResponse:
    """Stream the lines of transcripts that were imported, a JSON object for each."""

    def documents() -> Any:
        for line in session.views.imported_lines():
            text, data = (None, None) if line.data is None else text_or_base64(line.data)
            yield ImportedLineDocument(**line._asdict() | {"data": data}, text=text)

    return lines(documents())
