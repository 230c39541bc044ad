"""A session's windows: how full they are, and the results of compacting and pruning them."""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.events import RecordedEventDocument
from backstory.interfaces.documents.messages import NeutralMessageDocument
from backstory.interfaces.documents.sessions import WrittenDocument

if TYPE_CHECKING:
    from backstory.application.queries.status import SessionStatus
    from backstory.application.window.flash_save import FlashSaved
    from backstory.application.window.prune import Pruned
    from backstory.application.window.results import BeforeCall, Compacted, ExpandedItem, UsagePoint


class WindowStatusDocument(Document):
    """A window's usage and alerts."""

    window: str = Field(description="The window's name.")
    tokens: int = Field(description="The tokens in it.")
    limit: int | None = Field(description="Its limit, or null.")
    usage: float | None = Field(description="The share of the limit, or null.")
    zone: str = Field(description="safe, warning, danger or critical.")
    items: int = Field(description="The number of items in it.")
    stubs: int = Field(description="The number of tool results shown as stubs.")
    alerts: list[str] = Field(description="The alerts that still hold.")
    prompt_tokens: int | None = Field(
        description="The tokens of the newest context's prompt, where it was of this window, or null."
    )
    prompt_budget: int | None = Field(description="The budget of that context, or null.")


class TierStatusDocument(Document):
    """The live items of one tier, in numbers."""

    items: int = Field(description="The number of items.")
    tokens: int = Field(description="Their tokens.")


class ChosenPolicyDocument(Document):
    """The window policy of a session."""

    name: str = Field(description="Its name.")
    version: int = Field(description="Its version.")
    settings: dict[str, Any] = Field(description="Its settings, by name.")


class NoteDocument(Document):
    """A decision, a question or a pinned note."""

    item: int = Field(description="Its id.")
    at: datetime = Field(description="The time at which it was recorded.")
    text: str | None = Field(description="Its text; null if it was erased.")


class StatusDocument(Document):
    """A session's windows, tiers, newest decisions and alerts."""

    session: UUID = Field(description="The session's id.")
    version: int = Field(description="The newest version.")
    status: str = Field(description="open or ended.")
    started_at: datetime = Field(description="The time at which the session began.")
    last_activity: datetime = Field(description="The time at which somebody last did something in it.")
    windows: list[WindowStatusDocument] = Field(description="The windows.")
    tiers: dict[str, TierStatusDocument] = Field(description="The tiers, by name.")
    policy: ChosenPolicyDocument = Field(description="The window policy of the session.")
    decisions: list[NoteDocument] = Field(description="The newest three decisions.")
    questions: list[NoteDocument] = Field(description="The newest five open questions.")
    notes: list[NoteDocument] = Field(description="The newest five pinned items that are not private.")
    last_checkpoint: int | None = Field(description="The newest checkpoint's version, or null.")
    artifacts: list[str] = Field(description="The artifacts in the main window.")
    monitoring: dict[str, Any] = Field(
        description="context_health, session_health and alerts, as the ForgeMind document has them."
    )

    @classmethod
    def of(cls, status: "SessionStatus") -> "StatusDocument":
        """The document of a session's status."""
        return cls(
            session=status.session,
            version=status.version,
            status=status.status,
            started_at=status.started_at,
            last_activity=status.last_activity,
            windows=[
                WindowStatusDocument(window=fields.pop("name"), **fields)
                for fields in (window._asdict() for window in status.windows)
            ],
            tiers={name: TierStatusDocument.model_validate(tier) for name, tier in status.tiers.items()},
            policy=ChosenPolicyDocument(
                name=status.policy.name, version=status.policy.version, settings=status.policy.settings()
            ),
            decisions=[NoteDocument.model_validate(note) for note in status.last_decisions],
            questions=[NoteDocument.model_validate(note) for note in status.open_questions],
            notes=[NoteDocument.model_validate(note) for note in status.notes],
            last_checkpoint=status.last_checkpoint,
            artifacts=list(status.artifacts),
            monitoring=status.monitoring(),
        )


class CallPointDocument(Document):
    """A call of a model, as the provider counted it."""

    model: str = Field(description="The model.")
    input_tokens: int | None = Field(description="The tokens of the prompt, or null.")
    output_tokens: int | None = Field(description="The tokens of the answer, or null.")
    cost_usd: float | None = Field(description="Its cost, or null if the price is not known.")
    assembly: int | None = Field(description="The recorded context that was sent, or null.")


