"""Answers that come in pages or as streams."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from backstory.domain.events import Event
from backstory.interfaces.client.handle import RemoteHandle
from backstory.interfaces.client.results import value_of

EVENTS_AT_ONCE = 500


def events_after(handle: RemoteHandle, after: int, query: Mapping[str, Any]) -> Iterator[Event]:
    """The events of a session or a project after a version, a page at a time: a lost connection costs one page."""
    following: int | None = after
    while following is not None:
        page = handle.read(
            "/events", {**query, "after": str(following), "limit": str(EVENTS_AT_ONCE)}
        ).document
        for document in page["events"]:
            yield value_of(Event, document)
        following = page["next"]


def json_lines(handle: RemoteHandle, path: str, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
    """The lines of a stream of JSON objects."""
    with handle.connection.stream(
        "GET", handle.path + path, query=query, headers=handle.headers()
    ) as response:
        for line in response.iter_lines():
            if line:
                yield json.loads(line)
