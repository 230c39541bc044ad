"""The results of checks and compactions of a window."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.domain.events import Event
from backstory.domain.messages.contents import Message

RECOMMENDATIONS = {
    "warning": "Consider pruning non-essential context soon",
    "danger": "Prepare checkpoint and pruning strategy",
    "low_space": "Little context space is left - keep only the essentials",
    "critical": "Immediate action required - create checkpoint and prune",
}
"""The Moderator document's, and one for ForgeMind's low-space alert."""


class Alert(NamedTuple):
    """A window reached a level of usage. Alert handlers are called with it."""

    session: UUID
    version: int
    window: str
    level: str
    ratio: float
    tokens: int
    next_tokens: int
    limit: int

    @property
    def recommendation(self) -> str:
        """The advice for this level."""
        return RECOMMENDATIONS[self.level]

    def payload(self) -> dict[str, Any]:
        """The message that the Moderator document sends."""
        return {
            "type": "CONTEXT_SIZE_ALERT",
            "level": self.level.upper(),
            "ratio": self.ratio,
            "recommendation": self.recommendation,
        }


class Compacted(NamedTuple):
    """The result of a compaction, or with `dry_run` of a planned one: the items by what became of them, and the tokens
    of the window before and after. `events` are the appended versions; none if nothing was to be gained."""

    algorithm: str
    window: str
    events: tuple[int, ...]
    summary: int | None
    """The newest summary that it brought."""
    summarized: tuple[int, ...]
    dropped: tuple[int, ...]
    stubbed: tuple[int, ...]
    kept: tuple[int, ...]
    tokens_before: int
    tokens_after: int
    original_tokens: int
    """Tokens of the items that left or became stubs."""
    compressed_tokens: int
    """Tokens of what stands for them."""
    text: str | None = None
    """The newest summary's text."""
    dry_run: bool = False

    @property
    def ratio(self) -> float | None:
        """Original by compressed tokens: the ForgeMind document's compression ratio, of what was compressed and not of
        the whole window. None where nothing stands for the items."""
        return self.original_tokens / self.compressed_tokens if self.compressed_tokens else None


class ExpandedItem(NamedTuple):
    """An item that a summary stands for."""

    id: int
    type: str
    role: str | None
    messages: tuple[Message, ...]
    """The messages of the item; none if it was erased."""


class CallPoint(NamedTuple):
    """A call of a model, in numbers as the provider counted them."""

    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    assembly: int | None
    """The recorded context that was sent."""


class UsagePoint(NamedTuple):
    """The tokens of a window after one version. `mark` names the kind of event that changed it: compaction, stubs,
    undo, checkpoint, alert, backtrack, clear."""

    version: int
    at: datetime
    tokens: int
    limit: int | None
    mark: str | None
    note: str | None = None
    """The algorithm, name or level of the mark."""
    type: str = ""
    """The type of the event."""
    call: "CallPoint | None" = None
    """For a call of a model: its tokens and its cost."""
    follows: int | None = None
    """The version it continues from: the one before it, except for backtracks and forks."""

    @property
    def ratio(self) -> float | None:
        """The tokens as a share of the limit; None without a limit."""
        return self.tokens / self.limit if self.limit else None


class BeforeCall(NamedTuple):
    """The result of the check before a call, with zone and usage before and after it."""

    window: str
    limit: int | None
    zone_before: str
    zone: str
    usage_before: float
    usage: float
    tokens: int
    """Tokens of the window now."""
    next_tokens: int
    actions: tuple[str, ...]
    """The actions in order: stubs, alert, clarifications, checkpoint, middle, flash_save, prune, everything, …"""
    events: tuple[Event, ...]
    """The appended events, in order."""
    alerts: tuple[Alert, ...]