class UsagePointDocument(Document):
    """A window's tokens at one version."""

    version: int = Field(description="The version.")
    at: datetime = Field(description="The time at which it happened.")
    tokens: int = Field(description="The window's tokens after it.")
    limit: int | None = Field(description="The window's limit then, or null.")
    usage: float | None = Field(description="The share of the limit, or null.")
    mark: str | None = Field(
        description="compaction, stubs, undo, checkpoint, alert, backtrack, clear, or null."
    )
    note: str | None = Field(description="The mark's algorithm, name, level or version, or null.")
    type: str = Field(description="The type of the event.")
    call: CallPointDocument | None = Field(description="For a call of a model: its tokens and its cost.")
    follows: int | None = Field(
        description="The version it continues from: the one before it, except for backtracks and forks."
    )

    @classmethod
    def of(cls, point: "UsagePoint") -> "UsagePointDocument":
        """The document of one version."""
        call = None if point.call is None else CallPointDocument.model_validate(point.call)
        return cls(**point._asdict() | {"call": call}, usage=point.ratio)


class UsageDocument(Document):
    """A page of a window's usage."""

    points: list[UsagePointDocument] = Field(description="The versions, oldest first.")
    next: int | None = Field(description="The version to continue after; null on the last page.")


class AlertDocument(Document):
    """An alert: a window has reached a level of usage."""

    session: UUID = Field(description="The session's id.")
    version: int = Field(description="The version at which it was raised.")
    window: str = Field(description="The window.")
    level: str = Field(description="warning, danger, low_space or critical.")
    ratio: float = Field(description="The share of the limit.")
    tokens: int = Field(description="The window's tokens.")
    next_tokens: int = Field(description="The tokens of the next call.")
    limit: int = Field(description="The window's limit.")


class BeforeCallDocument(Document):
    """The result of the check of a window before a call."""

    session: UUID = Field(description="The session's id.")
    window: str = Field(description="The window.")
    limit: int | None = Field(description="Its limit, or null.")
    zone_before: str = Field(description="The zone before: safe, warning, danger or critical.")
    zone: str = Field(description="The zone now.")
    usage_before: float = Field(description="The share of the limit before.")
    usage: float = Field(description="The share of the limit now.")
    tokens: int = Field(description="The window's tokens now.")
    next_tokens: int = Field(description="The tokens of the next call.")
    actions: list[str] = Field(description="The steps that were taken, in order.")
    events: list[RecordedEventDocument] = Field(description="The events that were appended, in order.")
    alerts: list[AlertDocument] = Field(description="The alerts that were raised.")

    @classmethod
    def of(cls, session: UUID, done: "BeforeCall") -> "BeforeCallDocument":
        """The document of a check."""
        return cls(
            session=session,
            **done._asdict()
            | {
                "events": [RecordedEventDocument.recorded(event) for event in done.events],
                "alerts": [AlertDocument.model_validate(alert) for alert in done.alerts],
            },
        )


class CompactionDocument(Document):
    """The result of a compaction."""

    session: UUID = Field(description="The session's id.")
    algorithm: str = Field(description="The algorithm.")
    window: str = Field(description="The window.")
    dry_run: bool = Field(description="Whether nothing was written.")
    events: list[int] = Field(description="The versions it appended; empty if nothing could be saved.")
    summary: int | None = Field(description="The item that replaces the others, or null.")
    text: str | None = Field(description="The summary's text, or null.")
    summarized: list[int] = Field(description="The items that the summary replaces.")
    dropped: list[int] = Field(description="The items that left without a summary.")
    stubbed: list[int] = Field(description="The tool exchanges whose results are shown as stubs.")
    kept: list[int] = Field(description="The items that were considered and stayed.")
    tokens_before: int = Field(description="The window's tokens before.")
    tokens_after: int = Field(description="The window's tokens after.")
    original_tokens: int = Field(description="The tokens of the items that left or became stubs.")
    compressed_tokens: int = Field(description="The tokens of what replaces them.")
    ratio: float | None = Field(description="Original divided by compressed tokens, or null.")

    @classmethod
    def of(cls, session: UUID, done: "Compacted") -> "CompactionDocument":
        """The document of a compaction."""
        return cls(session=session, **done._asdict(), ratio=done.ratio)


