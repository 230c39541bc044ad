"""Tokens, counted offline: the same number for the same text on every machine.

The rank tables are package data, checked against the hash that tiktoken itself expects. An encoding without a
table here is unknown, even where tiktoken would know it, because tiktoken would go and download it.

What a part counts (`count_parts`):

| part | tokens |
|---|---|
| text, thinking, JSON | its text |
| redacted thinking | one per 4 bytes, about what encrypted text was before |
| tool use | the tool's name and its arguments |
| tool result, document made of blocks | its blocks, each by this table |
| web search results and the like | their JSON, with each `encrypted_…` value at one per 4 bytes |
| document of text | its title, its context and its text |
| document of other bytes | one per 16 bytes, at most 100,000 |
| image | 85 + 170 for each tile of 512 pixels, once it fits 2,048 by 2,048 with its short side at most 768 |
| image by reference, or of unknown size | 765, as a square of 1,024 |
| audio | one per 1,600 bytes, a tenth of a second of MP3 |
| document or audio by reference | the reference's text |

Signatures, cache marks, citations and ids count nothing, nor does what a provider adds around each message.
"""

import gzip
import hashlib
import re
import zlib
from binascii import a2b_base64
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from importlib.resources import files
from importlib.util import find_spec, module_from_spec
from math import ceil
from threading import Lock
from typing import Any, NoReturn

from tiktoken import Encoding

from backstory.domain.errors import BackstoryError, UnknownEncoding
from backstory.domain.messages import inner_parts
from backstory.domain.messages.contents import Part
from backstory.domain.messages.values import dumps, foreign_json
from backstory.infrastructure.llm.image_size import image_size

DEFAULT_ENCODING = "o200k_base"

_RANK_TABLES = ("cl100k_base", "o200k_base")
ENCODINGS = ("cl100k_base", "o200k_base", "o200k_harmony")

# tiktoken's regex engine panics on a run of about a million blanks, and needs more time per character the
# longer a run is. At 100,000 characters the worst input takes some 40 ms.
CHUNK_CHARACTERS = 100_000
_CUT_SEARCH = 4_096
LONGEST_KEPT = 1_000
"""Characters of a line whose count is kept: one of a summary has fewer."""
# Places that no token of any known encoding crosses: after a line break before something visible, and between
# a word and the blank before the next. "/" is left out: o200k takes it along with line breaks before it.
_CUT = re.compile(r"\n(?=[^\s/])|[A-Za-z](?= [A-Za-z])")
_LINE_BEGINS = re.compile(r"(?<=\n)(?=[^\s/])")

_encodings: dict[str, Encoding] = {}
_loading = Lock()


def check_encoding(name: str) -> None:
    if name not in ENCODINGS:
        raise UnknownEncoding("encoding", f"must be one of {', '.join(ENCODINGS)}, not {name!r}")


def count_tokens(text: str, encoding: str = DEFAULT_ENCODING) -> int:
    """The number of tokens of the text. What looks like a special token is text like any other.

    A text of more than 100,000 characters is counted in chunks, cut where no token crosses, so that the sum
    is the exact count, except where 4,096 characters in a row offer no such place: there it may be a token or
    two off for each cut.
    """
    encode = _encoding(encoding).encode_ordinary
    if len(text) <= CHUNK_CHARACTERS:
        return len(encode(text))
    return sum(len(encode(chunk)) for chunk in _chunks(text))


def count_lines(text: str, encoding: str = DEFAULT_ENCODING) -> int:
    """The same number, for a text that is counted again and again with a few lines more or less: each line is counted
    once."""
    return sum(
        (_count_line if len(line) <= LONGEST_KEPT else count_tokens)(line, encoding)
        for line in _LINE_BEGINS.split(text)
    )


@lru_cache(maxsize=2_048)
def _count_line(line: str, encoding: str) -> int:
    return count_tokens(line, encoding)


def count_parts(parts: Sequence[Part], encoding: str = DEFAULT_ENCODING) -> int:
    """The number of tokens of the parts, by the table above."""
    check_encoding(encoding)
    count = partial(count_tokens, encoding=encoding)
    return sum(_count_part(part, count) for part in parts)


