"""What items may do: suspicions, quarantine, and the rules for both."""

from typing import TYPE_CHECKING

from pydantic import Field

from backstory.domain.trust import Trust
from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.application.safety.session_safety import Flagged
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
