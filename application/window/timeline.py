"""The usage of a window for a drawing: so many columns, whatever the length of the session, and what stands out.

Folding a long history takes seconds, so a service keeps the numbers of the sessions that are looked at, some twenty
bytes a version, and reads only what was appended since."""

from array import array
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple
from uuid import UUID

from backstory.application.session import Session
from backstory.application.window.results import CallPoint, UsagePoint
from backstory.domain.errors import InvalidInput
from backstory.domain.values import MAIN_WINDOW, microseconds, version_number, whole_number

MOST_COLUMNS = 5_000
MOST_LISTED = 2_000
"""The most calls and decisions that are listed one by one; with more of them, the columns count them."""
KEPT = 16
"""Sessions whose numbers are kept."""


class Column(NamedTuple):
    """One version, or as many as `step` says."""

    version: int
    """The last of them."""
    at: int
    """The time of the last, in milliseconds since 1970."""
    tokens: int
    """The window's tokens after the last."""
    low: int
    high: int
    type: str
    """The type of the last event."""
    calls: int
    """Calls of models."""
    input_tokens: int
    """The largest prompt among them."""


class TimelineMark(NamedTuple):
    """A version that stands out: compaction, stubs, undo, checkpoint, alert, backtrack, clear, fork, decision, end."""

    version: int
    kind: str
    note: str | None
    at: int
    tokens: int


class TimelineCall(NamedTuple):
    """A call of a model."""

    version: int
    call: CallPoint


class Jump(NamedTuple):
    """A version that continues from another than the one before it."""

    version: int
    follows: int


class LimitChange(NamedTuple):
    """The limit of the window from a version on."""

    version: int
    limit: int | None


class Timeline(NamedTuple):
    """A window over some of a session's versions."""

    session: UUID
    window: str
    newest: int
    after: int
    upto: int
    step: int
    columns: list[Column]
    marks: list[TimelineMark]
    calls: list[TimelineCall] | None
    """None where there are too many to list."""
    jumps: list[Jump]
    limits: list[LimitChange]
    cost_usd: float
    """The cost of all calls, on abandoned branches too."""


class _Line:
    """The numbers of one window, up to a version."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.at, self.tokens, self.types = array("q"), array("q"), array("h")
        self.names: list[str] = []
        self.limits: list[LimitChange] = []
        self.marks: list[TimelineMark] = []
        self.calls: list[TimelineCall] = []
        self.jumps: list[Jump] = []
        self.cost = 0.0

    def __len__(self) -> int:
        return len(self.at)

    def extend(self, session: Session, window: str) -> None:
        """Takes in what was appended since."""
        for point in session.window.usage(window, after=len(self)):
            self._add(point)

    def _add(self, point: UsagePoint) -> None:
        at = microseconds(point.at) // 1000
        self.at.append(at)
        self.tokens.append(point.tokens)
        if point.type not in self.names:
            self.names.append(point.type)
        self.types.append(self.names.index(point.type))
        if not self.limits or self.limits[-1].limit != point.limit:
            self.limits.append(LimitChange(point.version, point.limit))
        if point.call is not None:
            self.calls.append(TimelineCall(point.version, point.call))
            self.cost += point.call.cost_usd or 0.0
        if point.follows is not None and point.follows != point.version - 1:
            self.jumps.append(Jump(point.version, point.follows))
        kind = point.mark or _KINDS.get(point.type)
        if kind is not None:
            self.marks.append(TimelineMark(point.version, kind, point.note, at, point.tokens))

    def columns(self, after: int, upto: int, step: int) -> list[Column]:
        calls: dict[int, tuple[int, int]] = {}
        for version, call in self.calls:
            if after < version <= upto:
                place = (version - after - 1) // step
                count, largest = calls.get(place, (0, 0))
                calls[place] = (count + 1, max(largest, call.input_tokens or 0))
        found = []
        for place, first in enumerate(range(after, upto, step)):
            last = min(first + step, upto)
            held = self.tokens[first:last]
            found.append(
                Column(
                    last,
                    self.at[last - 1],
                    held[-1],
                    min(held),
                    max(held),
                    self.names[self.types[last - 1]],
                    *calls.get(place, (0, 0)),
                )
            )
        return found


_KINDS = {"session.forked": "fork", "decision.recorded": "decision", "session.ended": "end"}


class Timelines:
    """The timelines of the sessions that were looked at lately."""

    def __init__(self) -> None:
        self._lines: OrderedDict[tuple[UUID, str], _Line] = OrderedDict()
        self._lock = Lock()

    def read(
        self,
        session: Session,
        window: str = MAIN_WINDOW,
        *,
        after: int = 0,
        upto: int | None = None,
        columns: int = 1_000,
    ) -> Timeline:
        """A window between two versions, in at most so many columns. A column is one version, or 4, 16, 64, …"""
        whole_number("columns", columns, minimum=1, maximum=MOST_COLUMNS)
        newest = session.version
        last = newest if upto is None else version_number("upto", upto)
        if not 0 <= after < last <= newest:
            raise InvalidInput("upto", f"must be above after and at most {newest}, the newest version")
        line = self._line(session.id, window, newest)
        with line.lock:
            line.extend(session, window)
            step = 1
            while (last - after) / step > columns:
                step *= 4
            calls = [call for call in line.calls if after < call.version <= last]
            return Timeline(
                session=session.id,
                window=window,
                newest=len(line),
                after=after,
                upto=last,
                step=step,
                columns=line.columns(after, last, step),
                marks=_listed([mark for mark in line.marks if after < mark.version <= last]),
                calls=calls if len(calls) <= MOST_LISTED else None,
                jumps=list(line.jumps),
                limits=list(line.limits),
                cost_usd=line.cost,
            )

    def _line(self, session: UUID, window: str, newest: int) -> _Line:
        with self._lock:
            line = self._lines.get((session, window))
            # A session that was purged and imported again begins anew.
            if line is None or len(line) > newest:
                line = _Line()
            self._lines[session, window] = line
            self._lines.move_to_end((session, window))
            while len(self._lines) > KEPT:
                self._lines.popitem(last=False)
            return line


def _listed(marks: list[TimelineMark]) -> list[TimelineMark]:
    """The marks, without the decisions where there are too many."""
    if len(marks) <= MOST_LISTED:
        return marks
    return [mark for mark in marks if mark.kind != "decision"]
