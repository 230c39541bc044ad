"""Which files are code, in which language, and which are left out."""

import re
from pathlib import PurePosixPath
from typing import NamedTuple

LARGEST = 1_000_000
"""Bytes of the largest file that is read. What is larger is data, or made by a program."""
LONG_LINES = 400
"""Characters of a line, on average, from which a file counts as minified."""

LANGUAGES = {
    suffix: language
    for language, suffixes in {
        "bash": "sh bash",
        "c": "c h",
        "clojure": "clj cljs",
        "cpp": "cc cpp cxx hh hpp hxx",
        "csharp": "cs",
        "css": "css scss",
        "dart": "dart",
        "elixir": "ex exs",
        "erlang": "erl",
        "go": "go",
        "haskell": "hs",
        "java": "java",
        "javascript": "js jsx mjs cjs",
        "julia": "jl",
        "kotlin": "kt kts",
        "lua": "lua",
        "ocaml": "ml mli",
        "perl": "pl pm",
        "php": "php",
        "proto": "proto",
        "python": "py pyi",
        "r": "r",
        "ruby": "rb",
        "rust": "rs",
        "scala": "scala",
        "sql": "sql",
        "svelte": "svelte",
        "swift": "swift",
        "terraform": "tf",
        "tsx": "tsx",
        "typescript": "ts mts cts",
        "vue": "vue",
        "zig": "zig",
    }.items()
    for suffix in suffixes.split()
}
"""The language of a file, by its suffix."""

VENDORED = frozenset(
    [
        *("bower_components", "node_modules", "site-packages", "third_party", "thirdparty"),
        *("vendor", "_vendor", "vendored", "venv", ".venv", "__pycache__"),
    ]
)
"""Folders that hold other people's code, or what a tool made."""

_GENERATED_NAME = re.compile(
    r"(_pb2(_grpc)?\.pyi?|\.pb(\.gw)?\.go|\.min\.(js|css)|\.generated\.\w+|_generated\.\w+)$"
)
_GENERATED_TEXT = re.compile(
    r"@generated\b|\b(?:code|file|automatically|auto-?)\s*(?:is|was)?\s*generated\b.{0,80}\b(?:do not|don't) edit"
    r"|\b(?:do not|don't) edit\b.{0,80}\bgenerated\b",
    re.IGNORECASE | re.DOTALL,
)
_HEAD = 1_000


class LeftOut(NamedTuple):
    """A file that is no part of the index, and the reason."""

    path: str
    reason: str


def language_of(path: str) -> str | None:
    """The language of a code file; None for other files."""
    return LANGUAGES.get(PurePosixPath(path).suffix[1:].lower())


def refusal_by_path(path: str) -> str | None:
    """The reason why a file is left out, as far as its path tells."""
    parts = PurePosixPath(path).parts
    folder = next((part for part in parts[:-1] if part.lower() in VENDORED), None)
    if folder is not None:
        return f"in {folder}, which holds code from elsewhere"
    if _GENERATED_NAME.search(parts[-1].lower()):
        return "generated, by its name"
    return None


def refusal_by_content(data: bytes) -> str | None:
    """The reason why a file is left out, as far as its bytes tell."""
    if len(data) > LARGEST:
        return f"larger than {LARGEST:,} bytes"
    if b"\0" in data[:8_000]:
        return "binary"
    if _GENERATED_TEXT.search(data[:_HEAD].decode("utf-8", "replace")):
        return "generated, as its first lines say"
    if len(data) > 2_000 and len(data) / (data.count(b"\n") + 1) > LONG_LINES:
        return "minified"
    return None
