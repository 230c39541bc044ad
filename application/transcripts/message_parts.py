"""The joining of message parts that came on separate lines."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from backstory.application.transcripts.steps import TranscriptCompaction, TranscriptMessage, TranscriptStep
from backstory.domain import messages as formats
from backstory.domain.errors import InvalidInput

LONGEST_WAIT = 1_000
"""Steps that may wait for the next part of a message. Bounds memory."""


@dataclass(slots=True)
class _Waiting:
    step: TranscriptStep


class MessageJoiner:
    """Passes steps on in order, and joins parts of one message. Results of its own calls and lines without a message
    may come between the parts; any other message in its window ends it."""

    def __init__(self) -> None:
        self._queue: deque[_Waiting] = deque()
        self._open: dict[tuple[str, ...], _Waiting] = {}

    def add(self, step: TranscriptStep) -> Iterator[TranscriptStep]:
        """Takes a step. Returns those that are complete."""
        action = step.action
        if isinstance(action, TranscriptCompaction):
            self._open.pop((action.window,), None)
        if isinstance(action, TranscriptMessage):
            begun = self._open.get(action.windows)
            whole = None if begun is None else _joined(begun.step, step)
            if begun is not None and whole is not None:
                begun.step = whole
                return
            if not action.answers:
                self._open.pop(action.windows, None)
        waiting = _Waiting(step)
        self._queue.append(waiting)
        if isinstance(action, TranscriptMessage) and action.joins is not None:
            self._open[action.windows] = waiting
        yield from self._ready()

    def rest(self) -> Iterator[TranscriptStep]:
        """The steps that still wait, at the end of a file."""
        self._open.clear()
        yield from self._ready()

    def _ready(self) -> Iterator[TranscriptStep]:
        while self._queue:
            first = self._queue[0]
            if len(self._queue) <= LONGEST_WAIT and any(first is begun for begun in self._open.values()):
                return
            self._open = {window: begun for window, begun in self._open.items() if begun is not first}
            yield self._queue.popleft().step


def _joined(first: TranscriptStep, later: TranscriptStep) -> TranscriptStep | None:
    """The two steps as one message. None if they are not parts of one."""
    begun, more = first.action, later.action
    assert isinstance(begun, TranscriptMessage)
    assert isinstance(more, TranscriptMessage)
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
    action = replace(begun, message=message, call=more.call or begun.call)
    return replace(first, lines=first.lines + later.lines, action=action, about=first.about or later.about)


def _blocks(said: TranscriptMessage) -> list[Any]:
    content = said.message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]
