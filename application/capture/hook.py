"""The hook that coding agents run: it notes that a session went on, and ends.

`backstory capture install` copies this file to a folder of its own, with the spool and the recaps beside it. It uses
the standard library alone. Whatever goes wrong, it prints nothing and ends with 0: an agent must never wait for it, or
be stopped by it.
"""

import os
import sys
import time
from contextlib import suppress

SPOOL = "spool.jsonl"
RECAPS = "recaps"
COMMAND = "command.json"
"""The file that names the command line of Backstory."""
WAITING, GIVEN = ".waiting", ".given"
"""Ends of the names of recaps. A rename from one to the other takes a recap, so it is given once."""

MOST_INPUT = 8 * 2**20
"""Bytes of an event. A longer one, such as a prompt with a pasted log, is not noted: the transcript has it."""
MOST_SPOOL = 16 * 2**20
"""Bytes of the spool, for a machine where nothing drains it."""
READING = 1.0
"""Seconds for an event to arrive."""
ANSWERING = 1.9
"""Seconds from the hook's beginning in which a session start may wait for its recap."""
NOTED = ("session_id", "transcript_path", "agent_transcript_path", "cwd", "source", "trigger", "reason")
"""Fields that are noted. What was said is not among them: it is in the transcript."""


def main(began: float) -> None:
    import json

    folder = os.path.dirname(os.path.abspath(__file__))
    agent = sys.argv[1] if len(sys.argv) > 1 else "unknown"
    event = json.loads(_input(began + READING))
    name = event["hook_event_name"]
    noted = {field: event[field] for field in NOTED if isinstance(event.get(field), str)}
    line = {"at": time.time(), "agent": agent, "event": name, **noted}
    # On a full disk a recap that waits is given all the same.
    with suppress(OSError):
        _append(os.path.join(folder, SPOOL), b"\n" + json.dumps(line).encode() + b"\n")
    compacted = name == "SessionStart" and noted.get("source") == "compact"
    recaps = recaps_of(folder, agent, noted.get("session_id", ""))
    if recaps is None or not (compacted or name == "UserPromptSubmit"):
        return
    if compacted:
        _ask(folder, agent, noted, began + ANSWERING)
    text = _take(recaps)
    if text:
        said = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
        os.write(1, json.dumps(said).encode() + b"\n")


def recaps_of(folder: str, agent: str, session: str) -> str | None:
    """The folder of a session's recaps; None where its id is none that an agent makes."""
    named = f"{agent}-{session}"
    plain = session and len(named) <= 120 and all(one.isalnum() or one in "-_" for one in named)
    return os.path.join(folder, RECAPS, named) if plain and named.isascii() else None


def _input(until: float) -> bytes:
    import select

    data = b""
    while len(data) <= MOST_INPUT and select.select([0], [], [], max(0.0, until - time.monotonic()))[0]:
        more = os.read(0, 2**20)
        if not more:
            break
        data += more
    return data


def _append(path: str, line: bytes) -> None:
    """Appends a line by one write. Whoever drains the spool renames it, then waits for those that have it open."""
    import fcntl

    for _ in range(100):
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_SH)
            opened = os.fstat(file)
            if opened.st_size > MOST_SPOOL:
                return
            try:
                renamed = os.stat(path).st_ino != opened.st_ino
            except FileNotFoundError:
                renamed = True
            if not renamed:
                os.write(file, line)
                return
        finally:
            os.close(file)


def _ask(folder: str, agent: str, noted: dict[str, str], until: float) -> None:
    """Has the recap made. Where that takes too long it goes on alone, and the next prompt finds the recap."""
    import json
    import subprocess

    with open(os.path.join(folder, COMMAND), encoding="utf-8") as file:
        command = json.load(file)
    words = ["capture", "recap", agent, noted["session_id"], "--at", repr(time.time())]
    if "transcript_path" in noted:
        words += ["--transcript", noted["transcript_path"]]
    asked = subprocess.Popen(
        [*command, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        start_new_session=True,
    )
    while asked.poll() is None and time.monotonic() < until:
        time.sleep(0.01)


def _take(recaps: str) -> str:
    """The newest recap that waits. It is given once, and older ones never."""
    try:
        waiting = [name for name in os.listdir(recaps) if name.endswith(WAITING)]
    except OSError:
        return ""
    text = ""
    for name in sorted(waiting, key=lambda name: int(name.removesuffix(WAITING))):
        given = os.path.join(recaps, name.removesuffix(WAITING) + GIVEN)
        try:
            os.rename(os.path.join(recaps, name), given)
        except OSError:
            # Another hook has it.
            continue
        with open(given, "r+", encoding="utf-8") as file:
            text = file.read()
            file.truncate(0)
    return text


if __name__ == "__main__":
    with suppress(BaseException):
        main(time.monotonic())
    # At once: nothing that the interpreter does at its end may fail or print.
    os._exit(0)