class RecordedCompactionDocument(Document):
    """A compaction, a prune or a flash save in a session's history."""

    version: int = Field(description="Its version.")
    at: datetime = Field(description="The time at which it occurred.")
    actor: str | None = Field(description="Who did it, or null.")
    window: str = Field(description="The window.")
    algorithm: str = Field(description="The algorithm that chose the items.")
    trigger: str | None = Field(description="The trigger, or null.")
    policy: str | None = Field(description="The policy's name, or null.")
    summarizer: str | None = Field(description="The summarizer with its version, or null.")
    live: bool = Field(description="Whether it leads to the newest version.")
    undone: int | None = Field(description="The version that undid it, or null.")
    summarized: list[int] = Field(description="The items that the summary tells of.")
    dropped: list[int] = Field(description="The items that left without a summary.")
    kept: list[int] = Field(description="The items that were considered and stayed.")
    tokens_before: int | None = Field(description="The tokens of the items that left, or null.")
    tokens_after: int | None = Field(description="The tokens of the summary, or null.")
    text: str | None = Field(description="The summary; null if there is none, or if it was erased.")


class CompactionsDocument(Document):
    """A page of compactions."""

    compactions: list[RecordedCompactionDocument] = Field(description="The compactions, the newest first.")
    next: int | None = Field(description="The version to continue before; null on the last page.")


class RecoveryDocument(Document):
    """A window that fits again."""

    session: UUID = Field(description="The session's id.")
    way: str = Field(description="The way in which it was made to fit.")
    emergency: int | None = Field(description="The checkpoint of the window before it, or null.")
    restored: int | None = Field(description="The checkpoint that the session went back to, or null.")
    events: list[int] = Field(description="The versions that it appended.")
    tokens_before: int = Field(description="The window's tokens before.")
    tokens_after: int = Field(description="The window's tokens after.")
    limit: int = Field(description="The window's limit.")


class ExpandedItemDocument(Document):
    """An item that a summary replaced."""

    item: int = Field(description="Its id.")
    type: str = Field(description="message, tool_exchange, …")
    role: str | None = Field(description="The speaker's role, or null.")
    text: str | None = Field(description="Its text; null if it was erased.")
    messages: list[NeutralMessageDocument] = Field(
        description="Its messages as they were recorded; none if they were erased."
    )

    @classmethod
    def of(cls, item: "ExpandedItem", text: str | None) -> "ExpandedItemDocument":
        """The document of an item."""
        messages = [NeutralMessageDocument.of(message) for message in item.messages]
        return cls(item=item.id, type=item.type, role=item.role, text=text, messages=messages)


class ExpandedDocument(Document):
    """The items that a summary stands for."""

    items: list[ExpandedItemDocument] = Field(description="The items, oldest first.")


class DroppedItemDocument(Document):
    """An item that a compaction took out of a window."""

    item: int = Field(description="Its id, which is the version that brought it.")
    type: str = Field(description="message, tool_exchange, decision, …")
    speaker: str | None = Field(description="The name or the role of who said it, or null.")
    at: datetime = Field(description="The time at which it occurred.")
    tokens: int = Field(description="Its tokens.")
    line: str | None = Field(description="Its beginning on one line; null if something of it was erased.")
    kinds: list[str] = Field(
        description="Why the next steps may need it: pending_call, user_words, decision, failure, file, command."
    )
    used: list[str] = Field(
        description="Names and words of it that later steps used when nothing in the window had them."
    )
    used_at: int | None = Field(description="The version of the first step that used one of them, or null.")
    score: float = Field(
        description="Its rank as a number, above 0.5 only if later steps used it. It compares items of one result."
    )
    summarized: bool = Field(description="Whether the summary tells of it.")
    gone: bool = Field(description="Whether it is out of the window now; false if it was brought back.")


class DroppedDocument(Document):
    """What a compaction took out of a window, most needed first."""

    session: UUID = Field(description="The session's id.")
    compaction: int = Field(description="The version of the compaction.")
    at: datetime = Field(description="The time at which it occurred.")
    window: str = Field(description="The window.")
    algorithm: str = Field(
        description="The algorithm that chose the items; in an imported session the other tool."
    )
    trigger: str | None = Field(description="The trigger, or null.")
    steps: int = Field(
        description="The later messages and calls looked at; 0 if the items are ranked by what is likely."
    )
    left: int = Field(description="The number of items that left.")
    gone: int = Field(description="The number of those that are still out of the window.")
    tokens: int = Field(description="The tokens of all that left.")
    items: list[DroppedItemDocument] = Field(description="The items, at most --limit.")


