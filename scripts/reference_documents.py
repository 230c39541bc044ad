"""docs/reference/documents.md and a JSON Schema for each document, from interfaces/documents."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backstory.interfaces.cli.manual import MANUALS
from backstory.interfaces.cli.root import every_command
from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.errors import ErrorDocument, NoticeDocument, WarningDocument

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
PAGE = REFERENCE / "documents.md"
SCHEMAS = REFERENCE / "schemas"

HEAD = """\
# Result documents

<!-- Made by `make docs` from interfaces/documents. Do not edit. -->

The command line prints these documents with `--json`. Each has a JSON Schema in [schemas/](schemas). Fields are only
ever added. Times are ISO 8601 in UTC, ids are UUIDs.
"""

ON_STDERR = {
    ErrorDocument: "every command that fails",
    NoticeDocument: "commands with something worth knowing",
    WarningDocument: "commands that follow or work for long",
}


def pages() -> dict[Path, str]:
    """The page, and the schema of every document on it."""
    files = {SCHEMAS / f"{slug(kind)}.json": _schema_text(kind) for kind in printed()}
    return {PAGE: render(), **files}


def render() -> str:
    """The page."""
    sections = [HEAD, _contents()]
    sections += [_section(kind, f"Printed by {_commands(words)}.") for kind, words in printed().items()]
    sections += [
        _section(kind, f"Printed on stderr by {words}, on one line.") for kind, words in ON_STDERR.items()
    ]
    sections += ["## Parts of documents\n", *_parts()]
    return "\n".join(sections)


def printed() -> dict[type[Document], list[str]]:
    """The documents, each with the commands that print it."""
    found: dict[type[Document], list[str]] = {}
    for words, _ in every_command():
        manual = MANUALS[words]
        for kind in filter(None, (manual.document, manual.instead)):
            found.setdefault(kind, []).append(words)
    return found


def slug(kind: type[Document]) -> str:
    """A document's name in files and links: `feed-event` for FeedEventDocument."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__.removesuffix("Document")).lower()


def link_to(kind: type[Document]) -> str:
    """A link to a document's section."""
    return f"[{kind.__name__}](documents.md#{kind.__name__.lower()})"


def schema(kind: type[Document]) -> dict[str, Any]:
    """A document's JSON Schema."""
    return kind.model_json_schema(mode="serialization", by_alias=True)


def _schema_text(kind: type[Document]) -> str:
    address = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps({**address, **schema(kind)}, indent=2, ensure_ascii=False) + "\n"


def _contents() -> str:
    rows = [f"| [{kind.__name__}](#{kind.__name__.lower()}) | {_summary(kind)} |" for kind in printed()]
    return "\n".join(["| document | |", "|---|---|", *rows, ""])


def _summary(kind: type[Document]) -> str:
    return (kind.__doc__ or "").strip()


def _commands(words: list[str]) -> str:
    links = [f"[`{one}`](cli.md#backstory-{one.replace(' ', '-')})" for one in words]
    return ", ".join(links)


def _section(kind: type[Document], printed_by: str) -> str:
    lines = [f"## {kind.__name__}", "", _summary(kind), "", printed_by]
    if kind not in ON_STDERR:
        lines[-1] += f" JSON Schema: [{slug(kind)}.json](schemas/{slug(kind)}.json)."
    return "\n".join([*lines, "", *_table(schema(kind))])


def _parts() -> Iterator[str]:
    """The documents that only stand within others."""
    whole = {kind.__name__ for kind in (*printed(), *ON_STDERR)}
    parts: dict[str, Any] = {}
    for kind in (*printed(), *ON_STDERR):
        parts |= schema(kind).get("$defs", {})
    for name in sorted(parts.keys() - whole):
        yield "\n".join([f"### {name}", "", parts[name]["description"], "", *_table(parts[name])])


def _table(made: dict[str, Any]) -> Iterator[str]:
    yield "| field | type | |"
    yield "|---|---|---|"
    for name, field in made["properties"].items():
        yield f"| `{name}` | {_type(field)} | {field['description']} |"
    yield ""


def _type(field: dict[str, Any]) -> str:
    """A field's type in words."""
    if "$ref" in field:
        name = str(field["$ref"]).rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    kind = field.get("type", "any")
    if kind == "array" and "prefixItems" in field:
        return f"pair of {_type(field['prefixItems'][0])}"
    if kind == "array":
        return f"list of {_type(field['items'])}"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"object of {_type(field['additionalProperties'])}"
    return str(field.get("format", kind))
