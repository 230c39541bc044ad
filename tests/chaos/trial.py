"""One fault, again and again, while writers write: what became of what they wrote, and how long they were held up."""

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.chaos.form import WHOLE, form
from tests.crash.account import settle
from tests.crash.writing import Writing, begin_writing
from tests.waiting import until

PATIENCE = 120.0
"""Seconds until a writer that has not come back counts as gone for good."""


class Row(NamedTuple):
    """What the table says of one fault. The times are seconds from the end of the fault to the first append that was
    begun after it and acknowledged; every writer's of every round."""

    fault: str
    rounds: int
    acknowledged: int
    lost: int
    twice: int
    recovered: tuple[float, ...]

    def cells(self) -> tuple[str, ...]:
        times = (
            (f"{median(self.recovered):.2f}", f"{max(self.recovered):.2f}") if self.recovered else ("–", "–")
        )
        numbers = (self.rounds, self.acknowledged, self.lost, self.twice)
        return (self.fault, *(f"{number:,}" for number in numbers), *times)


HEADINGS = ("fault", "rounds", "acknowledged", "lost", "twice", "recovered median s", "worst s")


def table(rows: list[Row]) -> str:
    """The rows as Markdown."""
    lines = [HEADINGS, tuple("---" if not place else "--:" for place in range(len(HEADINGS)))]
    lines += [row.cells() for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def writing_at(place: str | Path, patience: float | None = None) -> Callable[..., Writing]:
    """Begins writers on a store at a place: a URL, or the data home of an embedded server."""
    url, home = (place, None) if isinstance(place, str) else (None, place)
    return partial(begin_writing, url, home=home, insist=True, patience=patience, pace=0.01)


class Writer:
    """A writer that is started again after its death, and takes up what it was at."""

    def __init__(self, begin: Callable[..., Writing], session: Session, notes: Path, first: int) -> None:
        self._begin = begin
        self._first = first
        self._lives = 0
        self.session = session
        self.file = notes
        self.writing = self._start(first)

    def _start(self, number: int) -> Writing:
        self._lives += 1
        stop = self.file.with_name(f"{self.file.name}-stop-{self._lives}")
        return self._begin(session=self.session.id, notes=self.file, stop=stop, begin=number)

    def notes(self) -> list[dict[str, Any]]:
        return self.writing.notes()

    def kill(self, begin: Callable[..., Writing] | None = None) -> None:
        """Kills it and starts the next one, which repeats what had a key and was not acknowledged."""
        self._begin = begin or self._begin
        self.writing.kill()
        self.writing.process.close()
        number = self._first
        if notes := self.notes():
            last = notes[-1]
            again = last["kind"] != "plain" and last["outcome"] != "done"
            number = last["number"] + (not again)
        self.writing = self._start(number)

    def recovered(self, since: float) -> float | None:
        """When the first append begun after a moment was acknowledged."""
        notes = self.notes()
        new = list(takewhile(lambda note: note["at"] > since, reversed(notes)))
        begun = None
        for note in reversed(new):
            if note["outcome"] == "begun":
                begun = note["number"]
            elif note["outcome"] == "done" and note["number"] == begun:
                return float(note["at"])
        return None


class Trial:
    """A fault's rounds. Each writer is begun by `begin`, and writes to one of the sessions."""

    def __init__(
        self,
        fault: str,
        folder: Path,
        store: ContextStore,
        begin: Callable[..., Writing],
        *,
        sessions: Sequence[Session] = (),
        writers: int = 3,
    ) -> None:
        self.fault = fault
        self.chance = random.Random(fault)
        self.rounds = 0
        self.recovered: list[float] = []
        self.store = store
        self.sessions = list(sessions) or [store.start(), store.start()]
        self.writers: list[Writer] = []
        self._folder = folder
        for _ in range(writers):
            self.add_writer(begin)

    def add_writer(self, begin: Callable[..., Writing]) -> Writer:
        number = len(self.writers)
        session = self.sessions[number % len(self.sessions)]
        self.writers.append(Writer(begin, session, self._folder / f"notes-{number}", number * 1_000_000))
        return self.writers[-1]

    def get_on(self, most: int = form(3, 8)) -> None:
        """Until every writer has got on, and is then somewhere in the middle of what it does next."""
        for writer in self.writers:
            writer.writing.get_on(self.chance.randint(1, most))
        until(lambda: self.chance.random() < 0.1)

    def round(self, fault: Callable[[], object], *, whom: "Writer | None" = None) -> None:
        """One round: the fault, and every writer back, or the one that it hit. It ends when the call returns."""
        self.get_on()
        fault()
        self.come_back(time.time(), [whom] if whom else self.writers)

    def come_back(self, ended: float, writers: list[Writer]) -> None:
        """Waits until writers are back, and notes how long that took."""
        self.rounds += 1
        for writer in writers:
            at = until(lambda writer=writer: writer.recovered(ended), PATIENCE)
            self.recovered.append(at - ended)

    def finish(self) -> Row:
        """Ends the writers and holds what they noted against the log."""
        for writer in self.writers:
            writer.writing.finish()
        acknowledged, lost, twice, wrong = 0, [], [], []
        for session in self.sessions:
            notes = [note for writer in self.writers if writer.session is session for note in writer.notes()]
            account = settle(session, notes, insisted=True)
            acknowledged += account.acknowledged
            lost += account.lost
            twice += account.twice
            wrong += account.wrong
            times = [event.recorded_at for event in session.events()]
            assert times == sorted(times)
            session.verify().require()
        if WHOLE:
            self.store.verify_all().require()
        assert not wrong
        return Row(self.fault, self.rounds, acknowledged, len(lost), len(twice), tuple(self.recovered))

    def dismiss(self) -> None:
        for writer in self.writers:
            writer.writing.dismiss()
