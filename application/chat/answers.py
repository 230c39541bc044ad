"""What a command is given, and what it answers."""

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
    """What came of a command. `text` is for people, `data` for programs; `events` are the versions that it appended;
    `command` is its name, or what was typed in its place; `available` are the commands that the state allows now."""

    ok: bool
    text: str
    data: dict[str, Any]
    events: tuple[int, ...]
    command: str
    available: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """What one command says."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[int, ...] = ()
    ok: bool = True


class Unsettled(Exception):
    """The command cannot be done as it stands. Nothing was changed; the answer says what is missing."""

    def __init__(self, text: str, **data: Any) -> None:
        super().__init__(text)
        self.answer = Answer(text, data, ok=False)


@dataclass(frozen=True)
class Asked:
    """A command as it was asked: on which session, seen in which state, with what after its name. `first` is the
    version of its first event when it was asked before under the same idempotency key."""

    session: "Session"
    state: ContextState
    argument: str
    first: int | None = None

    @property
    def contents(self) -> ContentReader:
        return ContentReader.on_branch(self.session._runtime, self.session.id, self.state.version)

    def texts(self, places: Mapping[int, Place]) -> dict[int, str | None]:
        """The texts at these places, by what they belong to; None for one that was erased."""
        found = self.contents.texts(places.values())
        return {key: found.get(place) for key, place in places.items()}

    def text(self, name: str) -> str:
        """What follows the command, without the quotes that it stands in. It must be something."""
        said = unquoted(self.written(name))
        if not said:
            raise Unsettled(f"{name} must not be empty.")
        return said

    def written(self, name: str) -> str:
        """What follows the command, as it was written. It must be something."""
        if not self.argument:
            raise Unsettled(f"{name} is missing.")
        return self.argument

    def nothing_more(self) -> None:
        """Refuses what follows a command that takes nothing."""
        if self.argument:
            raise Unsettled(f"nothing may follow this command, got {quoted(self.argument)}.")


def quoted(text: str, longest: int = 60) -> str:
    """A text as an answer repeats it: on one line, not too long."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= longest else line[: longest - 1] + '…'}”"
