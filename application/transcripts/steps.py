"""The steps of a transcript, independent of its format: a reader makes them, and a writer writes them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from backstory.domain.trust import Origin
from backstory.domain.values import MAIN_WINDOW


class Line(NamedTuple):
    """One line of a file: its number from 1, and its exact bytes with the line end."""

    number: int
    data: bytes


class StepLine(NamedTuple):
    """The source of a step: the line, its kind, and the source's own id. The bytes are with the last step of the
    line."""

    number: int
    kind: str
    key: str | None
    data: bytes | None


@dataclass(frozen=True, slots=True)
class ModelCall:
    """The model call behind a message, with the provider's numbers."""

    model: str
    usage: Mapping[str, Any]
    provider: str | None = None
    request_id: str | None = None
    stop_reason: str | None = None
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class TranscriptMessage:
    """A message in a provider's format, with role and content only."""

    message: dict[str, Any]
    format: str
    kind: str | None = None
    windows: tuple[str, ...] = (MAIN_WINDOW,)
    call: ModelCall | None = None
    joins: str | None = None
    """The provider's id of the message, if this is a part of it on its own line."""
    origin: Origin | None = None
    """The place it comes from, where that is another than its role says."""

    @property
    def answers(self) -> bool:
        """Whether it only answers calls."""
        content = self.message.get("content")
        if self.message.get("role") == "tool":
            return True
        return (
            isinstance(content, list)
            and bool(content)
            and all(isinstance(block, dict) and block.get("type") == "tool_result" for block in content)
        )


@dataclass(frozen=True, slots=True)
class TranscriptCompaction:
    """A compaction: earlier messages left the window, and a summary replaces them."""

    summary: str | None
    forgets: tuple[str, ...] | None = None
    """The source's ids of what left; None for all that was said."""
    keeps: tuple[str, ...] = ()
    """The source's ids of what stayed nevertheless."""
    window: str = MAIN_WINDOW
    trigger: str | None = None
    tokens_before: int | None = None


@dataclass(frozen=True, slots=True)
class TranscriptPrompt:
    """The system prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class TranscriptTitle:
    """The session's title."""

    title: str


@dataclass(frozen=True, slots=True)
class About:
    """Properties of a session."""

    title: str | None = None
    project: str | None = None
    cwd: str | None = None
    """The folder that was worked in. It says the project where nothing else does."""
    model: str | None = None
    agent: str | None = None
    agent_version: str | None = None


@dataclass(frozen=True, slots=True)
class TranscriptStep:
    """One step of a transcript. Without an action, only its lines are kept."""

    session: str | None
    """The source's own id of the session; None where the line does not say."""
    lines: tuple[StepLine, ...]
    action: TranscriptMessage | TranscriptCompaction | TranscriptPrompt | TranscriptTitle | None = None
    at: datetime | None = None
    actor: str | None = None
    leaves: tuple[str, ...] = ()
    """The source's ids of what a rewind left behind, right before this."""
    about: About | None = None


class Reader(Protocol):
    """Reads the lines of one file in one format, in order."""

    def read(self, line: Line) -> list[TranscriptStep]:
        """Reads a line. Returns at least one step, the last with the line's bytes."""
