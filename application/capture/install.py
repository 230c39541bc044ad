"""Hooks in the settings of coding agents: put in and taken out, with everything else left as it is."""

import difflib
import json
import os
import shlex
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from backstory.application.capture import hook
from backstory.application.capture.json_edits import Path as JsonPath, added, parsed, removed
from backstory.application.capture.places import Agent
from backstory.domain.errors import InvalidInput, Refused

EVENTS = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SubagentStop", "SessionEnd")
"""The events that are noted: the begin and the end of sessions, prompts and answers, and what comes before a
compaction."""
TIMEOUTS = {"SessionEnd": 3}
"""Seconds after which the agent stops waiting for the hook. Codex allows three at a session's end."""
TIMEOUT = 5
SCRIPT = "hook.py"


class Change(NamedTuple):
    """A change of a settings file."""

    file: Path
    before: str | None
    """The text; None where there is no file."""
    after: str

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return (self.before or "") != self.after

    def diff(self) -> str:
        """The difference, as `diff -u` shows it."""
        before, after = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        found = difflib.unified_diff(before, after, str(self.file), str(self.file))
        return "".join(line if line.endswith("\n") else line + "\n" for line in found)


def planned_install(agent: Agent, file: Path, folder: Path) -> Change:
    """The change that puts the hooks in: none where they are in already."""
    before = _text(file)
    text = before if before is not None and before.strip() else "{}\n"
    command = hook_command(agent, folder)
    there = sorted((str(path[1]), found) for path, found in _ours(_checked(text), folder))
    if there == [(event, command) for event in sorted(EVENTS)]:
        return Change(file, before, text)
    text = _without(text, folder)
    for event in EVENTS:
        handler = {"type": "command", "command": command, "timeout": TIMEOUTS.get(event, TIMEOUT)}
        group = {"hooks": [handler]}
        found = parsed(text)
        if "hooks" not in found:
            text = added(text, ("hooks",), {event: [group]})
        elif event not in found["hooks"]:
            text = added(text, ("hooks", event), [group])
        else:
            text = added(text, ("hooks", event, -1), group)
    return Change(file, before, text)


def planned_removal(file: Path, folder: Path) -> Change:
    """The change that takes the hooks out, and nothing else."""
    before = _text(file)
    if before is None or not before.strip():
        return Change(file, before, before or "")
    _checked(before)
    return Change(file, before, _without(before, folder))


def installed_events(file: Path, folder: Path) -> tuple[str, ...]:
    """The events at which the hook is run by a settings file."""
    text = _text(file)
    found = () if text is None or not text.strip() else _ours(_checked(text), folder)
    return tuple(sorted({str(path[1]) for path, _ in found}))


def write(change: Change) -> None:
    """Writes a change whole or not at all. The file keeps its mode, and a link to it stays one."""
    file = Path(os.path.realpath(change.file))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with open(handle, "w", encoding="utf-8", newline="") as new:
                new.write(change.after)
                new.flush()
                os.fsync(new.fileno())
            if change.before is not None:
                os.chmod(name, stat.S_IMODE(file.stat().st_mode))
            if _text(file) != change.before:
                raise Refused(f"{change.file} was changed by somebody else meanwhile.")
            os.replace(name, file)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise InvalidInput("settings", f"{str(file)!r} cannot be written: {error.strerror}") from None


def place_hook(folder: Path) -> None:
    """Copies the hook to its folder, which nobody else can read, with the command line of this installation."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        # Isolated: agents run hooks in projects, whose modules must not be taken for Python's own.
        command = [sys.executable, "-I", "-c", "import backstory.interfaces.cli as cli; cli.main()"]
        for name, data in (
            (SCRIPT, Path(hook.__file__).read_bytes()),
            (hook.COMMAND, json.dumps(command).encode()),
        ):
            whole = folder / f".{name}.{os.getpid()}"
            whole.write_bytes(data)
            whole.chmod(0o600)
            whole.replace(folder / name)
    except OSError as error:
        raise InvalidInput("state", f"{str(folder)!r} cannot be written: {error.strerror}") from None


def remove_hook(folder: Path) -> None:
    """Removes the hook with what it noted."""
    shutil.rmtree(folder, ignore_errors=True)


def hook_command(agent: Agent, folder: Path) -> str:
    """The command of the hook. The bare interpreter runs it, which is quicker than an environment's and outlives it."""
    python = getattr(sys, "_base_executable", None) or sys.executable
    words = shlex.join([python, "-I", "-S", "-B", str(folder / SCRIPT), agent])
    # A missing file ends Python with 2, which agents take for "stop".
    return f"{words} 2>/dev/null || true"


def _text(file: Path) -> str | None:
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InvalidInput("settings", f"{str(file)!r} is not UTF-8") from None
    except OSError as error:
        raise InvalidInput("settings", f"{str(file)!r} cannot be read: {error.strerror}") from None


def _checked(text: str) -> dict[str, Any]:
    """The settings, whose hooks have the form that agents read."""
    found = parsed(text)
    if not isinstance(found, dict):
        raise InvalidInput("settings", "must be a JSON object")
    hooks = found.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise InvalidInput("settings", "have hooks that are not lists by event")
    return found


def _ours(settings: dict[str, Any], folder: Path) -> Iterator[tuple[JsonPath, str]]:
    """The hooks of this folder, with their places."""
    script = shlex.quote(str(folder / SCRIPT))
    for event, groups in settings.get("hooks", {}).items():
        for number, group in enumerate(groups):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for place, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                command = handler.get("command") if isinstance(handler, dict) else None
                if isinstance(command, str) and script in command:
                    yield ("hooks", event, number, "hooks", place), command


def _without(text: str, folder: Path) -> str:
    while found := next(_ours(settings := parsed(text), folder), None):
        path = found[0]
        _, event, number, _, _ = path
        groups = settings["hooks"][event]
        # A group without a hook, an event without a group and hooks without an event go too.
        if len(groups[number]["hooks"]) == 1:
            path = path[:3]
            if len(groups) == 1:
                path = path[:2] if len(settings["hooks"]) > 1 else path[:1]
        text = removed(text, path)
    return text


def is_placed(folder: Path) -> bool:
    """Whether the hook of this version is in its folder."""
    try:
        return (folder / SCRIPT).read_bytes() == Path(hook.__file__).read_bytes()
    except OSError:
        return False
