"""The feed of a service."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from backstory.application.feed.feed import LAST_POSITION, Feed, FeedEvent
from backstory.application.feed.follower import Follower
from backstory.application.queries.event_contents import NamedContent
from backstory.domain.events import Event
from backstory.domain.values import whole_number
from backstory.interfaces.client.handle import RemoteHandle
from backstory.interfaces.client.reading import EVENTS_AT_ONCE
from backstory.interfaces.client.results import value_of


class RemoteFeedEvent(FeedEvent):
    """See FeedEvent."""

    __slots__ = ("_payload",)

    def __init__(self, document: Mapping[str, Any]) -> None:
        event: Event = value_of(Event, document)
        self._event = event
        self._payload = document["payload"]
        self.position = document["position"]
        self.session = event.stream
        self.version = event.version
        self.type = event.type
        self.project = document["project"]
        self.contents = tuple(map(_content, document["contents"] or ()))

    @property
    def event(self) -> Event:
        assert self._event is not None
        return self._event

    @property
    def payload(self) -> bytes:
        return b"" if self._payload is None else json.dumps(self._payload, ensure_ascii=False).encode()


class ContentElsewhere(NamedContent):
    """A content that is no text: `session.items.parts` gets its bytes from the service."""

    __slots__ = ()

    @property
    def erased(self) -> bool:
        return False


class RemoteFeed(Feed):
    """Reads the feed a page at a time, and hears of new events over a stream."""

    def __init__(self, handle: RemoteHandle, *, after: int, follow: bool, query: Mapping[str, Any]) -> None:
        Follower.__init__(self, handle.connection, follow=follow)
        self.position = whole_number("after", after, minimum=0, maximum=LAST_POSITION)
        self._handle = handle
        self._query = {**query, "limit": str(EVENTS_AT_ONCE)}
        self._read_upto = self.position
        self._at_present = False

    @property
    def longest_wait(self) -> float:
        return super(Feed, self).longest_wait

    def _read(self) -> Sequence[FeedEvent]:
        page = self._handle.read("/feed", {**self._query, "after": str(self._read_upto)}).document
        self._read_upto = page["position"]
        self._at_present = len(page["events"]) < EVENTS_AT_ONCE
        if not page["events"]:
            self.position = self._read_upto
        return [RemoteFeedEvent(document) for document in page["events"]]

    @property
    def _ended(self) -> bool:
        return self._at_present and not self._follow


def _content(document: Mapping[str, Any]) -> NamedContent:
    text = document["text"]
    kind = NamedContent if document["erased"] or text is not None else ContentElsewhere
    return kind(
        document["field"],
        document["kind"],
        document["media_type"],
        document["size"],
        None if text is None else text.encode(),
        document["name"],
        document["call_id"],
    )
