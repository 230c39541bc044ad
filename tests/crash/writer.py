"""A writer that notes each acknowledgement in a file, synced before it goes on. It is killed, or its server is."""

import json
import os
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import Conflict, OutcomeUnknown, Unavailable
from backstory.interfaces.client.opening import connect


class Notes:
    """Lines that are on the disk once `add` returns."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def add(self, **note: Any) -> None:
        os.write(self._file, json.dumps({**note, "at": time.time()}).encode() + b"\n")
        os.fsync(self._file)


def read_notes(path: Path, begin: int = 0) -> tuple[list[dict[str, Any]], int]:
    """The notes from a place of the file on, and where they end. A line that was cut off by a kill is not one."""
    if not path.exists() or path.stat().st_size <= begin:
        return [], begin
    with path.open("rb") as file:
        file.seek(begin)
        lines = file.read().split(b"\n")[:-1]
    return [json.loads(line) for line in lines], begin + sum(len(line) + 1 for line in lines)


def write(
    url: str | None,
    session: UUID,
    notes: Path,
    begin: int,
    stop: Path,
    home: Path | None = None,
    insist: bool = False,
    patience: float | None = None,
    pace: float = 0.0,
) -> None:
    """Writes until there is a stop file: by turns a message, one under a key, two together under a key, and a goal
    that is set and completed under keys. With `insist`, what has a key is repeated until it is done; what has none
    never is. A URL is that of a server or of a service; without one it writes to the embedded server in `home`."""
    said = Notes(notes)
    with _store(url, home, patience) as store:
        mine = store.session(session)
        for number in count(begin):
            if stop.exists():
                return
            time.sleep(pace)  # An agent thinks in between, and leaves the machine to others.
            kind = KINDS[number % len(KINDS)]
            said.add(number=number, kind=kind, outcome="begun")
            while True:
                try:
                    versions = append(mine, number)
                except OutcomeUnknown:
                    said.add(number=number, kind=kind, outcome="unknown")
                except (Unavailable, Conflict) as error:
                    said.add(
                        number=number, kind=kind, outcome="not done", why=f"{type(error).__name__}: {error}"
                    )
                    time.sleep(0.02)
                else:
                    said.add(number=number, kind=kind, outcome="done", versions=versions)
                    break
                if not insist or kind == "plain" or stop.exists():
                    break


def _store(url: str | None, home: Path | None, patience: float | None) -> ContextStore:
    if url is not None and url.startswith("http"):
        return connect(url, pool_size=2, **({} if patience is None else {"patience": patience}))
    return ContextStore.open(url, data_dir=home, pool_size=2, patience=patience, migrate=False)


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
            goal = keyed.work.set_goal(f"{number}")
            return [goal, session.once(f"done-{number}").work.complete_goal(goal)]


if __name__ == "__main__":
    where, whom, file, first, until = sys.argv[1:]
    write(where, UUID(whom), Path(file), int(first), Path(until), insist=True)
