"""Contents on their way into the log: sealed with a salt, named by digest, counted."""

import hashlib
import json
import os
from collections.abc import Sequence
from typing import Any

from backstory.application.safety.screen import Screen, of_tool
from backstory.domain.errors import InvalidInput, InvalidMessage
from backstory.domain.events.base import EventBody
from backstory.domain.log.references import PLAIN_TEXT, SALT_BYTES, ContentRef, PartRef, digest, references_in
from backstory.domain.messages.contents import PART_KINDS, Message, Part, text_bytes
from backstory.domain.messages.values import dumps, json_value
from backstory.domain.values import label, listed
from backstory.infrastructure.postgres.append import NewContent

MAX_CONTENT_BYTES = 16 * 2**20
"""A content is one prompt's worth at most; what is larger belongs in a file that an item names."""


MOST_CONTENTS = 32768
"""A content's place in its event is a smallint."""


class ContentBundle:
    """The contents of one event. Each is sealed once, so an append that is repeated says the same bytes. A `screen`
    looks through them first."""

    def __init__(self, screen: Screen | None = None) -> None:
        self.contents: list[NewContent] = []
        self.screen = screen
        self.flags: list[str] = []
        """A flag for each secret that the screen has found."""
        self.of_tools: set[int] = set()
        """The contents that tools said."""

    def text(self, field: str, text: str) -> ContentRef:
        """A text that must say something."""
        if not isinstance(text, str):
            raise InvalidInput(field, f"must be text, got {type(text).__name__}")
        if not text:
            raise InvalidInput(field, "must not be empty")
        return self.seal(field, text_bytes(field, text), PLAIN_TEXT)

    def optional(self, field: str, text: str | None) -> ContentRef | None:
        """Seals a text, if there is one."""
        return None if text is None else self.text(field, text)

    def each(self, field: str, texts: Sequence[str]) -> tuple[ContentRef, ...]:
        """Seals each of several texts."""
        return tuple(self.text(f"{field}[{place}]", text) for place, text in enumerate(listed(field, texts)))

    def json(self, field: str, value: Any) -> ContentRef | None:
        """Seals a JSON value, if there is one. SDK objects become what the API is sent."""
        return None if value is None else self.seal(field, json_bytes(field, value), "application/json")

    def parts(self, field: str, parts: Sequence[Part]) -> tuple[PartRef, ...]:
        """Seals the parts of a message."""
        refs = []
        for place, part in enumerate(parts):
            where = f"{field}[{place}]"
            if not isinstance(part, Part):
                raise InvalidInput(where, f"must be a Part, got {type(part).__name__}")
            if part.kind not in PART_KINDS:
                raise InvalidInput(f"{where}.kind", f"must be one of {', '.join(PART_KINDS)}")
            refs.append(
                PartRef(
                    content=self.seal(
                        where,
                        part.data,
                        label(f"{where}.media_type", part.media_type),
                        of_tool=of_tool(part),
                    ),
                    kind=part.kind,
                    call_id=_optional_label(f"{where}.call_id", part.call_id),
                    name=_optional_label(f"{where}.name", part.name),
                    extras=self._extras(where, part.extras),
                )
            )
        return tuple(refs)

    def message_extras(self, message: Message) -> ContentRef | None:
        """Seals the fields of a message that only its provider knows, if there are any."""
        return self._extras("message", message.extras)

    def _extras(self, field: str, extras: bytes | None) -> ContentRef | None:
        return None if extras is None else self.seal(f"{field}.extras", extras, "application/json")

    def require_named_by(self, body: EventBody) -> None:
        """Sees to it that the body names these contents and no others, or the event could not be verified."""
        named = {(ref.get("part", 0), ref["sha256"]) for ref in references_in(json.loads(body.encode()))}
        held = {
            (content.part, digest(content.salt, content.media_type, content.data))
            for content in self.contents
        }
        if named - held:
            raise InvalidInput(
                "body", "names a content, by `sha256` and `size`, that is not among `contents`"
            )
        if held - named:
            raise InvalidInput(
                "contents", "must each be named in the body, by the reference that sealing gave"
            )

    def seal(self, field: str, data: bytes, media_type: str, *, of_tool: bool = False) -> ContentRef:
        """Adds bytes under a new salt. Returns the reference that an event's body names them by. `of_tool` says that
        they are what a tool answered."""
        if not isinstance(data, bytes):
            raise InvalidInput(field, f"must be bytes, got {type(data).__name__}")
        if len(self.contents) == MOST_CONTENTS:
            raise InvalidInput(field, f"is one too many: an event has at most {MOST_CONTENTS} contents")
        if len(data) > MAX_CONTENT_BYTES:
            limit = MAX_CONTENT_BYTES // 2**20
            raise InvalidInput(field, f"must have at most {limit} MiB, has {len(data) / 2**20:.1f}")
        if self.screen is not None:
            data, flags = self.screen.look_through(data, media_type, of_tool=of_tool)
            self.flags += flags
        if of_tool:
            self.of_tools.add(len(self.contents))
        salt = os.urandom(SALT_BYTES)
        ref = ContentRef(
            sha256=digest(salt, media_type, data),
            size=len(data),
            media_type=media_type,
            part=len(self.contents),
        )
        self.contents.append(NewContent(ref.part, media_type, salt, data))
        return ref

    def unsalted(self, text: str) -> str:
        """The text with each salted digest replaced by one that only depends on what was said."""
        for content in self.contents:
            salted = digest(content.salt, content.media_type, content.data)
            if salted in text:
                text = text.replace(salted, hashlib.sha256(content.data).hexdigest())
        return text


def resealed(bundle: ContentBundle, body: EventBody, screen: Screen) -> tuple[ContentBundle, EventBody]:
    """The contents of an event of a caller's own after a screen has looked through them, and the body that names
    them."""
    looked = ContentBundle(screen)
    changed: dict[str, dict[str, Any]] = {}
    for content in bundle.contents:
        data, flags = screen.look_through(
            content.data, content.media_type, of_tool=content.part in bundle.of_tools
        )
        looked.flags += flags
        looked.contents.append(content._replace(data=data))
        if data is not content.data:
            named = digest(content.salt, content.media_type, content.data)
            sealed = digest(content.salt, content.media_type, data)
            changed[named] = {"sha256": sealed, "size": len(data)}
    if not changed:
        return looked, body
    payload = json.loads(body.encode())
    for ref in references_in(payload):
        ref.update(changed.get(ref["sha256"], {}))
    return looked, type(body).model_validate_json(json.dumps(payload))


def json_bytes(field: str, value: Any) -> bytes:
    """A caller's value as compact JSON."""
    try:
        return dumps(json_value(value, field))
    except InvalidMessage as error:
        raise InvalidInput(error.field, error.rule) from None


def _optional_label(field: str, text: str | None) -> str | None:
    # Some local models leave ids empty.
    return text if text is None or text == "" else label(field, text)
