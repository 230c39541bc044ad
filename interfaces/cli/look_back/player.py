"""The screen on which a session is replayed by hand."""

import re

from rich.console import Console, Group
from rich.rule import Rule
from rich.screen import Screen

from backstory.application.queries.history import ReplayStep, SessionHistory
from backstory.interfaces.cli.look_back.keyboard import keyboard
from backstory.interfaces.cli.output.event_lines import event_line, full_text
from backstory.interfaces.cli.output.state_view import change_lines, totals
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.wording import moment, one_line, session_name, short_id

NEXT = {"n", " ", "\r", "\n", "j", "\x1b[C", "\x1b[B", "\x1bOC", "\x1bOB"}
PREVIOUS = {"p", "k", "\x7f", "\x08", "\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA"}
FIRST, LAST = {"0", "\x1b[H", "\x1bOH", "\x1b[1~"}, {"$", "\x1b[F", "\x1bOF", "\x1b[4~"}
QUIT = {"q", "\x1b", "\x03", "\x04"}
_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|.", re.DOTALL)
KEYS = "n next   p previous   g… go to a version   0 first   $ last   q quit"


class Player:
    """Shows one step at a time and goes where the keys say."""

    def __init__(self, out: Console, history: SessionHistory, first: int, last: int | None) -> None:
        self._out = out
        self._history = history
        self._last = history.entry(last).version if last is not None else history.newest
        self._first = min(history.entry(first).version, self._last)
        self._version = self._first
        self._typed: str | None = None
        self._done = False

    def play(self) -> None:
        """Shows steps until a key quits."""
        try:
            with keyboard() as pressed, self._out.screen(hide_cursor=True) as screen:
                while not self._done:
                    screen.update(self.picture())
                    self.press(pressed())
        except (KeyboardInterrupt, EOFError):
            return

    def press(self, keys: str) -> None:
        """Takes what the terminal sent: a key of several characters, or several keys typed at once."""
        for key in _KEY.findall(keys):
            if self._typed is not None:
                self._type(key)
            elif key == "g":
                self._typed = ""
            elif key in QUIT:
                self._done = True
            else:
                self._go(key)

    def _go(self, key: str) -> None:
        if key in NEXT:
            self._version = min(self._version + 1, self._last)
        elif key in PREVIOUS:
            self._version = max(self._version - 1, self._first)
        elif key in FIRST:
            self._version = self._first
        elif key in LAST:
            self._version = self._last

    def _type(self, key: str) -> None:
        typed = self._typed or ""
        if key.isdigit():
            self._typed = typed + key
        elif key in ("\x7f", "\x08"):
            self._typed = typed[:-1]
        else:
            if key in ("\r", "\n") and typed:
                self._version = min(max(int(typed), self._first), self._last)
            self._typed = None

    def picture(self) -> Screen:
        """The whole screen at this version."""
        width, height = self._out.size
        step = self._history.step(self._version)
        timeline_rows = max(5, (height - 5) * 11 // 20)
        top = [*self._heading(step, width), *self._timeline(timeline_rows, width), Rule(style="quiet")]
        room = height - len(top) - 2
        detail = self._detail(step, width, room)
        return Screen(
            Group(*top, *detail, *[Text()] * (room - len(detail)), Rule(style="quiet"), self._footer())
        )

    def _heading(self, step: ReplayStep, width: int) -> list[Text | Rule]:
        place = f"version {self._version} of {self._history.newest}"
        title = Text(session_name(self._history.summary), "heading")
        title.truncate(width - len(place) - 2, overflow="ellipsis", pad=True)
        return [title.append(f"  {place}", "version"), Rule(style="quiet")]

    def _timeline(self, rows: int, width: int) -> list[Text]:
        """The events around this version, this one marked."""
        begin = min(max(self._first, self._version - rows // 2), max(self._first, self._last - rows + 1))
        end = min(self._last, begin + rows - 1)
        lines = []
        for entry in self._history.entries(after=begin - 1, upto=end):
            here = entry.version == self._version
            line = event_line(entry, width, mark="▸" if here else " ")
            if here:
                line.stylize("bold not dim", 6)
            lines.append(line)
        return lines

    def _detail(self, step: ReplayStep, width: int, room: int) -> list[Text]:
        """The event's text and its changes, cut to so many lines."""
        event = step.entry.event
        about = [event.type, event.actor, moment(event.occurred_at) + " UTC"]
        about.append(f"caused by {event.cause}" if event.cause else None)
        about.append(None if step.entry.live else "on an abandoned branch")
        about.append(f"from {short_id(event.stream)}" if step.entry.inherited else None)
        head = Text(
            "  ".join(one_line(part) for part in about if part), "type", no_wrap=True, overflow="ellipsis"
        )
        changes = [Text.assemble("  ", line) for line in change_lines(step, width - 4)]
        changes = changes or [Text("  nothing in the context changed", "quiet")]
        said = [
            Text.assemble("  ", line)
            for line in Text(full_text(step.entry.contents)).wrap(self._out, width - 4)
        ]
        said = _shortest(said, max(1, room - min(len(changes), room // 2) - 4))
        changes = _shortest(changes, room - len(said) - 4)
        return [head, *said, Text(), *changes, Text(f"  = {totals(step.after)}", "quiet")][:room]

    def _footer(self) -> Text:
        if self._typed is not None:
            return Text(f"go to version: {self._typed}▁", "branch_point")
        return Text(KEYS, "quiet")


def _shortest(lines: list[Text], room: int) -> list[Text]:
    """The lines, or as many as fit and how many are left."""
    if len(lines) <= room:
        return lines
    kept = max(0, room - 1)
    return [*lines[:kept], Text(f"  … {len(lines) - kept} more lines", "quiet")]
