"""What a query is ranked over: the documents that the caller may see, and where the query's terms occur in them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

REACH = 3
"""Documents before and after one that count towards its score."""


class Document(NamedTuple):
    """An item as the ranking sees it: no text, only what was noted of it when it was indexed."""

    position: int
    """Its place among all visible documents, in order of session and time, from 0 and without gaps."""
    id: Any
    """The caller's own reference, such as (stream, version)."""
    session: int
    """The number of its session."""
    speaker: str | None
    """The name of who spoke, where it is a person's or an agent's; None for a mere role."""
    type: str
    time: int
    """When it was brought, in microseconds since 1970."""
    length: int
    """The number of its terms."""
    tokens: int
    marks: int = 0
    """Bits of `marks.Mark`."""


@dataclass(frozen=True)
class Corpus:
    """Documents by position. All that a term of the query occurs in must be there, and those up to REACH before and
    after them; others may be. The statistics are of everything visible."""

    documents: Mapping[int, Document]
    postings: Mapping[str, Mapping[int, int]]
    """For each term of the query: how often it occurs, by position."""
    count: int
    """The number of all visible documents."""
    length: int
    """The sum of their lengths."""
    speakers: Collection[str]
    """The names of all who speak in them."""
