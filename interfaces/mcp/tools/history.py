"""Tools for what was said and done, whether it still stands in a window or not."""

from typing import Annotated

from pydantic import Field

from backstory.domain.access import Action
from backstory.interfaces.documents.search import SearchPageDocument
from backstory.interfaces.documents.sessions import ListedSessionDocument, SessionsDocument
from backstory.interfaces.documents.window import DroppedDocument
from backstory.interfaces.mcp.door import Asked, Door
from backstory.interfaces.mcp.texts import cut, expanded_text
from backstory.interfaces.mcp.tools.parameters import After, Limit, ProjectName, Query, SessionName

Item = Annotated[int, Field(ge=1, description="The id of a summary, a stub or any other item.")]
From = Annotated[int, Field(ge=0, description="The character to begin at, for a text that was cut.")]
Compaction = Annotated[
    int | None, Field(ge=1, description="The version of a compaction; by default the newest.")
]


class HistoryTools:
    """Tools that read sessions."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def search_history(
        self,
        asked: Asked,
        query: Query,
        session: Annotated[str | None, Field(description="Only this session; by default all.")] = None,
        project: Annotated[str | None, Field(description="Only sessions of this project.")] = None,
        abandoned: Annotated[bool, Field(description="Also branches left by a backtrack.")] = False,
        limit: Limit = 10,
        after: After = None,
    ) -> SearchPageDocument:
        """Search everything that was recorded, best first: also what a compaction dropped from your context. Results
        name the session and the item; `expand` shows an item whole."""
        record = self._door.may(asked, Action.APPEND)
        if session is not None:
            opened = self._door.open_session(asked, session)
            page = opened.search(query, abandoned=abandoned, limit=limit, after=after, record=record)
        else:
            page = self._door.open(asked).search(
                query,
                project=project or self._door.project,
                agent=self._door.agent_of(asked),
                abandoned=abandoned,
                limit=limit,
                after=after,
                record=record,
            )
        return SearchPageDocument.model_validate(page)

    def what_was_dropped(
        self, asked: Asked, session: SessionName = None, compaction: Compaction = None, limit: Limit = 20
    ) -> DroppedDocument:
        """List what the last compaction took out of the context, most needed first: the user's own words, pending
        calls, failures, decisions, files and commands."""
        opened = self._door.open_session(asked, session)
        return DroppedDocument.model_validate(opened.window.dropped(compaction, limit=limit))

    def uncompact(
        self,
        asked: Asked,
        session: SessionName = None,
        compaction: Compaction = None,
        limit: Annotated[int, Field(ge=400, le=6_000, description="The most characters.")] = 2_000,
    ) -> str:
        """Tell in few words what the last compaction lost: facts that its summary does not tell, with the ids of their
        items. Empty where it tells all that is needed."""
        return self._door.open_session(asked, session).window.uncompact(compaction, limit=limit).text

    def expand(self, asked: Asked, item: Item, session: SessionName = None, start: From = 0) -> str:
        """Show an item whole: of a summary the items that it replaced, of a stub the tool's full result."""
        # Reading on in a text is no further access.
        record = start == 0 and self._door.may(asked, Action.APPEND)
        return cut(expanded_text(self._door.open_session(asked, session), item, record=record), start)

    def recent_activity(
        self, asked: Asked, project: ProjectName = None, limit: Limit = 10, after: After = None
    ) -> SessionsDocument:
        """List sessions, the most recently active first."""
        found = self._door.open(asked).sessions(
            project=project or self._door.project, limit=limit, after=after
        )
        return SessionsDocument(
            sessions=[
                ListedSessionDocument.of(one, after is None and place == 0) for place, one in enumerate(found)
            ],
            next=found[-1].place if len(found) == limit else None,
        )
