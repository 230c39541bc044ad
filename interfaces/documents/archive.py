"""Sessions made into memory, and the policy that does it."""

from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.application.archive.archive import Archived
    from backstory.domain.policies.memory import MemoryPolicy


class ArchivedDocument(Document):
    """What was made of a session."""

    project: str = Field(description="The project that remembers it.")
    session: UUID = Field(description="The session.")
    parts: int = Field(description="The parts of the session that were looked through.")
    fragments: list[int] = Field(description="The fragments.")
    memories: list[int] = Field(description="The other memories.")
    candidates: list[int] = Field(description="What waits to be confirmed or dismissed.")
    corroborated: list[int] = Field(
        description="Memories that the project had already, and that the session says again."
    )
    superseded: list[int] = Field(
        description="Memories that no longer hold: what the session says contradicts them, or it went back before it "
        "said them."
    )


class ArchivedProjectDocument(Document):
    """What was made of the sessions of a project."""

    project: str = Field(description="The project.")
    sessions: list[ArchivedDocument] = Field(description="What was made of each that had something left.")

    @classmethod
    def of(cls, project: str, archived: "Iterable[Archived]") -> Self:
        """The document of what was made of some sessions."""
        return cls(project=project, sessions=[ArchivedDocument.model_validate(one) for one in archived])


class VerdictDocument(Document):
    """Whether what is left of a session becomes a fragment by the policy."""

    worth: bool = Field(description="Whether there is enough in it.")
    messages: int = Field(description="Its messages.")
    decisions: int = Field(description="Its decisions.")
    important: int = Field(description="Its messages that are important by the policy.")
    every: int = Field(description="The number of messages after which a part becomes a fragment.")


class MemoryPolicyDocument(Document):
    """The policy by which sessions of a project become memory: see docs/reference/policies.md."""

    name: str = Field(description="Its name.")
    version: int = Field(description="The version of its numbers.")
    settings: dict[str, Any] = Field(description="All its numbers.")

    @classmethod
    def of(cls, policy: "MemoryPolicy") -> Self:
        """The document of a policy."""
        settings = {
            field.name: getattr(policy, field.name)
            for field in fields(policy)
            if field.name not in ("name", "version")
        }
        settings["importance"] = dict(policy.importance)
        return cls(name=policy.name, version=policy.version, settings=settings)
