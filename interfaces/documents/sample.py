"""The sample's result."""

from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document


class SampleDocument(Document):
    """The sample of a database."""

    session: UUID = Field(description="Its long session.")
    made: bool = Field(description="Whether it was made now; false where it was there already.")
