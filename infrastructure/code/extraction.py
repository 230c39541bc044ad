"""What is kept of a code file: its terms, its definitions and the terms of its chunks."""

import json
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from backstory.domain.code.bag import bag_of, pack
from backstory.domain.code.definitions import Chunk, Definition, chunks_of
from backstory.domain.code.imports import imports_of
from backstory.domain.code.languages import refusal_by_content
from backstory.domain.search.terms import VERSION as TERMS_VERSION
from backstory.infrastructure.code.parsers import PARSED, VERSION as PARSERS_VERSION, definitions_of, parses

VERSION = TERMS_VERSION * 1_000 + PARSERS_VERSION * 2
"""The version of what is kept of a file. The next number stands for a language whose grammar is missing here."""


class Extracted(NamedTuple):
    """What is kept of a file."""

    lines: int
    refusal: str | None
    content: bytes
    imports: bytes
    definitions: bytes
    chunks: bytes


def version_for(language: str) -> int:
    """The version that a file of a language has when it is indexed here."""
    return VERSION + (language in PARSED and not parses(language))


def extract(data: bytes, language: str) -> Extracted:
    """What is kept of a file with these bytes."""
    refusal = refusal_by_content(data)
    if refusal is not None:
        return Extracted(0, refusal, b"", b"", _packed([]), b"")
    text = data.decode("utf-8", "replace")
    lines = text.split("\n")
    definitions = _definitions(data, language)
    bags = [bag_of(text_of(lines, chunk)) for chunk in chunks_of(definitions, len(lines))]
    imports = "\n".join(imports_of(text, language)).encode()
    return Extracted(len(lines), None, pack([bag_of(text)]), imports, _packed(definitions), pack(bags))


def _definitions(data: bytes, language: str) -> list[Definition]:
    """The definitions of a file; none where its parser fails: it is found by its words then."""
    try:
        return definitions_of(data, language)
    except Exception:
        return []


def text_of(lines: Sequence[str], chunk: Chunk) -> str:
    """The text of a chunk."""
    return "\n".join(lines[chunk.first - 1 : chunk.last])


def unpacked_definitions(data: bytes) -> list[Definition]:
    """The definitions that were kept of a file."""
    return [Definition(*fields) for fields in json.loads(zlib.decompress(data))]


def _packed(definitions: Sequence[Definition]) -> bytes:
    return zlib.compress(json.dumps(definitions, separators=(",", ":")).encode())
