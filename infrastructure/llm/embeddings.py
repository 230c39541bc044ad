"""Vectors of texts: from a model in a folder, or behind an OpenAI-compatible endpoint.

Texts that mean the same have vectors that point the same way. All vectors here have the length 1.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from backstory.domain.errors import InvalidInput
from backstory.infrastructure.settings import Settings

Vector = Sequence[float]

AT_ONCE = 32
"""Texts that a model is given at once."""
MOST_CHARACTERS = 8_000
"""Of a text, from its beginning: no more is read, since models read a few hundred to some thousand tokens."""
MOST_TOKENS = 256
"""The same, for a model in a folder. Its time grows with their square."""


class EmbeddingsFailed(Exception):
    """There are no vectors: one sentence, safe to show and to log. `refused` where these texts are the reason, and
    others may have vectors."""

    def __init__(self, reason: str, *, refused: bool = False) -> None:
        super().__init__(reason)
        self.refused = refused


class Embedder(Protocol):
    """A model that makes vectors."""

    @property
    def model(self) -> str:
        """The model's name, another one for each model whose vectors cannot be compared."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of texts. Raises EmbeddingsFailed."""
        ...

    def embed_query(self, text: str) -> Vector:
        """The vector of a query, soon or not at all. Raises EmbeddingsFailed."""
        ...


class FolderEmbedder:
    """A model in a folder, as sentence-transformers write it: `model.onnx`, which may be in `onnx/`, and
    `tokenizer.json`. It is loaded when it is first used, and needs no network."""

    def __init__(self, folder: Path) -> None:
        files = [folder / "model.onnx", folder / "onnx" / "model.onnx"]
        self._file = next((file for file in files if file.is_file()), files[0])
        self._tokenizer_file = folder / "tokenizer.json"
        self._pooling_file = folder / "1_Pooling" / "config.json"
        for file in (self._file, self._tokenizer_file):
            if not file.is_file():
                raise InvalidInput("BACKSTORY_EMBEDDINGS", f"the folder must have the file {file.name}")
        if not all(map(find_spec, ("numpy", "onnxruntime", "tokenizers"))):
            raise InvalidInput("BACKSTORY_EMBEDDINGS", "needs: pip install 'backstory[embeddings]'")
        self._name = folder.resolve().name
        self._lock = Lock()

    @cached_property
    def model(self) -> str:
        """The folder's name and the hash of its files, so that a file that is replaced is another model."""
        try:
            digest = hashlib.sha256()
            # Weights of more than 2 GB are in a file of their own.
            for file in (self._file, self._file.with_name("model.onnx_data"), self._tokenizer_file):
                if file.exists():
                    with file.open("rb") as stream:
                        digest.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError as error:
            raise EmbeddingsFailed(f"the model cannot be read: {error.strerror}.") from None
        return f"{self._name}@{digest.hexdigest()}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of texts."""
        try:
            return [vector for part in parts(texts) for vector in self._embed(part)]
        except Exception as error:
            # The runtime and the tokenizer have errors of many classes, without a common one.
            raise EmbeddingsFailed(f"the model failed with {type(error).__name__}.") from error

    def embed_query(self, text: str) -> Vector:
        """The vector of a query."""
        return self.embed([text])[0]

    def __repr__(self) -> str:
        return f"FolderEmbedder({self._name!r})"

    @cached_property
    def _loaded(self) -> tuple[Any, Any, bool]:
        """The session, the tokenizer, and whether a text's first token stands for all."""
        from onnxruntime import InferenceSession
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._tokenizer_file))
        tokenizer.enable_truncation(MOST_TOKENS)
        padding = tokenizer.padding or {}
        tokenizer.enable_padding(pad_id=padding.get("pad_id", 0), pad_token=padding.get("pad_token", "[PAD]"))
        pooling = json.loads(self._pooling_file.read_bytes()) if self._pooling_file.exists() else {}
        session = InferenceSession(str(self._file), providers=["CPUExecutionProvider"])
        return session, tokenizer, bool(pooling.get("pooling_mode_cls_token"))

    def _embed(self, texts: Sequence[str]) -> Iterator[Vector]:
        import numpy as np

        with self._lock:
            session, tokenizer, first_stands_for_all = self._loaded
        encoded = tokenizer.encode_batch([*texts])
        tokens = np.array([one.ids for one in encoded], np.int64)
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        inputs = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        wanted = {one.name for one in session.get_inputs()}
        found = session.run(None, {name: given for name, given in inputs.items() if name in wanted})[0]
        if found.ndim == 3 and first_stands_for_all:
            found = found[:, 0]
        elif found.ndim == 3:
            found = (found * mask[..., None]).sum(axis=1) / np.maximum(mask.sum(axis=1, keepdims=True), 1)
        for row in found.tolist():
            yield unit(row)


def embedder_from_settings(settings: Settings) -> Embedder | None:
    """The model that the environment names; None when it names none."""
    given = settings.embeddings.get_secret_value() if settings.embeddings else ""
    if not given:
        return None
    if not given.startswith(("http://", "https://")):
        return FolderEmbedder(Path(given).expanduser())
    # The HTTP client takes long to import, and most stores never ask an endpoint.
    from backstory.infrastructure.llm.embedding_endpoint import EndpointEmbedder

    url, _, model = given.partition("#")
    if not model:
        raise InvalidInput(
            "BACKSTORY_EMBEDDINGS", "must name the model after the address, as in https://host/v1#model"
        )
    key = settings.embeddings_api_key.get_secret_value() if settings.embeddings_api_key else ""
    return EndpointEmbedder(url, model, key or None)


def parts(texts: Sequence[str]) -> Iterator[list[str]]:
    """As many texts as a model is given at once, cut to what is read of each."""
    for start in range(0, len(texts), AT_ONCE):
        yield [text[:MOST_CHARACTERS] for text in texts[start : start + AT_ONCE]]


def unit(numbers: Sequence[float]) -> Vector:
    """A vector of the length 1 that points the same way. ValueError where there is none."""
    length = math.hypot(*numbers)
    if not (math.isfinite(length) and length):
        raise ValueError("a vector has no direction")
    return [number / length for number in numbers]
