"""What a query finds."""

from datetime import datetime
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document


class SearchHitDocument(Document):
    """An item that a query found."""

    session: UUID = Field(description="The session; for a memory, the project's stream.")
    item: int = Field(description="The item.")
    type: str = Field(description="Its type.")
    speaker: str | None = Field(description="The name or the role of who said it, or null.")
    at: datetime = Field(description="The time at which it occurred.")
    tokens: int = Field(description="Its tokens.")
    score: float = Field(description="Its rank as a number. It compares hits of one query, and nothing else.")
    abandoned: bool = Field(description="Whether it is on a branch that was left by a backtrack.")
    snippet: str = Field(description="The part of its text that matches best, on one line.")
    marks: list[tuple[int, int]] = Field(
        description="The words of the snippet that match: from a character up to another."
    )
    project: str | None = Field(description="The project whose memory it is; null for an item of a session.")


class SearchPageDocument(Document):
    """Some of what a query found, best first."""

    hits: list[SearchHitDocument] = Field(description="The items.")
    next: str | None = Field(description="Passed as `--after`, it continues here; null at the end.")
    ranker: int = Field(description="The version of the ranking.")
    warning: str | None = Field(
        description="The reason why it went by words alone, where a model is set that did not answer; or null."
    )