def _chunks(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > CHUNK_CHARACTERS:
        end = start + CHUNK_CHARACTERS
        # One character past the end, for the look-ahead of a cut that is right there.
        for cut in _CUT.finditer(text, end - _CUT_SEARCH, end + 1):
            end = cut.end()
        yield text[start:end]
        start = end
    yield text[start:]


def _count_part(part: Part, count: Callable[[str], int]) -> int:
    size = len(part.data)
    match part.kind:
        case "image":
            return _count_image(part)
        case "thinking" if part.media_type == "application/octet-stream":
            return ceil(size / 4)
        case "tool_use":
            return count(part.name or "") + count(_text(part))
        case "tool_result" if part.media_type == "application/json":
            return sum(_count_part(inner, count) for inner in inner_parts(part))
        case "document":
            return _count_document(part, count)
        case "audio" if part.media_type != "application/json":
            return ceil(size / 1_600)
        case "json":
            return _count_json(part, count)
    return count(_text(part))


def _count_image(part: Part) -> int:
    size = image_size(part.data) if part.media_type.startswith("image/") else None
    if size is None:
        return 765
    scale = min(1, 2_048 / max(size), 768 / min(size))
    # The small step keeps a side that was scaled to exactly 512 or 1,024 from becoming one tile more.
    tiles = [ceil(side * scale / 512 - 1e-9) for side in size]
    return 85 + 170 * tiles[0] * tiles[1]


def _count_document(part: Part, count: Callable[[str], int]) -> int:
    inside = inner_parts(part)
    if inside:
        block = foreign_json(part.data)
        return _count_heading(block, count) + sum(_count_part(inner, count) for inner in inside)
    heading = _count_heading(foreign_json(part.extras), count) if part.extras else 0
    if part.media_type.startswith("text/") or re.search(r"[/+](?:json|xml)$", part.media_type):
        return heading + count(_text(part))
    return heading + min(ceil(len(part.data) / 16), 100_000)


def _count_heading(block: Any, count: Callable[[str], int]) -> int:
    found = [block.get("title"), block.get("context")] if isinstance(block, dict) else []
    return sum(count(text) for text in found if isinstance(text, str))


def _count_json(part: Part, count: Callable[[str], int]) -> int:
    value = foreign_json(part.data) if b'"encrypted_' in part.data else None
    if value is None:
        return count(_text(part))
    sealed: list[str] = []
    opened = _without_sealed(value, sealed)
    return count(dumps(opened).decode()) + sum(ceil(len(text) / 4) for text in sealed)


def _without_sealed(value: Any, sealed: list[str]) -> Any:
    """The value with texts that only the provider can read taken out, into the list."""
    if isinstance(value, list):
        return [_without_sealed(inner, sealed) for inner in value]
    if not isinstance(value, dict):
        return value
    opened = {}
    for key, inner in value.items():
        if key.startswith("encrypted_") and isinstance(inner, str):
            sealed.append(inner)
        else:
            opened[key] = _without_sealed(inner, sealed)
    return opened


def _text(part: Part) -> str:
    return part.data.decode(errors="replace")


def _encoding(name: str) -> Encoding:
    check_encoding(name)
    if (found := _encodings.get(name)) is None:
        with _loading:
            if (found := _encodings.get(name)) is None:
                found = _encodings[name] = _build(name)
    return found


def _build(name: str) -> Encoding:
    """tiktoken's own definition of the encoding, with our tables in place of its downloads.

    The definitions name their loader as a global of their module. A second copy of that module, known to
    nobody else, can be given another loader without a change to the one that the rest of the process uses.
    """
    spec = find_spec("tiktoken_ext.openai_public")
    if spec is None or spec.loader is None:
        raise BackstoryError("The installed tiktoken has no definitions of OpenAI's encodings.")
    definitions = module_from_spec(spec)
    spec.loader.exec_module(definitions)
    for attribute, value in list(vars(definitions).items()):
        if getattr(value, "__module__", None) == "tiktoken.load":
            setattr(definitions, attribute, _refuse_download)
    definitions.load_tiktoken_bpe = _load_ranks  # type: ignore[attr-defined]
    return Encoding(**definitions.ENCODING_CONSTRUCTORS[name]())


def _load_ranks(url: str, expected_hash: str | None = None) -> dict[bytes, int]:
    """tiktoken's `load_tiktoken_bpe`, from package data."""
    name = url.rpartition("/")[2].removesuffix(".tiktoken")
    if name not in _RANK_TABLES:
        _refuse_download(url)
    packed = files("backstory.infrastructure.llm").joinpath(f"ranks/{name}.tiktoken.gz").read_bytes()
    try:
        table = gzip.decompress(packed)
    except (OSError, EOFError, zlib.error):
        table = b""
    if hashlib.sha256(table).hexdigest() != expected_hash:
        raise BackstoryError(f"The rank table of {name} is damaged: install the package again.")
    ranks = {}
    for line in table.splitlines():
        token, _, rank = line.partition(b" ")
        ranks[a2b_base64(token)] = int(rank)
    return ranks


def _refuse_download(*given: Any, **named: Any) -> NoReturn:
    raise BackstoryError(f"tiktoken asked for a table that is not shipped: {given or named}.")
