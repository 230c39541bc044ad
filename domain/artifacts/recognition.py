"""Files recognized as artifacts: their ids, types and names."""

import re
from pathlib import PurePosixPath
from typing import NamedTuple

from backstory.domain.artifacts.values import CONFIG_ID, CONFIG_PATH
from backstory.domain.code.languages import language_of
from backstory.domain.text.titles import derived_title

_ID = re.compile(r"(?<![A-Za-z0-9])([A-Z]{2,20})-(\d{1,6})(?![A-Za-z0-9])")
_TYPES = {
    "IDEA": "idea",
    "MODULE": "module",
    "MOD": "module",
    "DOMAIN": "domain",
    "DOM": "domain",
    "REQUIREMENT": "requirement",
    "REQ": "requirement",
    "SPECIFICATION": "specification",
    "SPEC": "specification",
}
_DIAGRAMS = frozenset({".mmd", ".mermaid", ".puml", ".plantuml", ".drawio", ".dot", ".d2"})
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class Recognized(NamedTuple):
    """A file as an artifact."""

    id: str
    type: str
    name: str


def recognized(path: str, text: str) -> Recognized:
    """The artifact that a file is by its path and its first heading."""
    place = PurePosixPath(path)
    if path == CONFIG_PATH:
        return Recognized(CONFIG_ID, "config", "Project Configuration")
    named = _ID.findall(path)
    if named:
        prefix, number = named[-1]
        return Recognized(f"{prefix}-{number}", _TYPES.get(prefix, prefix.lower()), _name(place, text))
    return Recognized(_id_of(path), _type_of(place), _name(place, text))


def _type_of(place: PurePosixPath) -> str:
    if place.suffix.lower() in _DIAGRAMS:
        return "diagram"
    if any("template" in part.lower() for part in place.parts):
        return "template"
    return "code" if language_of(str(place)) is not None else "document"


def _id_of(path: str) -> str:
    return _UNSAFE.sub("-", path).strip("-._")[-100:].lstrip("-._") or "file"


def _name(place: PurePosixPath, text: str) -> str:
    for line in text.splitlines()[:20]:
        if place.suffix.lower() in (".md", ".markdown") and line.startswith("#"):
            return derived_title(line) or place.name[:200]
    return place.name[:200]
