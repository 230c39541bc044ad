"""Tools for the context of a model call, and for where a session stands."""

from typing import Annotated

from pydantic import Field

from backstory.domain.access import Action
from backstory.interfaces.documents.contexts import ContextOutlineDocument
from backstory.interfaces.documents.sessions import SessionDocument, StandingDocument
from backstory.interfaces.documents.views import RestoreViewDocument
from backstory.interfaces.mcp.door import Asked, Door
from backstory.interfaces.mcp.tools.parameters import SessionName

Budget = Annotated[int, Field(ge=1, description="Tokens for the context and the response together.")]
For = Annotated[str | None, Field(description="What it is about: older items and memories are found by it.")]
SMALL = 8_000


class ContextTools:
    """Tools that make and explain contexts."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def get_context(
        self, asked: Asked, budget: Budget = SMALL, query: For = None, session: SessionName = None
    ) -> str:
        """Get the session's context within a budget of tokens, as markdown: rules, decisions, summary, memories, what
        the query finds, and the newest messages."""
        record = self._door.may(asked, Action.APPEND)
        opened = self._door.open_session(asked, session)
        return opened.context(budget, query=query, format="markdown", record=record).data.decode()

    def explain_context(
        self, asked: Asked, budget: Budget = SMALL, query: For = None, session: SessionName = None
    ) -> ContextOutlineDocument:
        """Explain what a context of this budget holds, section by section, and how many items it leaves out and
        why."""
        opened = self._door.open_session(asked, session)
        made = opened.context(budget, query=query, format="markdown", record=False)
        return ContextOutlineDocument.outline(opened.id, made)

    def session_status(self, asked: Asked, session: SessionName = None) -> StandingDocument:
        """Show where a session stands: its goals, next steps, open questions, decisions, files in focus, last messages,
        and how full its window is."""
        opened = self._door.open_session(asked, session)
        summary = self._door.open(asked).summary(opened.id)
        return StandingDocument(
            session=SessionDocument.in_short(summary),
            view=RestoreViewDocument.model_validate(opened.views.restore_view()),
        )
