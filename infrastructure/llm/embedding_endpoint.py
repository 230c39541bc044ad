"""Vectors of texts from a model behind an OpenAI-compatible endpoint."""

import json
import time
from collections.abc import Sequence
from typing import Any

import httpx

from backstory.domain.values import label
from backstory.infrastructure.llm.embeddings import EmbeddingsFailed, Vector, parts, unit
from backstory.infrastructure.llm.endpoint import Endpoint, EndpointFailed

QUERY_SECONDS = 5.0
"""A search waits no longer for the vector of its query."""
BATCH_SECONDS = 60.0
_TEXTS_ARE_REFUSED = (400, 413, 422)
"""What endpoints answer, for example, where a text has too many tokens."""


class EndpointEmbedder:
    """A model behind an OpenAI-compatible endpoint (`base_url` + /embeddings)."""

    def __init__(self, base_url: str, model: str, api_key: str | None = None) -> None:
        self.model = label("model", model)
        self._patient = _EmbeddingEndpoint(base_url, model, api_key, timeout=BATCH_SECONDS)
        self._quick = _EmbeddingEndpoint(base_url, model, api_key, timeout=QUERY_SECONDS, attempts=1)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of texts."""
        return [vector for part in parts(texts) for vector in _asked(self._patient, part)]

    def embed_query(self, text: str) -> Vector:
        """The vector of a query."""
        return _asked(self._quick, next(parts([text])))[0]

    def __repr__(self) -> str:
        return f"EndpointEmbedder({self.model!r})"


class _EmbeddingEndpoint(Endpoint):
    path = "/embeddings"
    most_bytes = 1 << 23
    """Of as many vectors as are asked for at once: some 8,000 numbers each."""
    refused = EndpointFailed

    def ask(self, texts: Sequence[str]) -> list[Vector]:
        body = json.dumps({"model": self.model, "input": texts}).encode()
        deadline = self.deadline()

        def answered(client: httpx.Client) -> list[Vector]:
            reply = self._exchange(client, body, min(deadline, time.monotonic() + self.timeout))
            return _read(self._body(reply), len(texts))

        return self._until_answered(answered, deadline)


def _asked(endpoint: _EmbeddingEndpoint, texts: Sequence[str]) -> list[Vector]:
    try:
        return endpoint.ask(texts)
    except EndpointFailed as failed:
        raise EmbeddingsFailed(str(failed), refused=failed.status in _TEXTS_ARE_REFUSED) from None


def _read(body: bytes, count: int) -> list[Vector]:
    """The vectors in an answer, in the order of their texts."""
    try:
        answer: Any = json.loads(body)
        found = {one["index"]: unit([float(number) for number in one["embedding"]]) for one in answer["data"]}
        vectors = [found[place] for place in range(count)]
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError):
        raise EndpointFailed("the answer is not a vector for each text.") from None
    if len({len(vector) for vector in vectors}) != 1:
        raise EndpointFailed("the answer has vectors of different dimensions.")
    return vectors
