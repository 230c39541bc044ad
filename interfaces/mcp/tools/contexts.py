"""Tools for the context of a model call, and for where a session stands."""

from typing import Annotated

from pydantic import Field

from backstory.domain.access import Action
from backstory.interfaces.documents.contexts import ContextOutlineDocument
from backstory.interfaces.documents.sessions import SessionDocument, StandingDocument
from backstory.interfaces.documents.views import RestoreViewDocument
from backstory.interfaces.mcp.door import Asked, Door
from backstory.interfaces.mcp.tools.parameters import ProjectName, SessionName

Budget = Annotated[int, Field(ge=1, description="Tokens for the context and the response together.")]
For = Annotated[str | None, Field(description="What it is about: older items and memories are found by it.")]
SMALL = 8_000
TASK = 40_000
"""Tokens of a task's context and the response, of which 24,000 are for what is always there."""


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

    def task_context(
        self,
        asked: Asked,
        task: Annotated[str, Field(description="The task's id.")],
        title: Annotated[str, Field(description="What is to be done, in a few words.")],
        path: Annotated[str, Field(description="The folder with the project's files.")],
        description: Annotated[str, Field(description="What is to be done.")] = "",
        files: Annotated[list[str] | None, Field(description="The files that it is about.")] = None,
        query: Annotated[str | None, Field(description="Words of the code that it is about.")] = None,
        budget: Annotated[int, Field(ge=1, description="Tokens for it and the response.")] = TASK,
        project: ProjectName = None,
    ) -> str:
        """Begin a task with a fresh context, as markdown: a map of the code, the task's files and those that belong to
        them, related code, memories. Files are read below the folders that the operator allows. It is recorded in a
        session of the task's own."""
        opened = self._door.open_project(asked, project, Action.APPEND)
        spec = {"id": task, "name": title, "description": description, "files": tuple(files or ())}
        options = {"max_tokens": budget, "code_search_query": query, "format": "markdown"}
        tasks = self._door.open(asked, Action.APPEND).tasks(opened.name)
        return tasks.build(spec, path, options, agent=self._door.agent_of(asked)).data.decode()

    def session_status(self, asked: Asked, session: SessionName = None) -> StandingDocument:
        """Show where a session stands: its goals, next steps, open questions, decisions, files in focus, last messages,
        and how full its window is."""
        opened = self._door.open_session(asked, session)
        summary = self._door.open(asked).summary(opened.id)
        return StandingDocument(
            session=SessionDocument.in_short(summary),
            view=RestoreViewDocument.model_validate(opened.views.restore_view()),
        )
