"""The state of a session at one version: what is live, what is open, what was decided last."""

import hashlib
import json
import zlib
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic_core import from_json

from backstory.domain.context.calibration import Calibration
from backstory.domain.fold.columns import pack_items, unpack_items
from backstory.domain.records import (
    Action,
    Agent,
    ArtifactNote,
    CachedArtifact,
    Candidate,
    CheckpointNote,
    Decision,
    FileFocus,
    Goal,
    Item,
    LastAssembly,
    LastCall,
    LoadedArtifact,
    MemoryNote,
    Place,
    Project,
    Question,
    Summary,
    Task,
    Window,
)
from backstory.domain.values import from_microseconds

DECISIONS_KEPT = 50
CANDIDATES_KEPT = 50
"""Decisions that wait to be confirmed, the newest."""
COMPLETED_TASKS_KEPT = 10
PINS_KEPT = 200
CLEARS_KEPT = 50
COMPACTIONS_KEPT = 200
"""Compactions that can be taken back by `undo_compaction` without naming them."""
NAMES_KEPT = 200
"""Actors and models: a session has few, and one that invents names must not make a state grow for ever."""
FOCUSED_FILES_KEPT = 500
"""Files in focus, the newest first."""
FILES_KEPT = 200
"""Files with a known checksum, or with an item: as many as a piece of work is about."""
FEEDBACK_KEPT = 50
"""Messages of kind `feedback`: a prune asks for the newest few."""
ARTIFACTS_KEPT = 500
"""Artifacts whose items a session knows."""
CACHED_KEPT, CACHED_BYTES = 200, 32_000_000
"""Contents of artifacts, and their bytes, that a project keeps at hand. The one that was loaded the longest time ago
leaves first."""
OPEN_CALLS_KEPT = 1000
"""Calls that are never answered must not make a state grow for ever."""


