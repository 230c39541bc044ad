"""The records a state is made of. Tuples: values that compare, copy and encode cheaply, with no text in them.

Times are integer microseconds since 1970. A text is named by its place, (version, part): see ContextState.
"""

from datetime import datetime
from typing import Any, NamedTuple

from backstory.domain.trust import Origin, Trust
from backstory.domain.values import DEFAULT_ENCODING, from_microseconds

Place = tuple[int, int]
CONVERSATION_TYPES = ("message", "tool_exchange")
"""The types of items that are the conversation."""


class Item(NamedTuple):
    """A live item's metadata. `versions` are the events that hold its contents, oldest first."""

    id: int
    type: str
    tokens: int
    importance: float
    tier: str
    windows: tuple[str, ...]
    brought: int
    touched: int
    accesses: int
    changed: int
    versions: tuple[int, ...]
    role: str | None
    agent: str | None
    private: bool
    task: str | None
    references: tuple[int, ...]
    encoding: str | None
    recounts: dict[str, int] | None
    origin: Origin = "model"
    trust: int = Trust.DERIVED
    quarantined: bool = False
    flags: tuple[str, ...] = ()

    @property
    def brought_at(self) -> datetime:
        """The time at which the item was brought."""
        return from_microseconds(self.brought)

    @property
    def touched_at(self) -> datetime:
        """The time of the last access."""
        return from_microseconds(self.touched)

    def tokens_in(self, encoding: str | None) -> int:
        """The item's tokens as a window with this encoding counts them."""
        return (self.recounts or {}).get(encoding or DEFAULT_ENCODING, self.tokens)

    @property
    def is_stub(self) -> bool:
        """Whether the item is a tool exchange whose results are shown as stubs: then it was counted again in the
        encoding that it was first counted in, and has fewer tokens there. An item carries that with it when it leaves
        a window and comes back."""
        if self.recounts is None or self.type != "tool_exchange":
            return False
        return self.tokens_in(self.encoding) < self.tokens

    @classmethod
    def from_row(cls, row: list[Any]) -> "Item":
        """An item from its JSON array."""
        row[5] = MAIN if row[5] == ["main"] else tuple(row[5])
        row[10] = tuple(row[10])
        row[15] = tuple(row[15])
        row[21] = tuple(row[21])
        return cls._make(row)


MAIN = ("main",)


class Window(NamedTuple):
    """A window's settings and usage: how many items are live in it, and their tokens in its encoding."""

    limit: int | None = None
    encoding: str | None = None
    model: str | None = None
    items: int = 0
    tokens: int = 0


def working_set_name(agent: str | None, tier: str) -> str:
    """The name under which a state knows the working set that an agent kept."""
    return f"{tier}:{agent or ''}"


class Agent(NamedTuple):
    id: str | None
    version: str | None
    mode: str | None
    capabilities: tuple[str, ...]


class Project(NamedTuple):
    name: str
    id: str | None
    current_idea: str | None
    status: str | None


class Goal(NamedTuple):
    text: Place
    priority: str
    parent: int | None
    status: str
    created: int
    agent: str | None


class Action(NamedTuple):
    text: Place
    priority: str
    layer: int | None
    estimate_minutes: int | None
    assignee: str | None
    due: int | None
    blocked_by: Place | None
    created: int


class Question(NamedTuple):
    text: Place
    context: Place | None
    priority: str
    asked_by: str | None
    asked: int
    blocks: tuple[int, ...]


class Task(NamedTuple):
    item: int
    text: Place
    acceptance_criteria: tuple[Place, ...]
    depends_on_tasks: tuple[str, ...]
    depends_on_files: tuple[str, ...]
    started: int


class Decision(NamedTuple):
    """A decision that was recorded, or noticed and confirmed."""

    id: int
    at: int
    priority: str
    decided_by: str | None
    recorded_by: str | None


class Candidate(NamedTuple):
    """A decision that the message `noticed_in` seems to say and that waits to be confirmed or dismissed,
    and that is trusted as far as the message."""

    id: int
    at: int
    decided_by: str | None
    noticed_in: int
    trust: int


class MemoryNote(NamedTuple):
    """A memory of a project: what it is known by, and in microseconds since 1970 when it was known and when it holds.
    One that was superseded or forgotten stays, so that a project can be asked what it knew."""

    kind: str
    agent: str | None
    """The agent that alone sees it; None for everybody."""
    key: str | None
    at: int
    valid_from: int | None
    valid_until: int | None
    left: int | None
    """The time at which it was superseded or forgotten."""
    by: int | None
    """The memory that took its place."""
    candidate: bool = False
    """Whether it waits to be confirmed or dismissed."""
    confirmed: int | None = None
    """The time at which a candidate was confirmed."""
    seen: tuple[int, ...] = ()
    """The events by which other items corroborated it."""

    def holds_at(self, time: int, known: int | None = None) -> bool:
        """Whether it holds at a time, by what is known now or was known then."""
        if known is not None and self.at > known:
            return False
        if self.left is not None and (known is None or self.left <= known):
            return False
        if self.candidate or (known is not None and self.confirmed is not None and known < self.confirmed):
            return False
        begun = self.valid_from is None or self.valid_from <= time
        return begun and (self.valid_until is None or time < self.valid_until)


class ArtifactNote(NamedTuple):
    """An artifact of a project as it was registered last. Times are in microseconds since 1970."""

    version: int
    """The event that registered it."""
    at: int
    type: str
    name: str
    path: str | None
    load_layer: int
    project_layer: int | None
    summary: Place | None
    clarity: int | None
    parent: str | None
    children: tuple[str, ...]
    related: tuple[str, ...]
    size: int | None
    tokens: int | None
    digest: str | None
    modified: int | None


class CachedArtifact(NamedTuple):
    """The content of an artifact, in the session that loaded it last."""

    artifact: str
    session: str
    item: int
    size: int
    tokens: int
    at: int
    """The time at which it was loaded last."""
    loads: int
    """The number of loads."""


class LoadedArtifact(NamedTuple):
    """The item that holds what a session has of an artifact."""

    item: int
    digest: str | None
    load_layer: int
    project_layer: int | None


class FileFocus(NamedTuple):
    files: tuple[str, ...] = ()
    last_edited: str | None = None
    current_function: str | None = None


class Summary(NamedTuple):
    """The newest session summary: its item, the version it tells of, and how many messages there were then."""

    item: int
    upto: int
    messages: int


class LastAssembly(NamedTuple):
    """The newest assembled context: its event, the version whose state it shows, its window, and the tokens of the
    prompt and of its budget."""

    version: int
    at: int
    window: str
    tokens: int
    budget: int


class LastCall(NamedTuple):
    version: int
    model: str
    input_tokens: int | None
    output_tokens: int | None


class CheckpointNote(NamedTuple):
    """The newest checkpoint, with what was so when it was taken: the next one is due when that has changed."""

    version: int
    at: int
    window: str
    tokens: int
    live: int
    brought: int
    activity: int
    phase: str | None
    tasks_completed: int
    for_size: bool = False
    layer: int | None = None