class LostFactDocument(Document):
    """Something of before a compaction that its summary does not tell."""

    kind: str = Field(
        description="request, instruction, pending, todo, question, failure, decision, rejected, file, rule or command."
    )
    text: str = Field(description="The words, the call, the path or the command.")
    item: int = Field(description="The item that it stands in.")
    at: datetime = Field(description="The time at which it was said or done.")
    status: str | None = Field(description="DONE or PENDING, or null where that is not known.")
    note: str | None = Field(
        description="How a command ended, how often a file was edited, and the like; or null."
    )
    shown: bool = Field(description="Whether the text has it.")


class UncompactedDocument(Document):
    """What a compaction took out of a window and its summary does not tell."""

    session: UUID = Field(description="The session's id.")
    compaction: int = Field(description="The version of the compaction.")
    at: datetime = Field(description="The time at which it occurred.")
    window: str = Field(description="The window.")
    trigger: str | None = Field(description="The trigger, or null.")
    text: str = Field(
        description="The facts for a prompt, as a record and not as instructions; empty where the summary tells all "
        "that is needed."
    )
    facts: list[LostFactDocument] = Field(description="All that is missing, in the order of the text.")
    told: int = Field(description="The number of facts that the summary tells.")


class UndoDocument(WrittenDocument):
    """A compaction or a prune that was undone."""

    tokens: int = Field(description="The window's tokens now.")


class RankedItemDocument(Document):
    """An item as a prune ranks it."""

    item: int = Field(description="Its id.")
    type: str = Field(description="message, decision, code, …")
    tokens: int = Field(description="Its tokens.")
    priority: str = Field(description="The group that it is kept in.")
    points: int = Field(description="Its points within the group.")
    essential: bool = Field(description="Whether it always stays.")
    kept: bool = Field(description="Whether it stays.")


class PruneDocument(Document):
    """The result of a prune."""

    session: UUID = Field(description="The session's id.")
    version: int | None = Field(
        description="The event's version; null for a dry run, or if nothing had to leave."
    )
    dry_run: bool = Field(description="Whether nothing was written.")
    window: str = Field(description="The window.")
    depth: str = Field(description="essentials, or aggressive: only the barest context stays.")
    limit: int = Field(description="Its limit.")
    target: int = Field(description="The tokens aimed at.")
    reached: bool = Field(description="Whether the remaining items fit the target.")
    tokens_before: int = Field(description="The window's tokens before.")
    tokens_after: int = Field(description="The window's tokens after.")
    threshold: int = Field(description="The points from which items were kept.")
    dropped: list[int] = Field(description="The items that left, or would.")
    kept: list[int] = Field(description="The items that stayed, or would.")
    ranked: list[RankedItemDocument] = Field(
        description="Every item with its rank; empty if the key had been used for this prune before."
    )

    @classmethod
    def of(cls, session: UUID, done: "Pruned") -> "PruneDocument":
        """The document of a prune."""
        from backstory.domain.window.priorities import KeepPriority

        return cls(
            session=session,
            version=done.version,
            dry_run=done.dry_run,
            window=done.window,
            depth=done.depth,
            limit=done.limit,
            target=done.target,
            reached=done.reached,
            tokens_before=done.tokens_before,
            tokens_after=done.tokens_after,
            threshold=done.threshold,
            dropped=list(done.dropped),
            kept=list(done.kept),
            ranked=[
                RankedItemDocument(**one._asdict() | {"priority": KeepPriority(one.priority).name.lower()})
                for one in done.ranked
            ],
        )


class FlashSaveDocument(Document):
    """The result of a flash save."""

    session: UUID = Field(description="The session's id.")
    checkpoint_id: int = Field(description="The checkpoint to restore for the window as it was.")
    version: int | None = Field(description="The event that cleared the window; null if nothing left.")
    items_archived: int = Field(description="The number of COLD items that left.")
    items_stored: int = Field(description="The number of WARM items that left.")
    hot_items_retained: int = Field(description="The number of HOT items that stayed.")
    tokens_before: int = Field(description="The window's tokens before.")
    tokens_after: int = Field(description="The window's tokens after.")

    @classmethod
    def of(cls, session: UUID, done: "FlashSaved") -> "FlashSaveDocument":
        """The document of a flash save."""
        return cls(session=session, **vars(done))
