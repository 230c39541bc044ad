"""The fields of events beside their texts: they are listed and never erased, so no secret may stand in them."""

import json
from collections.abc import Iterator
from typing import Any

from backstory.domain.safety.secrets import secrets_in
from backstory.domain.values import require_no_secret


def require_no_secrets(payload: bytes, effects: str | None) -> None:
    """Refuses the fields of an event where one holds a secret. Its texts are contents, looked through apart."""
    said = payload + b" " + (effects or "").encode()
    if secrets_in(said, by_form=True):
        for document in (payload, effects):
            for field, text in _texts(json.loads(document or "null"), ""):
                require_no_secret(field, text)


def _texts(value: Any, field: str) -> Iterator[tuple[str, str]]:
    """Each text in a JSON value with its field, but for the digests of contents."""
    if isinstance(value, str):
        yield field or "event", value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield field or name, name
            if name != "sha256":
                yield from _texts(one, f"{field}.{name}" if field else name)
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _texts(one, f"{field}[{place}]")
