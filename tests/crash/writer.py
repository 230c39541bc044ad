"""A writer that notes each acknowledgement in a file, synced before it goes on. It is killed, or its server is."""

import json
import os
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

from backstory.domain.errors import OutcomeUnknown, Unavailable
from backstory.session import Session
from backstory.store import ContextStore


class Notes:
    """Lines that are on the disk once `add` returns."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def add(self, **note: Any) -> None:
        os.write(self._file, json.dumps(note).encode() + b"\n")
        os.fsync(self._file)


def read_notes(path: Path) -> list[dict[str, Any]]:
    """The notes so far. A line that was cut off by a kill is not one."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def write(url: str, session: UUID, notes: Path, begin: int, stop: Path) -> None:
    """Writes until there is a stop file: by turns a message, one under a key, two together under a key, and a goal
    that is set and completed under keys."""
    said = Notes(notes)
    with ContextStore.open(url, pool_size=2, migrate=False) as store:
        mine = store.session(session)
        for number in count(begin):
            if stop.exists():
                return
            said.add(number=number, kind=KINDS[number % len(KINDS)], outcome="begun")
            try:
                versions = append(mine, number)
            except OutcomeUnknown:
                said.add(number=number, kind=KINDS[number % len(KINDS)], outcome="unknown")
            except Unavailable:
                said.add(number=number, kind=KINDS[number % len(KINDS)], outcome="not done")
            else:
                said.add(number=number, kind=KINDS[number % len(KINDS)], outcome="done", versions=versions)


KINDS = ("plain", "keyed", "together", "goal")


def append(session: Session, number: int) -> list[int]:
    """One number's events: their versions."""
    keyed = session.once(f"key-{number}")
    match KINDS[number % len(KINDS)]:
        case "plain":
            return [session.message(f"{number}")]
        case "keyed":
            return [keyed.message(f"{number} " + "long " * 400)]
        case "together":
            with keyed.atomic() as tx:
                one, two = tx.message(f"{number} a"), tx.message(f"{number} b")
            return [tx.version_of(one), tx.version_of(two)]
        case _:
            goal = keyed.set_goal(f"{number}")
            return [goal, session.once(f"done-{number}").complete_goal(goal)]
