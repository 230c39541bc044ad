"""Places where agents keep the transcripts of their sessions."""

import os
from collections.abc import Mapping
from pathlib import Path


def transcript_folders(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """The folders of the agents whose transcripts can be imported, whether they exist or not."""
    home = Path(environment.get("HOME") or Path.home())
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    return [claude / "projects"]


def state_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder for what is remembered between two runs."""
    home = Path(environment.get("HOME") or Path.home())
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / "backstory"
