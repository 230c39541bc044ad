"""Backstory: an event-sourced context store for LLM agents.

Names are loaded when they are first asked for (PEP 562), so that importing one part of the package, above all
the domain, does not load the database driver.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backstory.activity import (
        Activity as Activity,
        ActivityProjection as ActivityProjection,
    )
    from backstory.agents import (
        ContextAgent as ContextAgent,
        FlashSaveResult as FlashSaveResult,
        TierUpdateResult as TierUpdateResult,
    )
    from backstory.aio import (
        AsyncContextAgent as AsyncContextAgent,
        AsyncContextStore as AsyncContextStore,
        AsyncFeed as AsyncFeed,
        AsyncSession as AsyncSession,
        AsyncTail as AsyncTail,
        AsyncTransaction as AsyncTransaction,
    )
    from backstory.checkpoint_files import (
        CheckpointFile as CheckpointFile,
        FileDifference as FileDifference,
    )
    from backstory.checkpointing import (
        RestoredCheckpoint as RestoredCheckpoint,
        TakenCheckpoint as TakenCheckpoint,
    )
    from backstory.commanding import (
        CommandResult as CommandResult,
    )
    from backstory.context import (
        Context as Context,
        Reproduction as Reproduction,
    )
    from backstory.diff import (
        Diff as Diff,
    )
    from backstory.domain.contents import (
        Message as Message,
        Part as Part,
    )
    from backstory.domain.effects import (
        Effects as Effects,
        NewItem as NewItem,
        Removal as Removal,
    )
    from backstory.domain.errors import (
        BackstoryError as BackstoryError,
        BranchMoved as BranchMoved,
        BudgetTooSmall as BudgetTooSmall,
        Conflict as Conflict,
        ContentErased as ContentErased,
        ContextInvalid as ContextInvalid,
        ContextOverflow as ContextOverflow,
        ForksDepend as ForksDepend,
        IdempotencyConflict as IdempotencyConflict,
        InvalidInput as InvalidInput,
        InvalidMessage as InvalidMessage,
        ItemNotLive as ItemNotLive,
        ItemsChanged as ItemsChanged,
        NoLiveCall as NoLiveCall,
        NotFound as NotFound,
        OutcomeUnknown as OutcomeUnknown,
        ProjectionFailed as ProjectionFailed,
        RecallBelowFloor as RecallBelowFloor,
        Refused as Refused,
        SchemaMismatch as SchemaMismatch,
        ServerUnavailable as ServerUnavailable,
        SessionBusy as SessionBusy,
        SessionDiffers as SessionDiffers,
        SessionEnded as SessionEnded,
        SessionPurged as SessionPurged,
        StorageFull as StorageFull,
        SummaryRefused as SummaryRefused,
        Unavailable as Unavailable,
        UnknownEncoding as UnknownEncoding,
        UnknownItem as UnknownItem,
        UnknownProjection as UnknownProjection,
        UnknownSession as UnknownSession,
        UnknownVersion as UnknownVersion,
        VerificationFailed as VerificationFailed,
        VersionConflict as VersionConflict,
        WouldLoseContext as WouldLoseContext,
    )
    from backstory.domain.events import (
        Change as Change,
        Event as Event,
        EventBody as EventBody,
    )
    from backstory.domain.policies.agent_work import (
        AGENT_CONTEXT as AGENT_CONTEXT,
        AGENT_SUMMARY as AGENT_SUMMARY,
        AGENT_WINDOW as AGENT_WINDOW,
    )
    from backstory.domain.policies.assembly import (
        LONG_HISTORY as LONG_HISTORY,
        AssemblyPolicy as AssemblyPolicy,
    )
    from backstory.domain.policies.pruning import (
        PruningPolicy as PruningPolicy,
    )
    from backstory.domain.policies.summary import (
        SummaryPolicy as SummaryPolicy,
    )
    from backstory.domain.policies.tiers import (
        TierPolicy as TierPolicy,
    )
    from backstory.domain.policies.window import (
        WindowPolicy as WindowPolicy,
    )
    from backstory.domain.records import (
        Item as Item,
    )
    from backstory.domain.references import (
        ContentRef as ContentRef,
    )
    from backstory.domain.state import (
        ContextState as ContextState,
    )
    from backstory.domain.summaries import (
        SourceMessage as SourceMessage,
        SummaryDocument as SummaryDocument,
        SummarySource as SummarySource,
    )
    from backstory.domain.tracking.entities import (
        Entity as Entity,
    )
    from backstory.domain.values import (
        Priority as Priority,
        Role as Role,
        Tier as Tier,
    )
    from backstory.drafts import (
        Draft as Draft,
    )
    from backstory.feed import (
        Consumer as Consumer,
        Feed as Feed,
        FeedEvent as FeedEvent,
        FeedStatus as FeedStatus,
    )
    from backstory.importing.kept_lines import (
        SourceLine as SourceLine,
    )
    from backstory.importing.session_import import (
        Imported as Imported,
    )
    from backstory.infrastructure.summarizers import (
        EndpointSummarizer as EndpointSummarizer,
        OfflineSummarizer as OfflineSummarizer,
        Summarized as Summarized,
        Summarizer as Summarizer,
    )
    from backstory.infrastructure.tokens import (
        count_tokens as count_tokens,
    )
    from backstory.job_history import (
        JobState as JobState,
        RecordedRun as RecordedRun,
    )
    from backstory.job_turns import (
        JobRun as JobRun,
    )
    from backstory.monitoring import (
        SessionStatus as SessionStatus,
        session_status as session_status,
    )
    from backstory.projecting import (
        FeedBatch as FeedBatch,
        FeedProjection as FeedProjection,
        ProjectionStatus as ProjectionStatus,
        SetAside as SetAside,
    )
    from backstory.projection_check import (
        ProjectionsChecked as ProjectionsChecked,
        SessionReadModels as SessionReadModels,
    )
    from backstory.projection_list import (
        Projection as Projection,
    )
    from backstory.projection_runner import (
        ProjectionRunner as ProjectionRunner,
        Retried as Retried,
    )
    from backstory.pruning import (
        FlashSaved as FlashSaved,
        Pruned as Pruned,
    )
    from backstory.read_models import (
        SessionSummary as SessionSummary,
    )
    from backstory.rebuilding import (
        ProjectionsRebuilt as ProjectionsRebuilt,
    )
    from backstory.recall_gate import (
        Policies as Policies,
        PolicyCheck as PolicyCheck,
        check_policies as check_policies,
    )
    from backstory.recording import (
        Recording as Recording,
        recording_of as recording_of,
    )
    from backstory.recovering import (
        Recovered as Recovered,
    )
    from backstory.reproduction import (
        Saw as Saw,
    )
    from backstory.restoring import (
        Restored as Restored,
    )
    from backstory.session import (
        Session as Session,
    )
    from backstory.store import (
        ContextStore as ContextStore,
    )
    from backstory.syncing import (
        Synced as Synced,
    )
    from backstory.tail import (
        Tail as Tail,
    )
    from backstory.telemetry import (
        collect_metrics as collect_metrics,
        stop_metrics as stop_metrics,
    )
    from backstory.tier_updates import (
        TiersUpdated as TiersUpdated,
        TierUpdate as TierUpdate,
    )
    from backstory.tiering import (
        ContextDiff as ContextDiff,
        ContextItem as ContextItem,
        TierCounts as TierCounts,
    )
    from backstory.transaction import (
        Transaction as Transaction,
    )
    from backstory.transfer.auditing import (
        Audit as Audit,
        audit_export as audit_export,
    )
    from backstory.transfer.exporting import (
        Exported as Exported,
    )
    from backstory.transfer.purging import (
        Purged as Purged,
    )
    from backstory.transfer.retention import (
        RetentionRule as RetentionRule,
        RetentionStep as RetentionStep,
    )
    from backstory.verification import (
        StoreVerification as StoreVerification,
        Verification as Verification,
    )
    from backstory.window_results import (
        Alert as Alert,
        BeforeCall as BeforeCall,
        Compacted as Compacted,
        ExpandedItem as ExpandedItem,
        UsagePoint as UsagePoint,
    )
    from backstory.worker import (
        Worker as Worker,
    )

__version__ = "0.1.0"

_EXPORTS = {
    "ContextStore": "backstory.store",
    "AsyncContextStore": "backstory.aio",
    "Session": "backstory.session",
    "AsyncSession": "backstory.aio",
    "Transaction": "backstory.transaction",
    "AsyncTransaction": "backstory.aio",
    "ContextState": "backstory.domain.state",
    "Event": "backstory.domain.events",
    "EventBody": "backstory.domain.events",
    "Change": "backstory.domain.events",
    "ContentRef": "backstory.domain.references",
    "Effects": "backstory.domain.effects",
    "NewItem": "backstory.domain.effects",
    "Removal": "backstory.domain.effects",
    "Item": "backstory.domain.records",
    "Message": "backstory.domain.contents",
    "Part": "backstory.domain.contents",
    "Draft": "backstory.drafts",
    "count_tokens": "backstory.infrastructure.tokens",
    "Context": "backstory.context",
    "Reproduction": "backstory.context",
    "Saw": "backstory.reproduction",
    "WindowPolicy": "backstory.domain.policies.window",
    "Alert": "backstory.window_results",
    "BeforeCall": "backstory.window_results",
    "Compacted": "backstory.window_results",
    "ExpandedItem": "backstory.window_results",
    "UsagePoint": "backstory.window_results",
    "AssemblyPolicy": "backstory.domain.policies.assembly",
    "LONG_HISTORY": "backstory.domain.policies.assembly",
    "PruningPolicy": "backstory.domain.policies.pruning",
    "Pruned": "backstory.pruning",
    "FlashSaved": "backstory.pruning",
    "Recovered": "backstory.recovering",
    "TakenCheckpoint": "backstory.checkpointing",
    "RestoredCheckpoint": "backstory.checkpointing",
    "CheckpointFile": "backstory.checkpoint_files",
    "FileDifference": "backstory.checkpoint_files",
    "Entity": "backstory.domain.tracking.entities",
    "Diff": "backstory.diff",
    "Verification": "backstory.verification",
    "Projection": "backstory.projection_list",
    "ProjectionsChecked": "backstory.projection_check",
    "ProjectionsRebuilt": "backstory.rebuilding",
    "SessionReadModels": "backstory.projection_check",
    "StoreVerification": "backstory.verification",
    "SessionSummary": "backstory.read_models",
    "CommandResult": "backstory.commanding",
    "Restored": "backstory.restoring",
    "Feed": "backstory.feed",
    "FeedEvent": "backstory.feed",
    "FeedStatus": "backstory.feed",
    "Consumer": "backstory.feed",
    "Tail": "backstory.tail",
    "AsyncFeed": "backstory.aio",
    "AsyncTail": "backstory.aio",
    "ProjectionRunner": "backstory.projection_runner",
    "FeedProjection": "backstory.projecting",
    "FeedBatch": "backstory.projecting",
    "ProjectionStatus": "backstory.projecting",
    "SetAside": "backstory.projecting",
    "Retried": "backstory.projection_runner",
    "Activity": "backstory.activity",
    "ActivityProjection": "backstory.activity",
    "Synced": "backstory.syncing",
    "SummaryDocument": "backstory.domain.summaries",
    "SummaryPolicy": "backstory.domain.policies.summary",
    "SummarySource": "backstory.domain.summaries",
    "SourceMessage": "backstory.domain.summaries",
    "Summarizer": "backstory.infrastructure.summarizers",
    "Summarized": "backstory.infrastructure.summarizers",
    "OfflineSummarizer": "backstory.infrastructure.summarizers",
    "EndpointSummarizer": "backstory.infrastructure.summarizers",
    "Imported": "backstory.importing.session_import",
    "SourceLine": "backstory.importing.kept_lines",
    "Priority": "backstory.domain.values",
    "Role": "backstory.domain.values",
    "Tier": "backstory.domain.values",
    "BackstoryError": "backstory.domain.errors",
    "InvalidInput": "backstory.domain.errors",
    "InvalidMessage": "backstory.domain.errors",
    "UnknownEncoding": "backstory.domain.errors",
    "NotFound": "backstory.domain.errors",
    "UnknownSession": "backstory.domain.errors",
    "UnknownVersion": "backstory.domain.errors",
    "UnknownItem": "backstory.domain.errors",
    "UnknownProjection": "backstory.domain.errors",
    "Refused": "backstory.domain.errors",
    "ItemNotLive": "backstory.domain.errors",
    "NoLiveCall": "backstory.domain.errors",
    "SessionEnded": "backstory.domain.errors",
    "SessionDiffers": "backstory.domain.errors",
    "SessionPurged": "backstory.domain.errors",
    "ContentErased": "backstory.domain.errors",
    "BudgetTooSmall": "backstory.domain.errors",
    "ForksDepend": "backstory.domain.errors",
    "ContextInvalid": "backstory.domain.errors",
    "SummaryRefused": "backstory.domain.errors",
    "WouldLoseContext": "backstory.domain.errors",
    "ContextOverflow": "backstory.domain.errors",
    "Conflict": "backstory.domain.errors",
    "VersionConflict": "backstory.domain.errors",
    "ItemsChanged": "backstory.domain.errors",
    "BranchMoved": "backstory.domain.errors",
    "IdempotencyConflict": "backstory.domain.errors",
    "SessionBusy": "backstory.domain.errors",
    "Unavailable": "backstory.domain.errors",
    "ServerUnavailable": "backstory.domain.errors",
    "OutcomeUnknown": "backstory.domain.errors",
    "ProjectionFailed": "backstory.domain.errors",
    "RecallBelowFloor": "backstory.domain.errors",
    "StorageFull": "backstory.domain.errors",
    "SchemaMismatch": "backstory.domain.errors",
    "VerificationFailed": "backstory.domain.errors",
    "ContextAgent": "backstory.agents",
    "FlashSaveResult": "backstory.agents",
    "TierUpdateResult": "backstory.agents",
    "ContextDiff": "backstory.tiering",
    "ContextItem": "backstory.tiering",
    "TierCounts": "backstory.tiering",
    "TiersUpdated": "backstory.tier_updates",
    "TierUpdate": "backstory.tier_updates",
    "TierPolicy": "backstory.domain.policies.tiers",
    "Worker": "backstory.worker",
    "collect_metrics": "backstory.telemetry",
    "stop_metrics": "backstory.telemetry",
    "JobRun": "backstory.job_turns",
    "JobState": "backstory.job_history",
    "RecordedRun": "backstory.job_history",
    "AsyncContextAgent": "backstory.aio",
    "AGENT_CONTEXT": "backstory.domain.policies.agent_work",
    "AGENT_SUMMARY": "backstory.domain.policies.agent_work",
    "AGENT_WINDOW": "backstory.domain.policies.agent_work",
    "SessionStatus": "backstory.monitoring",
    "session_status": "backstory.monitoring",
    "Policies": "backstory.recall_gate",
    "PolicyCheck": "backstory.recall_gate",
    "check_policies": "backstory.recall_gate",
    "recording_of": "backstory.recording",
    "Recording": "backstory.recording",
    "Audit": "backstory.transfer.auditing",
    "audit_export": "backstory.transfer.auditing",
    "Exported": "backstory.transfer.exporting",
    "Purged": "backstory.transfer.purging",
    "RetentionRule": "backstory.transfer.retention",
    "RetentionStep": "backstory.transfer.retention",
}

__all__ = [
    "ContextStore",
    "AsyncContextStore",
    "Session",
    "AsyncSession",
    "Transaction",
    "AsyncTransaction",
    "ContextState",
    "Event",
    "EventBody",
    "Change",
    "ContentRef",
    "Effects",
    "NewItem",
    "Removal",
    "Item",
    "Message",
    "Part",
    "Draft",
    "count_tokens",
    "Context",
    "Reproduction",
    "Saw",
    "WindowPolicy",
    "ContextAgent",
    "AsyncContextAgent",
    "ContextItem",
    "ContextDiff",
    "TierPolicy",
    "TierUpdate",
    "TiersUpdated",
    "TierCounts",
    "TierUpdateResult",
    "FlashSaveResult",
    "Worker",
    "collect_metrics",
    "stop_metrics",
    "JobRun",
    "JobState",
    "RecordedRun",
    "Alert",
    "BeforeCall",
    "Compacted",
    "ExpandedItem",
    "UsagePoint",
    "AssemblyPolicy",
    "LONG_HISTORY",
    "PruningPolicy",
    "Pruned",
    "FlashSaved",
    "Recovered",
    "TakenCheckpoint",
    "RestoredCheckpoint",
    "CheckpointFile",
    "FileDifference",
    "Entity",
    "Diff",
    "Verification",
    "Projection",
    "ProjectionsChecked",
    "ProjectionsRebuilt",
    "SessionReadModels",
    "StoreVerification",
    "SessionSummary",
    "CommandResult",
    "Restored",
    "Feed",
    "FeedEvent",
    "FeedStatus",
    "Consumer",
    "Tail",
    "AsyncFeed",
    "AsyncTail",
    "ProjectionRunner",
    "FeedProjection",
    "FeedBatch",
    "ProjectionStatus",
    "SetAside",
    "Retried",
    "Activity",
    "ActivityProjection",
    "Synced",
    "SummaryDocument",
    "SummaryPolicy",
    "SummarySource",
    "SourceMessage",
    "Summarizer",
    "Summarized",
    "OfflineSummarizer",
    "EndpointSummarizer",
    "Priority",
    "Role",
    "Tier",
    "BackstoryError",
    "InvalidInput",
    "InvalidMessage",
    "UnknownEncoding",
    "NotFound",
    "UnknownSession",
    "UnknownVersion",
    "UnknownItem",
    "UnknownProjection",
    "Refused",
    "ItemNotLive",
    "NoLiveCall",
    "SessionEnded",
    "SessionDiffers",
    "SessionPurged",
    "ContentErased",
    "BudgetTooSmall",
    "ForksDepend",
    "ContextInvalid",
    "SummaryRefused",
    "WouldLoseContext",
    "ContextOverflow",
    "Conflict",
    "VersionConflict",
    "ItemsChanged",
    "BranchMoved",
    "IdempotencyConflict",
    "SessionBusy",
    "Unavailable",
    "ServerUnavailable",
    "OutcomeUnknown",
    "ProjectionFailed",
    "RecallBelowFloor",
    "StorageFull",
    "SchemaMismatch",
    "VerificationFailed",
    "__version__",
    "AGENT_CONTEXT",
    "AGENT_SUMMARY",
    "AGENT_WINDOW",
    "SessionStatus",
    "session_status",
    "Policies",
    "PolicyCheck",
    "check_policies",
    "recording_of",
    "Recording",
    "Audit",
    "audit_export",
    "Exported",
    "Purged",
    "RetentionRule",
    "RetentionStep",
]


def __getattr__(name: str) -> Any:
    module = _EXPORTS.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