@dataclass(slots=True)
class ContextState:
    """A fold over a session's events. Its size follows the windows, not the history: items that left every window,
    completed goals, answered questions and all but the newest 50 decisions are in the log and the read models.

    A project's state has all its memories, also those that no longer hold: what it knew at a time is asked of them.

    It holds no text: `session.text(item)` reads the contents that it names.
    """

    stream: UUID
    version: int = 0
    epoch: int = 0
    started: int = 0
    recorded: int = 0
    active: int = 0
    last_actor: str | None = None
    labels: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)
    items: dict[int, Item] = field(default_factory=dict)
    windows: dict[str, Window] = field(default_factory=dict)
    open_calls: dict[str, int] = field(default_factory=dict)
    agents: dict[str, Agent] = field(default_factory=dict)
    goals: dict[int, Goal] = field(default_factory=dict)
    actions: dict[int, Action] = field(default_factory=dict)
    questions: dict[int, Question] = field(default_factory=dict)
    constraints: dict[int, Place] = field(default_factory=dict)
    errors: dict[int, str | None] = field(default_factory=dict)
    tasks: dict[str, Task] = field(default_factory=dict)
    current_task: str | None = None
    completed_tasks: list[str] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    project: Project | None = None
    phase: str | None = None
    project_layer: int | None = None
    clarity: int | None = None
    focus: FileFocus = FileFocus()
    last_checkpoint: int | None = None
    last_call: LastCall | None = None
    system_prompt: int | None = None
    summary: Summary | None = None
    pins: dict[int, int] = field(default_factory=dict)
    clears: list[int] = field(default_factory=list)
    last_assembly: LastAssembly | None = None
    calibrations: dict[str, Calibration] = field(default_factory=dict)
    actors: dict[str, int] = field(default_factory=dict)
    last_erasure: int = 0
    checkpoint: CheckpointNote | None = None
    files: dict[str, str] = field(default_factory=dict)
    policies: dict[str, dict[str, Any]] = field(default_factory=dict)
    compactions: list[int] = field(default_factory=list)
    alerts: dict[str, dict[str, int]] = field(default_factory=dict)
    working_sets: dict[str, int] = field(default_factory=dict)
    saved_files: dict[str, int] = field(default_factory=dict)
    feedback: list[int] = field(default_factory=list)
    prune_plans: dict[str, int] = field(default_factory=dict)
    memories: dict[int, MemoryNote] = field(default_factory=dict)
    reviewed: dict[str, str] = field(default_factory=dict)
    """By session, the versions that memories were made of, as ranges."""
    artifacts: dict[str, ArtifactNote] = field(default_factory=dict)
    """Of a project: what is registered, by id."""
    artifact_cache: dict[str, CachedArtifact] = field(default_factory=dict)
    """Of a project: contents at hand, by their digest, the one that was loaded the longest time ago first."""
    loaded: dict[str, LoadedArtifact] = field(default_factory=dict)
    """Of a session: the newest item of each artifact, also of those that have left the window."""
    invalidated: dict[str, int] = field(default_factory=dict)
    """Of a session: artifacts that a step back to an earlier layer made invalid, with its version."""
    quarantined: dict[int, list[str]] = field(default_factory=dict)
    """The items in quarantine, each with the windows that it left for it."""

    @property
    def status(self) -> str:
        """`open` or `ended`."""
        return str(self.labels.get("status", "open"))

    @property
    def tags(self) -> tuple[str, ...]:
        """The session's tags."""
        return tuple(self.labels.get("tags", ()))

    @property
    def title(self) -> Place | None:
        """The place of the title's text."""
        title = self.labels.get("title")
        return (title["version"], title["part"]) if title else None

    @property
    def activity(self) -> int:
        """A count of the items added and actions taken on this branch. Two states with the same number have nothing
        between them but what keeps a session in order."""
        brought = sum(self.counts.values()) - self.counts.get("summary", 0)
        return brought + sum(self.counters.get(name, 0) for name in _ACTIVE)

    @property
    def decision_count(self) -> int:
        """The number of decisions on this branch."""
        return self.counts.get("decision", 0)

    @property
    def message_count(self) -> int:
        """Messages and tool exchanges that were brought on this branch."""
        return self.counts.get("message", 0) + self.counts.get("tool_exchange", 0)

    @property
    def started_at(self) -> datetime:
        """The time at which the first event occurred."""
        return from_microseconds(self.started)

    @property
    def last_activity(self) -> datetime:
        """The time at which somebody last did something, in an imported session its own time. What jobs, imports and
        reading leave behind does not count."""
        return from_microseconds(self.active)

    @property
    def recorded_at(self) -> datetime:
        """The time at which the newest event was recorded."""
        return from_microseconds(self.recorded)

    @property
    def tokens(self) -> int:
        """Tokens of all that is live in the main window."""
        return self.windows["main"].tokens if "main" in self.windows else 0

    @property
    def edited_item(self) -> int | None:
        """The newest item that was saved from the file being edited."""
        edited = self.focus.last_edited
        return None if edited is None else self.saved_files.get(edited)

    @property
    def newest_error(self) -> int | None:
        """The newest unresolved error."""
        return max(self.errors, default=None)

    @property
    def stubs(self) -> dict[int, int]:
        """Live tool exchanges whose results are shown as stubs, with the tokens that they have as a whole."""
        return {item.id: item.tokens for item in self.items.values() if item.is_stub}

    def live(self, window: str = "main") -> list[Item]:
        """The items in a window, in the order in which they came."""
        return [item for item in self.items.values() if window in item.windows]

    def encode(self) -> bytes:
        """The state as the bytes that a snapshot keeps."""
        document = self._document()
        document["items"] = pack_items(self.items.values())
        packed = zlib.compress(json.dumps(document, separators=(",", ":")).encode(), 1)
        # Several packed forms unpack to the same text, so zlib's own checksum would let some bits be flipped unseen.
        return zlib.crc32(packed).to_bytes(4, "big") + packed

    def digest(self) -> str:
        """SHA-256 of the state: equal states have equal digests."""
        return hashlib.sha256(
            json.dumps(self.document(), separators=(",", ":"), sort_keys=True).encode()
        ).hexdigest()

    def document(self) -> dict[str, Any]:
        """Everything in the state, as types that JSON has."""
        document = self._document()
        document["items"] = list(self.items.values())
        return document

    def _document(self) -> dict[str, Any]:
        document = {f.name: getattr(self, f.name) for f in fields(self)}
        document["stream"] = str(self.stream)
        return document

    @classmethod
    def decode(cls, data: bytes) -> "ContextState":
        """Reads a state that `encode` wrote."""
        packed = memoryview(data)[4:]
        if zlib.crc32(packed).to_bytes(4, "big") != data[:4]:
            raise ValueError("the bytes of a snapshot have changed")
        document = from_json(zlib.decompress(packed), cache_strings=False)
        document["stream"] = UUID(document["stream"])
        document["items"] = unpack_items(document["items"])
        for name, record in _RECORDS_BY_ID.items():
            document[name] = {int(key): record._make(map(_tuple, row)) for key, row in document[name].items()}
        for name, record in _RECORDS_BY_NAME.items():
            document[name] = {key: record._make(map(_tuple, row)) for key, row in document[name].items()}
        for name, record in _SINGLE_RECORDS.items():
            if document.get(name) is not None:
                document[name] = record._make(map(_tuple, document[name]))
        document["constraints"] = {int(key): tuple(place) for key, place in document["constraints"].items()}
        document["pins"] = {int(key): at for key, at in document["pins"].items()}
        document["quarantined"] = {int(key): names for key, names in document["quarantined"].items()}
        document["errors"] = {int(key): name for key, name in document["errors"].items()}
        document["decisions"] = [Decision._make(row) for row in document["decisions"]]
        document["candidates"] = [Candidate._make(row) for row in document["candidates"]]
        return cls(**document)

    def copy(self) -> "ContextState":
        """A state that can be folded on without changing this one."""
        copied = object.__new__(ContextState)
        for name in _FIELDS:
            value = getattr(self, name)
            setattr(copied, name, value.copy() if type(value) in _CHANGED_IN_PLACE else value)
        return copied


_FIELDS = tuple(one.name for one in fields(ContextState))
_CHANGED_IN_PLACE = (dict, list)
_ACTIVE = ("messages", "model_calls", "commands_executed", "files_updated", "git_commits", "tasks_completed")
"""Counters of what somebody does, apart from bringing items."""
_RECORDS_BY_ID: dict[str, Any] = {
    "goals": Goal,
    "actions": Action,
    "questions": Question,
    "memories": MemoryNote,
}
_RECORDS_BY_NAME: dict[str, Any] = {
    "windows": Window,
    "agents": Agent,
    "tasks": Task,
    "calibrations": Calibration,
    "artifacts": ArtifactNote,
    "artifact_cache": CachedArtifact,
    "loaded": LoadedArtifact,
}
_SINGLE_RECORDS: dict[str, Any] = {
    "project": Project,
    "focus": FileFocus,
    "last_call": LastCall,
    "summary": Summary,
    "last_assembly": LastAssembly,
    "checkpoint": CheckpointNote,
}


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value
