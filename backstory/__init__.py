"""Backstory: an event-sourced context store for LLM agents.

Names are loaded when they are first asked for (PEP 562), so that importing one part of the package, above all
the domain, does not load the database driver.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from backstory.application import __version__ as __version__

if TYPE_CHECKING:
    from backstory.application.aio import (
        AsyncContextAgent as AsyncContextAgent,
        AsyncContextStore as AsyncContextStore,
        AsyncFeed as AsyncFeed,
        AsyncSession as AsyncSession,
        AsyncTail as AsyncTail,
        AsyncTransaction as AsyncTransaction,
    )
    from backstory.application.branches.diff import (
        Diff as Diff,
    )
    from backstory.application.chat import (
        CommandResult as CommandResult,
    )
    from backstory.application.checkpoints.checkpointing import (
        RestoredCheckpoint as RestoredCheckpoint,
        TakenCheckpoint as TakenCheckpoint,
    )
    from backstory.application.checkpoints.files import (
        CheckpointFile as CheckpointFile,
        FileDifference as FileDifference,
    )
    from backstory.application.context.reproduce import (
        Saw as Saw,
    )
    from backstory.application.context.result import (
        Context as Context,
        Reproduction as Reproduction,
    )
    from backstory.application.evaluation.recall_gate import (
        Policies as Policies,
        PolicyCheck as PolicyCheck,
        check_policies as check_policies,
    )
    from backstory.application.evaluation.recording import (
        Recording as Recording,
        recording_of as recording_of,
    )
    from backstory.application.feed.activity import (
        Activity as Activity,
        ActivityProjection as ActivityProjection,
    )
    from backstory.application.feed.feed import (
        Consumer as Consumer,
        Feed as Feed,
        FeedEvent as FeedEvent,
        FeedStatus as FeedStatus,
    )
    from backstory.application.feed.projection_list import (
        Projection as Projection,
    )
    from backstory.application.feed.projection_runner import (
        ProjectionRunner as ProjectionRunner,
        Retried as Retried,
    )
    from backstory.application.feed.projections import (
        FeedBatch as FeedBatch,
        FeedProjection as FeedProjection,
        ProjectionStatus as ProjectionStatus,
        SetAside as SetAside,
    )
    from backstory.application.feed.tail import (
        Tail as Tail,
    )
    from backstory.application.files import (
        Synced as Synced,
    )
    from backstory.application.integrity.projection_check import (
        ProjectionsChecked as ProjectionsChecked,
        SessionReadModels as SessionReadModels,
    )
    from backstory.application.integrity.rebuild import (
        ProjectionsRebuilt as ProjectionsRebuilt,
    )
    from backstory.application.integrity.verification import (
        StoreVerification as StoreVerification,
        Verification as Verification,
    )
    from backstory.application.jobs.history import (
        JobState as JobState,
        RecordedRun as RecordedRun,
    )
    from backstory.application.jobs.runner import (
        JobRun as JobRun,
    )
    from backstory.application.jobs.worker import (
        Worker as Worker,
    )
    from backstory.application.operations.telemetry import (
        collect_metrics as collect_metrics,
        stop_metrics as stop_metrics,
    )
    from backstory.application.queries.read_models import (
        SessionSummary as SessionSummary,
    )
    from backstory.application.queries.resume import (
        Restored as Restored,
    )
    from backstory.application.queries.status import (
        SessionStatus as SessionStatus,
        session_status as session_status,
    )
    from backstory.application.session import (
        Session as Session,
    )
    from backstory.application.store import (
        ContextStore as ContextStore,
    )
    from backstory.application.tiers.agents import (
        ContextAgent as ContextAgent,
        FlashSaveResult as FlashSaveResult,
        TierUpdateResult as TierUpdateResult,
    )
    from backstory.application.tiers.tier_updates import (
        TiersUpdated as TiersUpdated,
        TierUpdate as TierUpdate,
    )
    from backstory.application.tiers.tiering import (
        ContextDiff as ContextDiff,
        ContextItem as ContextItem,
        TierCounts as TierCounts,
    )
    from backstory.application.transaction import (
        Transaction as Transaction,
    )
    from backstory.application.transcripts.session_import import (
        Imported as Imported,
    )
    from backstory.application.transcripts.source_lines import (
        SourceLine as SourceLine,
    )
    from backstory.application.transfer.audit import (
        Audit as Audit,
        audit_export as audit_export,
    )
    from backstory.application.transfer.export import (
        Exported as Exported,
    )
    from backstory.application.transfer.purge import (
        Purged as Purged,
    )
    from backstory.application.transfer.retention import (
        RetentionRule as RetentionRule,
        RetentionStep as RetentionStep,
    )
    from backstory.application.window.pruning import (
        FlashSaved as FlashSaved,
        Pruned as Pruned,
    )
    from backstory.application.window.recovering import (
        Recovered as Recovered,
    )
    from backstory.application.window.results import (
        Alert as Alert,
        BeforeCall as BeforeCall,
        Compacted as Compacted,
        ExpandedItem as ExpandedItem,
        UsagePoint as UsagePoint,
    )
    from backstory.application.writing.content_bundle import (
        ContentBundle as ContentBundle,
    )
    from backstory.domain.effects import (
        Effects as Effects,
        NewItem as NewItem,
        Removal as Removal,
    )
    from backstory.domain.entities.entities import (
        Entity as Entity,
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
    from backstory.domain.log.references import (
        ContentRef as ContentRef,
    )
    from backstory.domain.messages.contents import (
        Message as Message,
        Part as Part,
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
    from backstory.domain.state import (
        ContextState as ContextState,
    )
    from backstory.domain.summaries.offline import (
        SourceMessage as SourceMessage,
        SummaryDocument as SummaryDocument,
        SummarySource as SummarySource,
    )
    from backstory.domain.values import (
        Priority as Priority,
        Role as Role,
        Tier as Tier,
    )
    from backstory.infrastructure.llm.summarizers import (
        EndpointSummarizer as EndpointSummarizer,
        OfflineSummarizer as OfflineSummarizer,
        Summarized as Summarized,
        Summarizer as Summarizer,
    )
    from backstory.infrastructure.llm.tokens import (
        count_tokens as count_tokens,
    )


_EXPORTS = {
    "ContextStore": "backstory.application.store",
    "AsyncContextStore": "backstory.application.aio",
    "Session": "backstory.application.session",
    "AsyncSession": "backstory.application.aio",
    "Transaction": "backstory.application.transaction",
    "AsyncTransaction": "backstory.application.aio",
    "ContextState": "backstory.domain.state",
    "Event": "backstory.domain.events",
    "EventBody": "backstory.domain.events",
    "Change": "backstory.domain.events",
    "ContentRef": "backstory.domain.log.references",
    "Effects": "backstory.domain.effects",
    "NewItem": "backstory.domain.effects",
    "Removal": "backstory.domain.effects",
    "Item": "backstory.domain.records",
    "Message": "backstory.domain.messages.contents",
    "Part": "backstory.domain.messages.contents",
    "ContentBundle": "backstory.application.writing.content_bundle",
    "count_tokens": "backstory.infrastructure.llm.tokens",
    "Context": "backstory.application.context.result",
    "Reproduction": "backstory.application.context.result",
    "Saw": "backstory.application.context.reproduce",
    "WindowPolicy": "backstory.domain.policies.window",
    "Alert": "backstory.application.window.results",
    "BeforeCall": "backstory.application.window.results",
    "Compacted": "backstory.application.window.results",
    "ExpandedItem": "backstory.application.window.results",
    "UsagePoint": "backstory.application.window.results",
    "AssemblyPolicy": "backstory.domain.policies.assembly",
    "LONG_HISTORY": "backstory.domain.policies.assembly",
    "PruningPolicy": "backstory.domain.policies.pruning",
    "Pruned": "backstory.application.window.pruning",
    "FlashSaved": "backstory.application.window.pruning",
    "Recovered": "backstory.application.window.recovering",
    "TakenCheckpoint": "backstory.application.checkpoints.checkpointing",
    "RestoredCheckpoint": "backstory.application.checkpoints.checkpointing",
    "CheckpointFile": "backstory.application.checkpoints.files",
    "FileDifference": "backstory.application.checkpoints.files",
    "Entity": "backstory.domain.entities.entities",
    "Diff": "backstory.application.branches.diff",
    "Verification": "backstory.application.integrity.verification",
    "Projection": "backstory.application.feed.projection_list",
    "ProjectionsChecked": "backstory.application.integrity.projection_check",
    "ProjectionsRebuilt": "backstory.application.integrity.rebuild",
    "SessionReadModels": "backstory.application.integrity.projection_check",
    "StoreVerification": "backstory.application.integrity.verification",
    "SessionSummary": "backstory.application.queries.read_models",
    "CommandResult": "backstory.application.chat",
    "Restored": "backstory.application.queries.resume",
    "Feed": "backstory.application.feed.feed",
    "FeedEvent": "backstory.application.feed.feed",
    "FeedStatus": "backstory.application.feed.feed",
    "Consumer": "backstory.application.feed.feed",
    "Tail": "backstory.application.feed.tail",
    "AsyncFeed": "backstory.application.aio",
    "AsyncTail": "backstory.application.aio",
    "ProjectionRunner": "backstory.application.feed.projection_runner",
    "FeedProjection": "backstory.application.feed.projections",
    "FeedBatch": "backstory.application.feed.projections",
    "ProjectionStatus": "backstory.application.feed.projections",
    "SetAside": "backstory.application.feed.projections",
    "Retried": "backstory.application.feed.projection_runner",
    "Activity": "backstory.application.feed.activity",
    "ActivityProjection": "backstory.application.feed.activity",
    "Synced": "backstory.application.files",
    "SummaryDocument": "backstory.domain.summaries.offline",
    "SummaryPolicy": "backstory.domain.policies.summary",
    "SummarySource": "backstory.domain.summaries.offline",
    "SourceMessage": "backstory.domain.summaries.offline",
    "Summarizer": "backstory.infrastructure.llm.summarizers",
    "Summarized": "backstory.infrastructure.llm.summarizers",
    "OfflineSummarizer": "backstory.infrastructure.llm.summarizers",
    "EndpointSummarizer": "backstory.infrastructure.llm.summarizers",
    "Imported": "backstory.application.transcripts.session_import",
    "SourceLine": "backstory.application.transcripts.source_lines",
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
    "ContextAgent": "backstory.application.tiers.agents",
    "FlashSaveResult": "backstory.application.tiers.agents",
    "TierUpdateResult": "backstory.application.tiers.agents",
    "ContextDiff": "backstory.application.tiers.tiering",
    "ContextItem": "backstory.application.tiers.tiering",
    "TierCounts": "backstory.application.tiers.tiering",
    "TiersUpdated": "backstory.application.tiers.tier_updates",
    "TierUpdate": "backstory.application.tiers.tier_updates",
    "TierPolicy": "backstory.domain.policies.tiers",
    "Worker": "backstory.application.jobs.worker",
    "collect_metrics": "backstory.application.operations.telemetry",
    "stop_metrics": "backstory.application.operations.telemetry",
    "JobRun": "backstory.application.jobs.runner",
    "JobState": "backstory.application.jobs.history",
    "RecordedRun": "backstory.application.jobs.history",
    "AsyncContextAgent": "backstory.application.aio",
    "AGENT_CONTEXT": "backstory.domain.policies.agent_work",
    "AGENT_SUMMARY": "backstory.domain.policies.agent_work",
    "AGENT_WINDOW": "backstory.domain.policies.agent_work",
    "SessionStatus": "backstory.application.queries.status",
    "session_status": "backstory.application.queries.status",
    "Policies": "backstory.application.evaluation.recall_gate",
    "PolicyCheck": "backstory.application.evaluation.recall_gate",
    "check_policies": "backstory.application.evaluation.recall_gate",
    "recording_of": "backstory.application.evaluation.recording",
    "Recording": "backstory.application.evaluation.recording",
    "Audit": "backstory.application.transfer.audit",
    "audit_export": "backstory.application.transfer.audit",
    "Exported": "backstory.application.transfer.export",
    "Purged": "backstory.application.transfer.purge",
    "RetentionRule": "backstory.application.transfer.retention",
    "RetentionStep": "backstory.application.transfer.retention",
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
    "ContentBundle",
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
