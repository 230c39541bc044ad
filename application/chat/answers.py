"""The call of a chat command, and its answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from backstory.application.chat.syntax import unquoted
from backstory.application.contents.reader import ContentReader
from backstory.domain.records import Place
from backstory.domain.state import ContextState

if TYPE_CHECKING:
    from backstory.application.session import Session


class CommandResult(NamedTuple):
    """The result of a command. `text` is for people, `data` for programs; `events` are the versions that it led to,
    besides the `command.executed` that counts it; `command` is its name, or the typed text if there is no such command;
    `available` are the commands that the state allows now."""

    ok: bool
    text: str
    data: dict[str, Any]
    events: tuple[int, ...]
    command: str
    available: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """The answer of one command."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[int, ...] = ()
    ok: bool = True
    counted: bool = False
    """Whether the command itself recorded that it was executed."""


class CannotRun(Exception):
    """Raised when a command cannot run as written. Nothing was changed; the answer names what is missing."""

    def __init__(self, text: str, **data: Any) -> None:
        super().__init__(text)
        self.answer = Answer(text, data, ok=False)


@dataclass(frozen=True)
class CommandCall:
    """A command with its session, the state it refers to, and the text after its name. `first` is the version of its
    first event if it ran before under the same idempotency key."""

    session: "Session"
    state: ContextState
    argument: str
    first: int | None = None

    @property
    def contents(self) -> ContentReader:
        return ContentReader.on_branch(self.session._runtime, self.session.id, self.state.version)

    def texts(self, places: Mapping[int, Place]) -> dict[int, str | None]:
        """The texts at these places, by key. None for an erased one."""
        found = self.contents.texts(places.values())
        return {key: found.get(place) for key, place in places.items()}

    def text(self, name: str) -> str:
        """The text after the command, without quotes around it. Must not be empty."""
        said = unquoted(self.written(name))
        if not said:
            raise CannotRun(f"{name} must not be empty.")
        return said

    def written(self, name: str) -> str:
        """The text after the command, as written. Must not be empty."""
        if not self.argument:
            raise CannotRun(f"{name} is missing.")
        return self.argument

    def nothing_more(self) -> None:
        """Refuses text after a command that takes none."""
        if self.argument:
            raise CannotRun(f"nothing may follow this command, got {quoted(self.argument)}.")


def quoted(text: str, longest: int = 60) -> str:
    """A text in one line of limited length, in quotes."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= longest else line[: longest - 1] + '…'}”"
