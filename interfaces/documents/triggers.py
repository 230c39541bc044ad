"""Triggers of projects: configured, fired, tried."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document


class TriggerDocument(Document):
    """A trigger."""

    name: str = Field(description="Its name.")
    enabled: bool = Field(description="Whether it fires.")
    condition: str = Field(description="An expression over the change.")
    actions: list[str] = Field(description="What is done when it fires, in order.")


class TriggersDocument(Document):
    """The triggers of a project."""

    refresh_triggers: list[TriggerDocument] = Field(description="The triggers.")


class ActionRecordDocument(Document):
    """An action of a firing."""

    action: str = Field(description="The action.")
    outcome: str = Field(
        description="done; nothing: there was nothing to do; failed; waiting: it was not carried out yet."
    )
    version: int | None = Field(description="The event that recorded it, or null.")
    detail: dict[str, Any] | None = Field(description="What it did, or why not; null where that was erased.")


class TriggerRecordDocument(Document):
    """A firing, or the reason why there was none."""

    session: UUID = Field(description="The session.")
    version: int = Field(description="The version of the record.")
    at: datetime = Field(description="Its time.")
    trigger: str = Field(description="The trigger.")
    change: int = Field(description="The change, by its version.")
    event: str | None = Field(description="The type of the change's event, or null.")
    outcome: str = Field(
        description="fired; loop: cut, since it followed from itself; condition: it could not be told."
    )
    reason: str | None = Field(description="Why it did not fire, or null.")
    actions: list[ActionRecordDocument] = Field(description="Its actions.")


class TriggerHistoryDocument(Document):
    """Firings, the newest first."""

    history: list[TriggerRecordDocument] = Field(description="The firings.")


class ActionDoneDocument(Document):
    """An action that was carried out now."""

    action: str = Field(description="The action.")
    outcome: str = Field(description="done, nothing, failed; waiting: it is left to a worker.")
    detail: dict[str, Any] = Field(description="What it did, or why not.")


class FiredDocument(Document):
    """A trigger that fired."""

    trigger: str = Field(description="The trigger.")
    change: int = Field(description="The change, by its version.")
    version: int = Field(description="The firing, by its version.")
    actions: list[ActionDoneDocument] = Field(description="The actions that were carried out now.")


class FiredTriggersDocument(Document):
    """The triggers that fired."""

    fired: list[FiredDocument] = Field(description="In the order of their changes.")


class WouldFireDocument(Document):
    """A change that would have set a trigger off."""

    session: UUID = Field(description="The session.")
    change: int = Field(description="The change, by its version.")
    at: datetime = Field(description="Its time.")
    event: str = Field(description="The type of its event.")
    trigger: str = Field(description="The trigger.")
    actions: list[str] = Field(description="What would have been done.")
    problem: str | None = Field(description="Why its condition could not be told, or null.")


class DryRunDocument(Document):
    """The changes that would have set triggers off."""

    would_fire: list[WouldFireDocument] = Field(
        description="The changes, those of the newest sessions first."
    )
