"""Puts together the parts of a message that came on lines of their own."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from backstory.application.transcripts.steps import Compacted, Said, Step
from backstory.domain import messages as formats
from backstory.domain.errors import InvalidInput

LONGEST_WAIT = 1_000
"""Steps that may wait for the next part of a message, so that memory stays bounded."""


@dataclass(slots=True)
class _Waiting:
    step: Step


class Joiner:
    """Lets steps through in order, and adds to a message whatever part of it follows. Between the parts there may be
    results of its own calls and lines that nobody said; anything else that is said in its window ends it."""

    def __init__(self) -> None:
        self._queue: deque[_Waiting] = deque()
        self._open: dict[tuple[str, ...], _Waiting] = {}

    def add(self, step: Step) -> Iterator[Step]:
        """Takes one step, and gives those that wait for nothing any more."""
        deed = step.deed
        if isinstance(deed, Compacted):
            self._open.pop((deed.window,), None)
        if isinstance(deed, Said):
            begun = self._open.get(deed.windows)
            whole = None if begun is None else _joined(begun.step, step)
            if begun is not None and whole is not None:
                begun.step = whole
                return
            if not deed.answers:
                self._open.pop(deed.windows, None)
        waiting = _Waiting(step)
        self._queue.append(waiting)
        if isinstance(deed, Said) and deed.joins is not None:
            self._open[deed.windows] = waiting
        yield from self._ready()

    def rest(self) -> Iterator[Step]:
        """All that still waits, at the end of a file."""
        self._open.clear()
        yield from self._ready()

    def _ready(self) -> Iterator[Step]:
        while self._queue:
            first = self._queue[0]
            if len(self._queue) <= LONGEST_WAIT and any(first is begun for begun in self._open.values()):
                return
            self._open = {window: begun for window, begun in self._open.items() if begun is not first}
            yield self._queue.popleft().step


def _joined(first: Step, later: Step) -> Step | None:
    """The two as one; None where they are not parts of one message."""
    begun, more = first.deed, later.deed
    assert isinstance(begun, Said)
    assert isinstance(more, Said)
    if begun.joins is None or begun.joins != more.joins:
        return None
    said, added = _blocks(begun), _blocks(more)
    if added[: len(said)] == said:
        # Some versions write all that was said so far on each line.
        blocks = added
    else:
        calls = {block.get("id") for block in said if isinstance(block, dict)} - {None}
        blocks = [
            *said,
            *(block for block in added if not (isinstance(block, dict) and block.get("id") in calls)),
        ]
    message = begun.message | {"content": blocks}
    try:
        formats.parse(begun.format, message)
    except InvalidInput:
        return None
    deed = replace(begun, message=message, call=more.call or begun.call)
    return replace(first, origins=first.origins + later.origins, deed=deed, about=first.about or later.about)


def _blocks(said: Said) -> list[Any]:
    content = said.message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]
