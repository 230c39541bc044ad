"""Keys of the service, and the trail of calls."""

from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.application.access.keys import AccessKey, MadeKey


class KeyDocument(Document):
    """A key, without its secret."""

    name: str = Field(description="Its name, recorded with everything that is written with it.")
    prefix: str = Field(description="The part of the key that may be seen.")
    action: str = Field(description="read, append, operate or admin. Each allows those before it.")
    projects: list[str] | None = Field(description="The only projects that it reaches; null for all.")
    agent: str | None = Field(description="The only agent that it acts for; null for any.")
    created_at: datetime = Field(description="The time at which it was made.")
    created_by: str | None = Field(description="Who made it, or null.")
    expires_at: datetime | None = Field(description="The time at which it ends, or null.")
    revoked_at: datetime | None = Field(description="The time at which it was revoked, or null.")
    last_used: datetime | None = Field(description="The hour in which it was last used, or null.")
    valid: bool = Field(description="Whether it is valid now.")

    @classmethod
    def of(cls, key: "AccessKey") -> "KeyDocument":
        """The document of a key."""
        return cls.model_validate(_fields(key))


class MadeKeyDocument(KeyDocument):
    """A key that was just made."""

    key: str = Field(description="The whole key. It is shown once and stored nowhere.")

    @classmethod
    def made(cls, new: "MadeKey") -> "MadeKeyDocument":
        """The document of a key that was just made."""
        return cls.model_validate({**_fields(new.key), "key": new.secret})


class KeyListDocument(Document):
    """Keys, the newest first."""

    found: list[KeyDocument] = Field(description="The keys, also those that are no longer valid.")


class RevokedKeyDocument(Document):
    """A key that was revoked."""

    name: str = Field(description="Its name.")


class CallDocument(Document):
    """A call that was refused to a key, or that needed the right to operate or administer."""

    id: UUID = Field(description="The request's id.")
    called_at: datetime = Field(description="The time of the call.")
    caller: str | None = Field(description="The key's name; null where none was asked for.")
    operation: str = Field(description="The operation's id.")
    path: str = Field(description="The path that was called, without its query.")
    status: int = Field(description="The HTTP status of the answer.")
    address: str | None = Field(description="The address that it came from, or null.")


class CallsDocument(Document):
    """Calls, the newest first."""

    calls: list[CallDocument] = Field(description="The calls.")


def _fields(key: "AccessKey") -> dict[str, object]:
    projects = None if key.projects is None else sorted(key.projects)
    return {**key._asdict(), "action": key.action.value, "projects": projects}
