"""The window policy: the usage at which each action begins, its target, and the items it never touches."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from backstory.domain.errors import InvalidInput
from backstory.domain.policies.settings import changed_settings, recorded_fields
from backstory.domain.values import is_number, label, whole_number

ZONES = ("safe", "warning", "danger", "critical")
"""The Moderator document's zones, from the emptiest on."""
LEVELS = ("warning", "danger", "low_space", "critical")
"""The alert levels, the emptiest first: the zones, and ForgeMind's low space between danger and critical."""

ZONES_LABEL = "zones"

LEAST_SUMMARY_TOKENS = 60
"""Below this a heading and one line do not fit, however small a window is."""


@dataclass(frozen=True)
class WindowPolicy:
    """The ladder of a window. A usage is the share of the window's limit that is used, the next call included. Each
    step also does the steps below it."""

    kind: ClassVar[str] = "window"
    name: str = "default"
    """The name, recorded in the events made with the policy. Why: a record then says which numbers applied."""
    version: int = 1
    """The version of the numbers. Why: it is raised when they change; old events keep their own."""
    stubs_from: float = 0.50
    """Usage from which old tool results are shown as stubs. Why: ForgeMind's light compression."""
    warning: float = 0.70
    """Usage from which the zone is `warning`, and clarifications are summarized. Why: Moderator and ForgeMind agree."""
    compact_from: float = 0.70
    """Usage from which preserve_summarize_discard, asked for by name, does something. Why: ForgeMind's second algorithm
    has 70 %. In the ladder it runs from `checkpoint_from`, as the third one says."""
    checkpoint_from: float = 0.80
    """Usage from which a checkpoint is taken, a flash save made and middle messages summarized. Why: Moderator's
    checkpoint trigger, CodeFRAME's flash save, ForgeMind's aggressive compression."""
    danger: float = 0.85
    """Usage from which the zone is `danger`, and the plan of a prune is recorded. Why: Moderator's, whose danger zone
    plans and then makes the call."""
    low_space: float = 0.90
    """Usage from which that plan is carried out and, if it is not enough, everything except the essentials is
    compressed. Why: ForgeMind's emergency. Moderator prunes from 95 %, which is later."""
    critical: float = 0.95
    """Usage from which the zone is `critical`, and the window is recovered. Why: Moderator's."""
    prune_target: float = 0.70
    """Usage that pruning aims at. Why: Moderator's."""
    messages_kept: int = 10
    """The number of newest messages and tool exchanges that only the minimal and aggressive contexts may remove. Why:
    ForgeMind's preserve-summarize-discard keeps 10."""
    user_messages_kept: int = 3
    """The number of the user's newest messages that stay, however old. The minimal and aggressive contexts keep the
    last one. Why: Moderator's. An agent that calls one tool after another would forget its task."""
    decisions_kept: int = 3
    """The number of newest decisions that stay in every window. Why: the least that the documents keep, as in every
    context."""
    decisions_in_window: int = 50
    """The number of newest decisions that stay when middle messages are summarized. Older ones stay in the record, and
    a query finds them. Why: as many as the state holds. In a session of weeks all of them would fill the window, and
    few would be in a prompt."""
    stub_results_older_than: int = 10
    """The number of newer messages from which a tool result may become a stub. Why: as many as are kept, so that recent
    results stay whole."""
    stub_step: int = 5
    """The least number of exchanges that become stubs at once. Why: until then the bytes before them stay the same, so
    a provider's prompt cache hits."""
    stub_step_tokens: int = 2_000
    """Alternatively, the least number of tokens that they have. Why: sending so many again costs more than the cache
    saves."""
    stub_least_tokens: int = 60
    """An exchange with fewer tokens never becomes a stub. Why: the stub would hardly be shorter."""
    clarification_kind: str = "clarification"
    """The kind of message that is summarized from `warning` on. Why: ForgeMind's word."""
    compact_least: float = 0.05
    """The least that an automatic compaction must remove, as a share of the limit, or as many messages as are kept.
    Why: it equals the share of the summary; removing less would gain nothing."""
    summary_share: float = 0.05
    """The largest share of the limit that the summary of one compaction may have. Why: a window holds several of them
    beside its messages."""
    summary_tokens: int = 1500
    """The most tokens of such a summary, for large windows and those without a limit. Why: half more than a session
    summary's 1,000, since it replaces the messages."""
    cluster_every: int = 50
    """The number of messages after which similar ones are merged. Why: Quaid's."""
    cluster_size: int = 4
    """The least number of messages in such a cluster. Why: Quaid's document says larger than 3."""
    cluster_similarity: float = 0.5
    """The least similarity of messages in a cluster, 0 to 1: the share of the longer one's words that both contain, in
    any form, a rare word weighing more. Why: at a half they say about the same."""
    archive_every: int = 100
    """The number of messages after which the conversation is archived into one `memory` item. Why: Quaid's."""
    by_count: bool = False
    """Whether `before_call` also merges and archives by count. Why: a window that is mostly empty loses more than it
    gains."""
    checkpoint_minutes: int = 30
    """Minutes between checkpoints of a session that is not idle. Why: Moderator's."""
    checkpoint_tasks: int = 5
    """Completed tasks between checkpoints. Why: Moderator's every fifth."""
    risky_operations: tuple[str, ...] = ("major_refactor", "large_merge")
    """Operations before which a checkpoint is taken. Why: Moderator's."""

    def __post_init__(self) -> None:
        label("policy.name", self.name)
        label("policy.clarification_kind", self.clarification_kind)
        for name in _SHARES:
            value = getattr(self, name)
            if not is_number(value) or not 0 < value <= 1:
                raise InvalidInput(f"policy.{name}", f"must be above 0 and at most 1, got {value!r}")
        for lower, upper in pairwise(_LADDER):
            if getattr(self, lower) > getattr(self, upper):
                raise InvalidInput(f"policy.{upper}", f"must not be below {lower}")
        if self.prune_target > self.danger:
            raise InvalidInput("policy.prune_target", "must not be above danger, where pruning is planned")
        for name, least in _COUNTS.items():
            whole_number(f"policy.{name}", getattr(self, name), minimum=least)
        if not isinstance(self.by_count, bool):
            raise InvalidInput("policy.by_count", f"must be true or false, got {self.by_count!r}")
        if isinstance(self.risky_operations, str):
            raise InvalidInput("policy.risky_operations", "must be a list of names, got a text")
        named = tuple(label("policy.risky_operations", one) for one in self.risky_operations)
        object.__setattr__(self, "risky_operations", named)

    def zone(self, usage: float) -> str:
        """The zone of a usage: safe, warning, danger or critical."""
        return next((zone for zone in reversed(ZONES[1:]) if usage >= getattr(self, zone)), ZONES[0])

    def zones_label(self) -> list[str]:
        """The shares at which its zones begin, as the label of a stream: lists of sessions find them there."""
        return [repr(float(getattr(self, zone))) for zone in ZONES[1:]]

    def levels(self, usage: float) -> tuple[str, ...]:
        """The alert levels that a usage has reached, the most pressing last."""
        return tuple(level for level in LEVELS if usage >= getattr(self, level))

    def most_summary_tokens(self, limit: int | None) -> int:
        """The most tokens that the summary of one compaction may have in a window with this limit."""
        if limit is None:
            return self.summary_tokens
        least = min(LEAST_SUMMARY_TOKENS, self.summary_tokens)
        return max(least, min(self.summary_tokens, int(limit * self.summary_share)))

    def settings(self) -> dict[str, Any]:
        """The numbers that differ from the defaults, as JSON."""
        return changed_settings(self, DEFAULT_WINDOW)

    @classmethod
    def chosen(cls, chosen: dict[str, Any] | None) -> "WindowPolicy":
        """The policy that a session chose, from `state.policies`; the default one where it chose none."""
        if chosen is None:
            return DEFAULT_WINDOW
        return cls(**recorded_fields(cls, chosen))


_LADDER = ("stubs_from", "warning", "checkpoint_from", "danger", "low_space", "critical")
_SHARES = (*_LADDER, "compact_from", "prune_target", "compact_least", "summary_share", "cluster_similarity")
_COUNTS = {
    "version": 1,
    "messages_kept": 1,
    "user_messages_kept": 1,
    "decisions_kept": 0,
    "decisions_in_window": 0,
    "stub_results_older_than": 0,
    "stub_step": 1,
    "stub_step_tokens": 0,
    "stub_least_tokens": 0,
    "summary_tokens": 50,
    "cluster_every": 1,
    "cluster_size": 2,
    "archive_every": 1,
    "checkpoint_minutes": 1,
    "checkpoint_tasks": 1,
}

DEFAULT_WINDOW = WindowPolicy()


def zone_of(labels: Mapping[str, Any], usage: float) -> str:
    """The zone of a usage by the window policy that a session with these labels has chosen, else by the default."""
    chosen = labels.get(ZONES_LABEL)
    if chosen is None:
        return DEFAULT_WINDOW.zone(usage)
    begins = dict(zip(ZONES[1:], map(float, chosen), strict=True))
    return next((zone for zone in reversed(ZONES[1:]) if usage >= begins[zone]), ZONES[0])
