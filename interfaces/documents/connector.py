"""Search results and fetched texts, in the shape that chat connectors expect."""

from pydantic import Field

from backstory.interfaces.documents.base import Document


class ResultDocument(Document):
    """One thing that was found."""

    id: str = Field(description="The id by which it is fetched.")
    title: str = Field(description="Who said it when, and the words that match.")
    url: str = Field(description="Its address.")


class ResultsDocument(Document):
    """Things that were found, best first."""

    results: list[ResultDocument] = Field(description="The things.")


class FetchedDocument(Document):
    """One thing whole."""

    id: str = Field(description="Its id.")
    title: str = Field(description="Its title.")
    text: str = Field(description="Its text.")
    url: str = Field(description="Its address.")
    metadata: dict[str, str] = Field(description="The place that it comes from.")
