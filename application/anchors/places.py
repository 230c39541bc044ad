"""The files of anchors and their key, from the settings."""

from pathlib import Path

from backstory.domain.values import build
from backstory.infrastructure.settings import Settings


def key_path() -> Path:
    """The file of the private key that signs anchors."""
    return build(Settings).anchor_key or Path.home() / ".config" / "backstory" / "anchor-key.pem"


def anchor_directory() -> Path | None:
    """The directory that workers write anchors to, if one is set."""
    return build(Settings).anchor_dir
