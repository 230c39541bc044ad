"""What a transcript's lines come to, in words that belong to no format: values that a reader makes and a writer
writes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from backstory.domain.values import MAIN_WINDOW


class Line(NamedTuple):
    """One line of a file: its number from 1, and its exact bytes with the line end."""

    number: int
    data: bytes


class Origin(NamedTuple):
    """Where a step comes from: the line, what sort of line that is, and the source's own id of what it says, where it
    has one. The bytes are with the last step of the line."""

    number: int
    kind: str
    key: str | None
    data: bytes | None


@dataclass(frozen=True, slots=True)
class ModelCall:
    """The call of a model that led to a message, with the provider's numbers as it gave them."""

    model: str
    usage: Mapping[str, Any]
    provider: str | None = None
    request_id: str | None = None
    stop_reason: str | None = None
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A message in a provider's format: role and content, nothing else of what the provider sent."""

    message: dict[str, Any]
    format: str
    kind: str | None = None
    windows: tuple[str, ...] = (MAIN_WINDOW,)
    call: ModelCall | None = None
    joins: str | None = None
    """The provider's id of the message, of which this is a part that came on a line of its own."""

    @property
    def answers(self) -> bool:
        """Whether it does nothing but answer calls."""
        content = self.message.get("content")
        if self.message.get("role") == "tool":
            return True
        return (
            isinstance(content, list)
            and bool(content)
            and all(isinstance(block, dict) and block.get("type") == "tool_result" for block in content)
        )


@dataclass(frozen=True, slots=True)
class Compacted:
    """What was said before left the window, and a summary stands for it."""

    summary: str | None
    forgets: tuple[str, ...] | None = None
    """The source's ids of what left; None for all that was said."""
    window: str = MAIN_WINDOW
    trigger: str | None = None
    tokens_before: int | None = None


@dataclass(frozen=True, slots=True)
class Prompted:
    """The system prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class Titled:
    """The session's title."""

    title: str


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a session as a whole."""

    title: str | None = None
    project: str | None = None
    model: str | None = None
    agent: str | None = None
    agent_version: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened in a transcript. Without a deed, its lines are kept as they are."""

    session: str | None
    """The source's own id of the session; None where the line does not say."""
    origins: tuple[Origin, ...]
    deed: Said | Compacted | Prompted | Titled | None = None
    at: datetime | None = None
    actor: str | None = None
    leaves: tuple[str, ...] = ()
    """The source's ids of what a rewind left behind, right before this."""
    about: About | None = None


class Reader(Protocol):
    """Reads the lines of one file in one format, in order."""

    def read(self, line: Line) -> list[Step]:
        """What a line comes to: at least one step, the last of which has the line's bytes."""
