"""Vectors of texts, made from the feed by the model that is set."""

from collections.abc import Collection
from hashlib import sha256
from uuid import UUID

import psycopg

from backstory.application.feed.projections import FeedBatch, TryLater
from backstory.application.runtime import Runtime
from backstory.application.search.meaning import pack
from backstory.application.search.texts import read_texts
from backstory.domain.errors import InvalidInput
from backstory.infrastructure.llm.embeddings import Embedder, EmbeddingsFailed
from backstory.infrastructure.postgres.queries import query


class EmbeddingsProjection:
    """Makes the vectors of texts. Each model has a position of its own, so that one that is new begins with the first
    event, and replaces the vectors of the one before."""

    types: Collection[str] = ()
    acts_as_service = True

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        try:
            self.name = f"embeddings.{sha256(embedder.model.encode(errors='replace')).hexdigest()[:12]}"
        except EmbeddingsFailed as error:
            raise InvalidInput("BACKSTORY_EMBEDDINGS", str(error)) from None

    def apply(self, connection: psycopg.Connection, batch: FeedBatch) -> None:
        if batch.after == 0:
            connection.execute(query("forget_other_models"), (self.name,))
        rows = connection.execute(query("texts_in_feed"), (batch.after, batch.upto)).fetchall()
        for stream, versions in rows:
            self._embed(batch._runtime, connection, stream, versions)

    def reset(self, connection: psycopg.Connection) -> None:
        connection.execute(query("forget_embeddings"))

    def _embed(
        self, runtime: Runtime, connection: psycopg.Connection, stream: UUID, versions: list[int]
    ) -> None:
        texts = _texts(runtime, stream, versions)
        if not texts:
            return
        try:
            vectors = dict(zip(texts, self._embedder.embed([*texts.values()]), strict=True))
        except EmbeddingsFailed as error:
            if error.refused:
                raise
            raise TryLater(f"there are no vectors: {error}") from None
        # Nobody waits while a model is at work. So what was erased in the meantime is told by reading again.
        connection.execute(query("hold_index"), (stream,))
        left = [
            version for version, text in _texts(runtime, stream, [*texts]).items() if text == texts[version]
        ]
        if left:
            packed = [pack(vectors[version]) for version in left]
            dimension = len(vectors[left[0]])
            connection.execute(
                query("save_embeddings"), (stream, self._embedder.model, dimension, left, packed)
            )


def _texts(runtime: Runtime, stream: UUID, versions: list[int]) -> dict[int, str]:
    return {event.version: text for event, text in read_texts(runtime, stream, versions) if text.strip()}
