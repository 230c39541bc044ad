"""The demo's result."""

from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.errors import ErrorFields
from backstory.interfaces.documents.integrity import VerificationDocument


class DemoSawDocument(Document):
    """The prompt behind the demo's decision."""

    decision: int = Field(description="The decision.")
    assembly: int | None = Field(description="The context of the call behind it, or null.")
    ok: bool = Field(description="Whether its bytes were built again.")


class DemoDocument(Document):
    """The sessions of the demo, and what it proved."""

    session: UUID = Field(description="The demo's session.")
    fork: UUID = Field(description="Its fork.")
    imported: UUID = Field(description="The session imported from a transcript.")
    versions: int = Field(description="The number of the session's versions.")
    replayed: int = Field(description="The number of versions that replay to the state recorded live.")
    saw: DemoSawDocument = Field(description="The prompt behind the decision.")
    refused: ErrorFields | None = Field(description="The error of the late tool result.")
    verified: list[VerificationDocument] = Field(description="The verification of both sessions.")
