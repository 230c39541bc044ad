"""Events of windows: policies, stubs, undone compactions, alerts."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import MAIN_WINDOW, ItemId, Label, Tokens


class PolicyChosen(EventBody):
    """The session, or the project, uses this policy from here on."""

    type: ClassVar[str] = "policy.chosen"
    verbs: ClassVar[tuple[str, ...]] = ("labels",)
    kind: Literal["window", "tiers", "pruning", "safety", "memory", "artifacts", "triggers"]
    """The kind of policy."""
    name: Label
    """The policy's name."""
    version: int = Field(default=1, ge=1)
    """The policy's version."""
    settings: dict[Label, Any] = Field(default_factory=dict)
    """The numbers that differ from the defaults."""


class ResultsStubbed(EventBody):
    """The results of old tool exchanges are shown as stubs from here on. Each call and its result stay together."""

    type: ClassVar[str] = "results.stubbed"
    verbs: ClassVar[tuple[str, ...]] = ("counts",)
    items: str
    """The exchanges, as ranges of versions."""
    encoding: Label
    """The encoding in which the effects count them anew."""
    window: Label = MAIN_WINDOW
    """The window that was to become smaller."""
    tokens_before: Tokens
    """Tokens of the exchanges before, in that encoding."""
    tokens_after: Tokens
    """Tokens of what stands for them."""
    policy: Label | None = None
    """The policy's name."""
    policy_version: int | None = None
    """The policy's version."""
    trigger: Label | None = None
    """The trigger: a zone of the window, a person, …"""


class ResultsRestored(EventBody):
    """Tool exchanges are shown whole again."""

    type: ClassVar[str] = "results.restored"
    verbs: ClassVar[tuple[str, ...]] = ("counts",)
    items: str
    """The exchanges, as ranges of versions."""
    encoding: Label
    """The encoding in which the effects count them anew."""


class CompactionUndone(EventBody):
    """The items that a compaction or a prune took out of a window are back, and its summary is gone."""

    type: ClassVar[str] = "compaction.undone"
    verbs: ClassVar[tuple[str, ...]] = ("returns", "removes")
    compaction: ItemId
    """The compaction, by its version."""
    items: str
    """The items that came back, as ranges of versions: those that were not there already."""
    window: Label = MAIN_WINDOW
    """The window."""
    why: ContentRef | None = None
    """The reason."""


class WindowAlerted(EventBody):
    """A window's usage reached a level. Recorded once, and again after the usage was below that level."""

    type: ClassVar[str] = "window.alerted"
    level: Literal["warning", "danger", "low_space", "critical"]
    """The highest level that was reached."""
    window: Label = MAIN_WINDOW
    """The window."""
    tokens: Tokens
    """Tokens of what is live in it."""
    next_tokens: Tokens = 0
    """Tokens that the next call was to add."""
    limit: int = Field(ge=1)
    """Tokens that it may hold."""
    ratio: float = Field(ge=0)
    """The usage, next call included: the Moderator document's ratio."""
    levels: dict[Label, float]
    """Every level that is reached, with the usage from which it is."""
    policy: Label | None = None
    """The policy's name."""
    policy_version: int | None = None
    """The policy's version."""


class PrunePlanned(EventBody):
    """A window is nearly full: the items that are to leave when it must be pruned. Nothing has left yet."""

    type: ClassVar[str] = "prune.planned"
    window: Label = MAIN_WINDOW
    """The window."""
    target: Tokens
    """The tokens aimed at."""
    threshold: int = Field(ge=0, le=100)
    """The points from which items are kept."""
    dropped: str
    """The items that are to leave, as ranges of versions."""
    kept: str = ""
    """The items that are to stay, as ranges of versions."""
    tokens_before: Tokens
    """The window's tokens."""
    tokens_after: Tokens
    """Its tokens without those items."""
    policy: Label | None = None
    """The policies' names."""
    policy_version: int | None = None
    """The window policy's version."""
    trigger: Label | None = None
    """The trigger: a zone of the window."""
