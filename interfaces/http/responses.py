"""What routes answer besides their documents: problems, and streams of lines."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from starlette.responses import StreamingResponse

from backstory.domain.errors import BackstoryError
from backstory.interfaces.documents.base import Document

PROBLEM_TYPE = "application/problem+json"
LINES_TYPE = "application/x-ndjson"


class LinesResponse(StreamingResponse):
    """JSON objects, one on a line, sent as they are made."""

    media_type = LINES_TYPE


NDJSON: dict[str, Any] = {"response_class": LinesResponse}
"""For routes that answer lines."""


def lines(documents: Iterable[Document]) -> LinesResponse:
    """A stream of documents. What is wrong before the first is answered as a problem; an error after it is the last
    line, a problem too."""
    made = iter(documents)
    first = next(made, None)
    return LinesResponse(_lines(made if first is None else chain([first], made)))


def _lines(documents: Iterator[Document]) -> Iterator[bytes]:
    from backstory.interfaces.http.problems import problem_of

    try:
        for document in documents:
            yield line_of(document)
    except BackstoryError as error:
        yield line_of(problem_of(error))


def line_of(document: Document) -> bytes:
    """A document on a line."""
    return json.dumps(document.as_json(), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
