"""The contents that an event names, with their bytes."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from backstory.application.contents.source import Bytes
from backstory.domain.events import Event, EventBody, UnknownBody
from backstory.domain.log.references import PLAIN_TEXT


class NamedContent(NamedTuple):
    """One content of an event: the field that names it, and its bytes unless they were erased."""

    field: str
    kind: str
    media_type: str
    size: int
    data: bytes | None
    name: str | None = None
    call_id: str | None = None

    @property
    def erased(self) -> bool:
        """Whether the bytes were erased."""
        return self.data is None

    @property
    def text(self) -> str | None:
        """The bytes as text. None if they were erased or are not text."""
        if self.data is None or not (self.media_type.startswith("text/") or self.media_type.endswith("json")):
            return None
        return self.data.decode(errors="replace")


def contents_of(event: Event, held: Bytes) -> tuple[NamedContent, ...]:
    """Every content of an event, of known and unknown types."""
    return tuple(
        _named(event.version, field, ref, part, held) for field, ref, part in _references(payload_of(event))
    )


def payload_of(event: Event) -> Any:
    """The payload of an event as JSON values. Texts are contents and not part of it."""
    if isinstance(event.body, EventBody):
        return event.body.model_dump(mode="json", exclude_defaults=True)
    return _decoded(event.body)


def _decoded(body: UnknownBody) -> Any:
    try:
        return json.loads(body.payload)
    except ValueError:
        return None


def _named(version: int, field: str, ref: dict[str, Any], part: dict[str, Any], held: Bytes) -> NamedContent:
    return NamedContent(
        field,
        part.get("kind", "text"),
        ref.get("media_type", PLAIN_TEXT),
        ref["size"],
        held.get((version, ref.get("part", 0))),
        part.get("name"),
        part.get("call_id"),
    )


def _references(payload: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each content reference with its field and, for a message's part, the part."""
    if isinstance(payload, dict):
        if "sha256" in payload and "size" in payload:
            yield path, payload, {}
            return
        for name, value in payload.items():
            if path and name == "content" and isinstance(value, dict) and "sha256" in value:
                yield path, value, payload
            else:
                yield from _references(value, f"{path}.{name}".lstrip("."))
    elif isinstance(payload, list):
        for place, value in enumerate(payload):
            yield from _references(value, f"{path}.{place}".lstrip("."))
