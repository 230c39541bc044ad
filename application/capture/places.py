"""Places where agents keep their sessions and their settings, and where Backstory keeps what it notes."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Agent = Literal["claude-code", "codex"]
AGENTS: tuple[Agent, ...] = ("claude-code", "codex")
Scope = Literal["user", "project"]


def transcript_folders(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """The folders of the agents whose transcripts can be imported, whether they exist or not."""
    codex = _codex(environment)
    return [_claude(environment) / "projects", codex / "sessions", codex / "archived_sessions"]


def hook_settings(
    agent: Agent, scope: Scope, project: Path, environment: Mapping[str, str] = os.environ
) -> Path:
    """The file that names an agent's hooks. Of a project it is Claude Code's local one: the hooks are those of this
    machine, and the other file is shared with everybody who works on the project."""
    match agent, scope:
        case "claude-code", "user":
            return _claude(environment) / "settings.json"
        case "claude-code", "project":
            return project / ".claude" / "settings.local.json"
        case "codex", "user":
            return _codex(environment) / "hooks.json"
    return project / ".codex" / "hooks.json"


def state_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder for what is remembered between two runs."""
    return Path(environment.get("XDG_STATE_HOME") or _home(environment) / ".local" / "state") / "backstory"


def hooks_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the hook, with what it notes and gives back."""
    return state_folder(environment) / "hooks"


def _home(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("HOME") or Path.home())


def _claude(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("CLAUDE_CONFIG_DIR") or _home(environment) / ".claude")


def _codex(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("CODEX_HOME") or _home(environment) / ".codex")
