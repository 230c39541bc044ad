"""Hooks in the settings of coding agents."""

from pathlib import Path

from pydantic import Field

from backstory.interfaces.documents.base import Document


class HooksChangeDocument(Document):
    """A change of an agent's settings."""

    agent: str = Field(description="claude-code or codex.")
    file: Path = Field(description="The settings file.")
    changed: bool = Field(description="Whether the file was changed, or would be without --dry-run.")
    diff: str = Field(description="The difference, as `diff -u` shows it.")


class HooksStatusDocument(Document):
    """The hooks in a settings file."""

    agent: str = Field(description="claude-code or codex.")
    scope: str = Field(description="user or project.")
    file: Path = Field(description="The settings file.")
    events: list[str] = Field(description="The events at which the hook is run.")
    complete: bool = Field(description="Whether it is run at all events at which it should be.")
    problem: str | None = Field(description="The reason for which the file cannot be read, or null.")


class CaptureStatusDocument(Document):
    """The hooks of this machine, and what they noted."""

    hooks: list[HooksStatusDocument] = Field(description="The hooks by agent and settings file.")
    folder: Path = Field(description="The folder of the hook.")
    placed: bool = Field(description="Whether the hook is there, in this version.")
    noted_bytes: int = Field(description="Bytes that hooks noted and `backstory watch` did not read yet.")
    waiting: int = Field(description="Recaps that wait for the next prompt of their session.")


class RecapMadeDocument(Document):
    """A recap that was made for an agent."""

    made: bool = Field(
        description="Whether it waits for the agent now. Otherwise it was made before, or there is nothing to tell."
    )
