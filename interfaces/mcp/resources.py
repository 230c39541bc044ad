"""Resources: a session, a session at a version, an event, a recorded prompt, an item."""

import json

from backstory.domain.errors import ContentErased, InvalidInput
from backstory.interfaces.documents.events import RecordedEventDocument
from backstory.interfaces.mcp.door import Asked, Door
from backstory.interfaces.mcp.texts import cut, expanded_text

JSON, TEXT = "application/json", "text/plain"


class Resources:
    """The functions behind the addresses."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def session(self, asked: Asked, session: str) -> str:
        """A session as it is now, as the current-context.json document."""
        return self._state(asked, session, None)

    def session_at(self, asked: Asked, session: str, version: str) -> str:
        """A session as it was at a version."""
        return self._state(asked, session, _number("version", version))

    def event(self, asked: Asked, session: str, version: str) -> str:
        """One event of a session."""
        opened = self._door.open_session(asked, session, whole=True)
        number = _number("version", version)
        for event in opened.events(after=number - 1, upto=number):
            return json.dumps(RecordedEventDocument.recorded(event).as_json(), ensure_ascii=False)
        raise InvalidInput("version", f"must be one that the session has reached, got {number}")

    def prompt(self, asked: Asked, session: str, version: str) -> str:
        """The exact bytes of a recorded prompt, as the model saw it."""
        opened = self._door.open_session(asked, session, whole=True)
        made = opened.reproduce(_number("version", version))
        if made.context is None:
            raise ContentErased(
                f"the prompt at version {version} cannot be made again: a text in it was erased."
            )
        return made.context.data.decode()

    def item(self, asked: Asked, session: str, item: str) -> str:
        """An item whole; of a summary the items that it replaced."""
        opened = self._door.open_session(asked, session)
        return cut(expanded_text(opened, _number("item", item), record=False))

    def _state(self, asked: Asked, session: str, version: int | None) -> str:
        shown = self._door.open_session(asked, session).views.current_context(version)
        return json.dumps(shown, ensure_ascii=False)


ADDRESSES = {
    "backstory://session/{session}": ("session", JSON),
    "backstory://session/{session}/at/{version}": ("session_at", JSON),
    "backstory://session/{session}/event/{version}": ("event", JSON),
    "backstory://session/{session}/prompt/{version}": ("prompt", TEXT),
    "backstory://session/{session}/item/{item}": ("item", TEXT),
}
"""The templates of addresses, each with its function and its media type."""


def _number(field: str, text: str) -> int:
    if not (text.isdecimal() and len(text) < 10 and int(text) > 0):
        raise InvalidInput(field, f"must be a number from 1 on, got {text!r}")
    return int(text)
