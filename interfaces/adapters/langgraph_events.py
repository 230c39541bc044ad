"""The events of a LangGraph thread, beside the messages that its graph said."""

from typing import ClassVar

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import ItemId, Value


class ThreadOpened(EventBody):
    """The session is a thread of a graph."""

    type: ClassVar[str] = "langgraph:thread.opened"
    thread: str
    """LangGraph's id of the thread."""


class ChangedChannel(Value):
    """A channel that has another value than in the checkpoint before."""

    version: str
    """LangGraph's version of the value."""
    list: bool = False
    """Whether the value is a list, of which only the elements are recorded that are new."""
    base: ItemId | None = None
    """The event with the list that this one begins with."""
    keep: int = 0
    """How many elements of that list it begins with."""


class Recorded(EventBody):
    """An event with serialized values."""

    ns: str = ""
    """The namespace: empty for the graph itself, else that of a subgraph."""
    record: ContentRef
    """The values in MessagePack, compressed, with their longer texts left out."""
    texts: tuple[ContentRef, ...] = ()
    """Texts of messages, and other long texts of the values. One over 1 KB is stored once in a session."""


class CheckpointSaved(Recorded):
    """A checkpoint of a graph. The messages that are new in it come right before it, in the same append."""

    type: ClassVar[str] = "langgraph:checkpoint.saved"
    id: str
    """LangGraph's id of the checkpoint."""
    parent: str | None = None
    """The checkpoint that it came after."""
    changed: dict[str, ChangedChannel]
    """By channel, the values that are new in it."""


class WritesSaved(Recorded):
    """What a task of a graph wrote, before the next checkpoint."""

    type: ClassVar[str] = "langgraph:writes.saved"
    checkpoint: str
    """The checkpoint that the task ran on."""
    task: str
    """LangGraph's id of the task."""


class CheckpointsHidden(EventBody):
    """Checkpoints were deleted or pruned: the graph does not see them any more, and the record still holds them."""

    type: ClassVar[str] = "langgraph:checkpoints.hidden"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    by: str
    """The call: delete_thread, delete_for_runs, prune."""
    checkpoints: tuple[ItemId, ...]
    """The events of the checkpoints."""
