"""How much texts are like a query in meaning, by their vectors."""

import logging
import struct
from collections.abc import Collection, Mapping
from functools import partial
from operator import mul
from typing import NamedTuple
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.application.search.visible import Visible
from backstory.domain.search.features import Likeness
from backstory.domain.search.ranking import BY_MEANING, BY_WORDS
from backstory.infrastructure.llm.embeddings import EmbeddingsFailed, Vector
from backstory.infrastructure.postgres.queries import query

_LOGGER = logging.getLogger(__name__)


class Meaning(NamedTuple):
    """What a query means, where a model is set."""

    likeness: Likeness | None = None
    warning: str | None = None
    """The reason why the model did not answer."""

    @property
    def ranker(self) -> int:
        """The version of the ranking that takes it into account."""
        return BY_WORDS if self.likeness is None else BY_MEANING


def meaning(runtime: Runtime, visible: Visible, text: str) -> Meaning:
    """Has the vector of a query made. Where that fails, a search goes by words alone."""
    if runtime.embedder is None:
        return Meaning()
    try:
        vector, model = runtime.embedder.embed_query(text), runtime.embedder.model
    except EmbeddingsFailed as error:
        warning = f"searched by words alone: {error}"
        _LOGGER.warning("%s", warning)
        return Meaning(warning=warning)
    return Meaning(partial(_likeness, runtime, visible, model, vector))


def pack(vector: Vector) -> bytes:
    """A vector as it is stored."""
    return struct.pack(f"<{len(vector)}e", *vector)


def _likeness(
    runtime: Runtime, visible: Visible, model: str, vector: Vector, positions: Collection[int]
) -> Mapping[int, float]:
    """The cosine of the angle between the query's vector and that of each document that has one. Of a document of
    several texts, that of the most similar."""
    holds: dict[tuple[UUID, int], int] = {
        place: position for position in positions for place in visible.versions(position)
    }
    wanted = {
        "streams": [stream for stream, _ in holds],
        "versions": [version for _, version in holds],
        "model": model,
        "dimension": len(vector),
    }
    rows = runtime.database.read(lambda c: c.execute(query("vectors"), wanted, binary=True).fetchall())
    unpack = struct.Struct(f"<{len(vector)}e").unpack
    found: dict[int, float] = {}
    for stream, version, packed in rows:
        position, cosine = holds[stream, version], sum(map(mul, vector, unpack(packed)))
        found[position] = max(cosine, found.get(position, -1.0))
    return found
