"""The comparison of the search index with the log."""

from collections.abc import Iterator
from uuid import UUID

from backstory.application.integrity.findings import Finding
from backstory.application.runtime import Runtime
from backstory.application.search.index import read_segments
from backstory.application.search.texts import index_entries
from backstory.domain.errors import VerificationFailed
from backstory.domain.search.segment import Columns, postings_of


def wrong_segments(runtime: Runtime, stream: UUID) -> Iterator[Finding]:
    """The segments of a stream's search index that are not what its log gives now."""
    try:
        for segment in read_segments(runtime, [stream]):
            entries = [*index_entries(runtime, *segment.range)]
            columns = Columns.of(one.entry for one in entries)
            postings = postings_of(one.terms for one in entries)
            if segment.columns != columns or segment.postings != postings:
                where = f"search_segments, version {segment.range.first}"
                yield Finding(
                    where, "differs from the log; 'backstory projections rebuild --feed search' mends it"
                )
    except VerificationFailed as error:
        yield Finding("search_segments", str(error))
