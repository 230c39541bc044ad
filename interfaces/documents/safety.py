"""What items may do: suspicions, quarantine, and the rules for both."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from pydantic import Field

from backstory.domain.trust import Trust
from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.application.safety.session_safety import Flagged
    from backstory.application.safety.take_out import TakenOut
    from backstory.domain.policies.safety import SafetyPolicy


class QuarantinedDocument(Document):
    """Items in quarantine."""

    items: list[int] = Field(description="Their ids.")


class FlaggedItemDocument(Document):
    """An item whose text raised a suspicion."""

    item: int = Field(description="Its id.")
    type: str = Field(description="message, memory, tool_exchange, …")
    origin: str = Field(description="The place it comes from.")
    trust: str = Field(description="How far it is trusted: untrusted, derived or trusted.")
    flags: list[str] = Field(description="The suspicions: secret:… with the kind of secret, or instructions.")
    quarantined: bool = Field(description="Whether it is in quarantine.")

    @classmethod
    def of(cls, item: "Flagged") -> "FlaggedItemDocument":
        """The document of an item."""
        return cls(**item._asdict() | {"trust": Trust(item.trust).word})


class FlaggedDocument(Document):
    """Items whose text raised a suspicion."""

    items: list[FlaggedItemDocument] = Field(description="The items, the newest first.")


class FlagCountsDocument(Document):
    """The number of items by flag."""

    flags: dict[str, int] = Field(
        description="By flag, such as secret:github-token for what was stored and masked:github-token for what was "
        "replaced before that, the number of items."
    )


class SafetyPolicyDocument(Document):
    """The rules for suspicious texts."""

    name: str = Field(description="Its name.")
    version: int = Field(description="The version of the rules.")
    secrets: str = Field(description="What is done with secrets: flag or mask.")
    imported_secrets: str = Field(description="The same for imported transcripts.")
    instructions: str = Field(description="What is done with texts like instructions: flag or quarantine.")

    @classmethod
    def of(cls, policy: "SafetyPolicy") -> "SafetyPolicyDocument":
        """The document of a policy."""
        return cls(
            name=policy.name,
            version=policy.version,
            secrets=policy.secrets,
            imported_secrets=policy.imported_secrets,
            instructions=policy.instructions,
        )


class JudgedDocument(Document):
    """A write about what items may do."""

    session: UUID | None = Field(default=None, description="The session; null for memories of a project.")
    project: str | None = Field(default=None, description="The project, for memories; else null.")
    items: list[int] = Field(description="The items.")
    version: int = Field(description="The version of the write.")


class ReachedItemDocument(Document):
    """An item that was made from another one, or the one that was asked about."""

    session: UUID = Field(description="The session that brought it; of a memory, the project's stream.")
    item: int = Field(description="Its id.")
    type: str = Field(
        description="message, memory, summary, …; of what is no item, such as a decision that was noticed, the type "
        "of its event."
    )
    project: str | None = Field(description="The project whose memory it is; null for an item of a session.")
    at: datetime = Field(description="The time at which it came.")
    origin: str | None = Field(description="Whose words it is made of; null for what is no item.")
    trust: str | None = Field(description="How far it is trusted: untrusted, derived or trusted.")
    answer: bool = Field(
        description="Whether it is a model's answer to a prompt that showed one of the others, or was made from one."
    )
    live: bool = Field(description="Whether prompts and searches may still show it.")
    quarantined: bool = Field(description="Whether it is in quarantine.")


class ReachedPromptDocument(Document):
    """A recorded context that showed one of the items."""

    session: UUID = Field(description="The session.")
    version: int = Field(description="The version of the context: `reproduce` shows it.")
    at: datetime = Field(description="The time at which it was put together.")
    agent: str | None = Field(description="The agent that it was made for, or null.")
    items: list[int] = Field(description="Those of the items that it showed.")
    memories: list[int] = Field(
        description="Those of the memories that it showed, by their ids in the project."
    )
    answers: list[int] = Field(description="The messages that models answered to it.")


class ReachedDocument(Document):
    """Where an item got into."""

    items: list[ReachedItemDocument] = Field(
        description="The item, then what was made from it, oldest first."
    )
    prompts: list[ReachedPromptDocument] = Field(description="The prompts that showed one of these.")


class TakenOutItemsDocument(Document):
    """What was put into quarantine in one session or project."""

    session: UUID = Field(description="The session; of memories, the project's stream.")
    project: str | None = Field(
        description="The project whose memories they are; null for items of a session."
    )
    items: list[int] = Field(description="The items.")
    version: int | None = Field(description="The version of the event; null for a dry run.")


class TakenOutDocument(Document):
    """What was put into quarantine together with what it was made from."""

    taken_out: list[TakenOutItemsDocument] = Field(description="By session and project, memories first.")

    @classmethod
    def of(cls, done: "Iterable[TakenOut]") -> "TakenOutDocument":
        """The document of what was taken out."""
        return cls(taken_out=[TakenOutItemsDocument(**one._asdict()) for one in done])
