"""Views of a session: its hot context, its recent history, and what is needed to go on with it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.messages import PartDocument


class OpenGoalDocument(Document):
    """An open goal."""

    id: int = Field(description="Its id.")
    text: str = Field(description="Its text.")
    status: str = Field(description="Its status.")
    priority: str = Field(description="Its priority.")


class HistoryMessageDocument(Document):
    """A message or tool exchange with its text."""

    item: int = Field(description="Its id.")
    at: datetime = Field(description="The time at which it was added.")
    agent: str | None = Field(description="Its agent, or null.")
    role: str | None = Field(description="user, agent or system; null for tool exchanges.")
    text: str | None = Field(description="Its text; null if it was erased.")
    importance: float = Field(description="Its importance, 0 to 1.")
    tokens: int = Field(description="The tokens of the whole text.")
    metadata: dict[str, Any] = Field(description="The caller's own fields.")


class HotGoalDocument(Document):
    """An open goal in the hot context."""

    goal_id: str = Field(description="Its id.")
    goal: str | None = Field(description="Its text; null if it was erased.")
    status: str = Field(description="Its status.")
    priority: str = Field(description="high, medium or low.")
    created: datetime = Field(description="The time at which it was set.")
    parent_goal_id: str | None = Field(description="The goal above it, or null.")
    agent: str | None = Field(description="Who set it, or null.")


class FileContextDocument(Document):
    """The files that the work is about."""

    files: list[str] = Field(description="The files in focus, the newest first.")
    last_edited: str | None = Field(description="The file that was edited last, or null.")
    current_function: str | None = Field(description="The function that is worked on, or null.")


class HotDecisionDocument(Document):
    """A decision in the hot context."""

    decision_id: str = Field(description="Its id.")
    decision: str | None = Field(description="Its text; null if it was erased.")
    rationale: str | None = Field(description="Its rationale, or null.")
    timestamp: datetime = Field(description="The time at which it was made.")
    agent: str | None = Field(description="Who made it, or null.")


class PinnedNoteDocument(Document):
    """A pinned item, as `/remember` makes them."""

    item: int = Field(description="Its id.")
    text: str | None = Field(description="Its text; null if it was erased.")


class HotContextDocument(Document):
    """The working state of a session, in the form of the short-term memory document."""

    conversation_id: UUID = Field(description="The session's id.")
    session_started: datetime = Field(description="The time at which it began.")
    active_goals: list[HotGoalDocument] = Field(description="The open goals.")
    current_file_context: FileContextDocument = Field(description="The files in focus.")
    pending_actions: list[str | None] = Field(description="The open actions, the most urgent first.")
    open_questions: list[str | None] = Field(description="The open questions.")
    key_decisions: list[HotDecisionDocument] = Field(description="The newest 50 decisions.")
    important_constraints: list[str | None] = Field(description="The constraints in force.")
    pinned_notes: list[PinnedNoteDocument] = Field(description="The pinned items.")
    key_entities: dict[str, list[str]] = Field(description="The names that messages mention, by kind.")


class RestoreViewDocument(Document):
    """What somebody needs to go on with a session."""

    title: str | None = Field(description="The title, or null.")
    goals: list[OpenGoalDocument] = Field(description="The open goals.")
    last_activity: datetime = Field(description="The time at which somebody last did something in it.")
    last_activity_text: str | None = Field(description="The newest item in one line, or null.")
    next_steps: list[str] = Field(
        description="The open actions; otherwise the open goals; otherwise those of the newest summary."
    )
    messages: int = Field(description="Messages and tool exchanges so far.")
    summary: str | None = Field(description="The newest session summary, or null.")
    recent_history: list[HistoryMessageDocument] = Field(description="The last ten messages.")
    hot_context: HotContextDocument = Field(description="The working state.")


class RecentHistoryDocument(Document):
    """The newest messages and tool exchanges of the main window."""

    messages: list[HistoryMessageDocument] = Field(description="The messages, oldest first.")


class EntityDocument(Document):
    """Something that messages mention."""

    kind: str = Field(description="person, file, technology, …")
    name: str = Field(description="Its name.")
    count: int = Field(description="Mentions in all items.")
    last: int = Field(description="The newest item that mentions it.")
    items: list[int] = Field(description="The items that mention it, newest last.")


class EntitiesDocument(Document):
    """What messages mention."""

    entities: list[EntityDocument] = Field(
        description="The entities, the most recent and most frequent first."
    )


class SummaryTextDocument(Document):
    """The newest session summary."""

    text: str | None = Field(description="Its text; null where there is none, or where it may not be shown.")


class ImportedLineDocument(Document):
    """A line of an imported transcript."""

    format: str = Field(description="The transcript's format.")
    file: str = Field(description="The file.")
    number: int = Field(description="The line's number.")
    kind: str = Field(description="Its kind in that format.")
    text: str | None = Field(description="Its bytes where they are UTF-8; null where they were erased.")
    data: str | None = Field(description="Its bytes as base64 where they are not UTF-8.")
    events: dict[str, int | None] = Field(description="The versions it became, by the source's own ids.")


class ConversationDocument(Document):
    """The live conversation of a window."""

    messages: list[dict[str, Any]] = Field(
        description="The messages, oldest first: a provider's own with a format, otherwise neutral messages."
    )


class ItemPartsDocument(Document):
    """The content of an item."""

    item: int = Field(description="Its id.")
    parts: list[PartDocument] = Field(description="Its parts, with exact bytes.")
    metadata: dict[str, Any] = Field(description="The caller's own fields of a message.")


class TextDocument(Document):
    """A text."""

    text: str = Field(description="The text.")
