"""Contents as they were recorded: hostile input, served so that no browser runs it."""

import hashlib
import re
from typing import Any

from fastapi import Request
from starlette.responses import Response

from backstory.application.session import Session
from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import Part

SHOWN_TYPES = frozenset({"text/plain", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"})
"""The media types that a browser may show; the others are downloads. An SVG can run scripts."""
SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"
CONTENT: dict[str, Any] = {
    "response_class": Response,
    "responses": {
        200: {
            "description": "The bytes.",
            "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}},
        },
        206: {
            "description": "The range that was asked for.",
            "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}},
        },
        304: {"description": "The client has them already."},
    },
}
"""For routes that answer a content."""

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")
_TYPE = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}")


def content_response(request: Request, session: Session, item: int, place: int) -> Response:
    """One part of an item: the whole of it, or the range that the request asks for."""
    parts = session.items.parts(item)
    if place >= len(parts):
        raise InvalidInput("part", f"must be less than {len(parts)}: item {item} has {len(parts)} parts")
    part = parts[place]
    headers = headers_of(part, f"item-{item}-{place}")
    tag = f'"{hashlib.sha256(part.data).hexdigest()[:32]}"'
    headers |= {"ETag": tag, "Accept-Ranges": "bytes"}
    if request.headers.get("if-none-match") in (tag, "*"):
        return Response(status_code=304, headers=headers)
    size = len(part.data)
    asked = None if request.headers.get("if-range", tag) != tag else request.headers.get("range")
    span = None if asked is None else span_of(asked, size)
    if span is None:
        return Response(part.data, headers=headers)
    first, last = span
    if first >= size:
        return Response(status_code=416, headers=headers | {"Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {first}-{last}/{size}"
    return Response(part.data[first : last + 1], 206, headers)


def headers_of(part: Part, name: str) -> dict[str, str]:
    """The headers that keep a content from being run."""
    kind = part.media_type.partition(";")[0].strip().lower()
    shown = kind in SHOWN_TYPES
    kind = kind if _TYPE.fullmatch(kind) else "application/octet-stream"
    return {
        "Content-Type": "text/plain; charset=utf-8" if kind == "text/plain" else kind,
        "Content-Disposition": "inline" if shown else f'attachment; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": SANDBOX,
        "Cross-Origin-Resource-Policy": "same-origin",
    }


def span_of(asked: str, size: int) -> tuple[int, int] | None:
    """The first and the last byte of the one range that is asked for. Several at once, and what is no range, ask for
    the whole."""
    found = _RANGE.fullmatch(asked.strip().replace(" ", ""))
    if found is None or not (found[1] or found[2]):
        return None
    if not found[1]:
        length = min(int(found[2]), size)
        return (size - length, size - 1) if length else (size, size)
    first = int(found[1])
    last = min(int(found[2]), size - 1) if found[2] else size - 1
    return None if found[2] and int(found[2]) < first else (first, last)
