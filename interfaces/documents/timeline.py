"""A session's timeline: the usage of a window in columns, and what stands out."""

from typing import TYPE_CHECKING
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.window import CallPointDocument

if TYPE_CHECKING:
    from backstory.application.window.timeline import Timeline


class ColumnDocument(Document):
    """One version, or as many as a column of this timeline holds."""

    version: int = Field(description="The last of them.")
    at: int = Field(description="The time of the last, in milliseconds since 1970.")
    tokens: int = Field(description="The window's tokens after the last.")
    low: int = Field(description="The fewest tokens.")
    high: int = Field(description="The most tokens.")
    type: str = Field(description="The type of the last event.")
    calls: int = Field(description="The number of calls of models.")
    input_tokens: int = Field(description="The tokens of the largest prompt among them.")


class TimelineMarkDocument(Document):
    """A version that stands out."""

    version: int = Field(description="The version.")
    kind: str = Field(
        description="compaction, stubs, undo, checkpoint, alert, backtrack, clear, fork, decision or end."
    )
    note: str | None = Field(description="The mark's algorithm, name, level or version, or null.")
    at: int = Field(description="The time, in milliseconds since 1970.")
    tokens: int = Field(description="The window's tokens after it.")


class TimelineCallDocument(CallPointDocument):
    """A call of a model at a version."""

    version: int = Field(description="The version.")


class JumpDocument(Document):
    """A version that continues from another than the one before it."""

    version: int = Field(description="The version of a backtrack, or a fork's first.")
    follows: int = Field(description="The version that it continues from.")


class LimitChangeDocument(Document):
    """The limit of the window from a version on."""

    version: int = Field(description="The version.")
    limit: int | None = Field(description="The limit in tokens, or null.")


class TimelineDocument(Document):
    """A window between two versions of a session."""

    session: UUID = Field(description="The session's id.")
    window: str = Field(description="The window.")
    newest: int = Field(description="The session's newest version.")
    after: int = Field(description="The version after which the timeline begins.")
    upto: int = Field(description="The version at which it ends.")
    step: int = Field(description="The versions of a column: 1, 4, 16, 64, …")
    columns: list[ColumnDocument] = Field(description="The columns.")
    marks: list[TimelineMarkDocument] = Field(
        description="The versions that stand out; decisions only where they are few."
    )
    calls: list[TimelineCallDocument] | None = Field(
        description="The calls of models; null where they are many: the columns count them."
    )
    jumps: list[JumpDocument] = Field(description="The backtracks and the fork of the whole session.")
    limits: list[LimitChangeDocument] = Field(description="The limits that the window had.")
    cost_usd: float = Field(description="The cost of all calls of the session, on left branches too.")

    @classmethod
    def of(cls, timeline: "Timeline") -> "TimelineDocument":
        """The document of a timeline."""
        fields = timeline._asdict()
        for name, kind in (
            ("columns", ColumnDocument),
            ("marks", TimelineMarkDocument),
            ("jumps", JumpDocument),
            ("limits", LimitChangeDocument),
        ):
            # Thousands of numbers that were computed here: to check each of them would take longer than to make them.
            fields[name] = [kind.model_construct(**one._asdict()) for one in fields[name]]
        if timeline.calls is not None:
            fields["calls"] = [
                TimelineCallDocument.model_construct(version=version, **call._asdict())
                for version, call in timeline.calls
            ]
        return cls.model_construct(**fields)
