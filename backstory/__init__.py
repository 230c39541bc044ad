"""Backstory: an event-sourced context store for LLM agents.

Names are loaded on first use (PEP 562), so that importing one part of the package, such as the domain, does not load
the database driver.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from backstory.application import __version__ as __version__

# Type checkers read these imports; the table below is used at run time. A test compares the two.
if TYPE_CHECKING:
    from backstory.application.access.keys import (
        AccessKey as AccessKey,
        MadeKey as MadeKey,
        RecordedCall as RecordedCall,
    )
    from backstory.application.aio.followers import AsyncFeed as AsyncFeed, AsyncTail as AsyncTail
    from backstory.application.aio.project import AsyncProject as AsyncProject
    from backstory.application.aio.session import (
        AsyncContextAgent as AsyncContextAgent,
        AsyncSession as AsyncSession,
        AsyncTransaction as AsyncTransaction,
    )
    from backstory.application.aio.store import AsyncContextStore as AsyncContextStore
    from backstory.application.aio.tasks import (
        AsyncContextSystem as AsyncContextSystem,
        AsyncProjectTasks as AsyncProjectTasks,
    )
    from backstory.application.anchors.files import (
        Anchored as Anchored,
        Anchors as Anchors,
        read_anchors as read_anchors,
    )
    from backstory.application.anchors.keys import AnchorKey as AnchorKey
    from backstory.application.archive.archive import Archived as Archived, Verdict as Verdict
    from backstory.application.artifacts.configuration import Configured as Configured
    from backstory.application.artifacts.loading import (
        Loaded as Loaded,
        LoadedArtifacts as LoadedArtifacts,
    )
    from backstory.application.artifacts.register import Scanned as Scanned, Skipped as Skipped
    from backstory.application.artifacts.registry import Artifact as Artifact
    from backstory.application.artifacts.session_artifacts import WindowArtifact as WindowArtifact
    from backstory.application.branches.diff import Diff as Diff
    from backstory.application.chat import CommandResult as CommandResult
    from backstory.application.checkpoints.files import CheckpointFile as CheckpointFile
    from backstory.application.checkpoints.session_checkpoints import (
        RestoredCheckpoint as RestoredCheckpoint,
        TakenCheckpoint as TakenCheckpoint,
    )
    from backstory.application.context.reproduce import Saw as Saw
    from backstory.application.context.result import Context as Context, Reproduction as Reproduction
    from backstory.application.feed.activity import Activity as Activity
    from backstory.application.feed.feed import Feed as Feed, FeedEvent as FeedEvent, FeedStatus as FeedStatus
    from backstory.application.feed.projection_list import Projection as Projection
    from backstory.application.feed.projection_runner import ProjectionRunner as ProjectionRunner
    from backstory.application.feed.projections import (
        FeedBatch as FeedBatch,
        FeedProjection as FeedProjection,
        ProjectionStatus as ProjectionStatus,
        SetAside as SetAside,
    )
    from backstory.application.feed.tail import Tail as Tail
    from backstory.application.files import Synced as Synced
    from backstory.application.integrity.projection_check import ProjectionsChecked as ProjectionsChecked
    from backstory.application.integrity.verification import (
        StoreVerification as StoreVerification,
        Verification as Verification,
    )
    from backstory.application.jobs.history import JobState as JobState, RecordedRun as RecordedRun
    from backstory.application.jobs.runner import JobRun as JobRun
    from backstory.application.jobs.worker import Worker as Worker
    from backstory.application.memory.memories import Memory as Memory, MemoryPage as MemoryPage
    from backstory.application.memory.project import Project as Project
    from backstory.application.memory.projects import ProjectSummary as ProjectSummary
    from backstory.application.memory.recall import Recalled as Recalled, RecallPage as RecallPage
    from backstory.application.operations.telemetry import (
        collect_metrics as collect_metrics,
        stop_metrics as stop_metrics,
    )
    from backstory.application.queries.event_contents import NamedContent as NamedContent
    from backstory.application.queries.recent_history import HistoryMessage as HistoryMessage
    from backstory.application.queries.restore_view import OpenGoal as OpenGoal, RestoreView as RestoreView
    from backstory.application.queries.resume import Resumed as Resumed
    from backstory.application.queries.session_list import SessionSummary as SessionSummary
    from backstory.application.queries.source_lines import SourceLine as SourceLine
    from backstory.application.rebuild.rebuild import ProjectionsRebuilt as ProjectionsRebuilt
    from backstory.application.retention.purge import Purged as Purged
    from backstory.application.retention.rules import (
        RetentionRule as RetentionRule,
        RetentionStep as RetentionStep,
    )
    from backstory.application.safety.reached import (
        Reached as Reached,
        ReachedItem as ReachedItem,
        ReachedPrompt as ReachedPrompt,
    )
    from backstory.application.safety.session_safety import Flagged as Flagged
    from backstory.application.safety.take_out import TakenOut as TakenOut
    from backstory.application.search.search import SearchHit as SearchHit, SearchPage as SearchPage
    from backstory.application.session import Session as Session
    from backstory.application.store import ContextStore as ContextStore
    from backstory.application.tasks.builder import ContextBuilder as ContextBuilder
    from backstory.application.tasks.contexts import ProjectTasks as ProjectTasks
    from backstory.application.tasks.dependencies import (
        CodebaseAnalyzer as CodebaseAnalyzer,
        CodeMemory as CodeMemory,
        ContextDependencies as ContextDependencies,
        MemorySystem as MemorySystem,
        RepoMapGenerator as RepoMapGenerator,
    )
    from backstory.application.tasks.integration import (
        AgentContextIntegration as AgentContextIntegration,
        PreparedContext as PreparedContext,
    )
    from backstory.application.tasks.manager import FreshContextManager as FreshContextManager
    from backstory.application.tasks.system import (
        ContextSystem as ContextSystem,
        create_context_builder as create_context_builder,
        create_context_system as create_context_system,
        create_fresh_context_manager as create_fresh_context_manager,
        create_test_context_system as create_test_context_system,
    )
    from backstory.application.tiers.agents import (
        ContextAgent as ContextAgent,
        FlashSaveResult as FlashSaveResult,
        TierUpdateResult as TierUpdateResult,
    )
    from backstory.application.tiers.load import ContextItem as ContextItem
    from backstory.application.tiers.session_tiers import ContextDiff as ContextDiff
    from backstory.application.tiers.update import (
        TiersUpdated as TiersUpdated,
        TierUpdate as TierUpdate,
    )
    from backstory.application.transaction import Transaction as Transaction
    from backstory.application.transfer.audit import Audit as Audit, audit_export as audit_export
    from backstory.application.transfer.export import Exported as Exported
    from backstory.application.transfer.importer import Imported as Imported
    from backstory.application.triggers.acting import (
        ActionContext as ActionContext,
        Outcome as Outcome,
        register_action as register_action,
    )
    from backstory.application.triggers.firing import Fired as Fired
    from backstory.application.triggers.history import TriggerRecord as TriggerRecord
    from backstory.application.triggers.project_triggers import WouldFire as WouldFire
    from backstory.application.window.dropped import Dropped as Dropped, DroppedItem as DroppedItem
    from backstory.application.window.flash_save import FlashSaved as FlashSaved
    from backstory.application.window.prune import Pruned as Pruned
    from backstory.application.window.recover import Recovered as Recovered
    from backstory.application.window.results import (
        Alert as Alert,
        BeforeCall as BeforeCall,
        Compacted as Compacted,
        ExpandedItem as ExpandedItem,
        UsagePoint as UsagePoint,
    )
    from backstory.application.window.uncompact import LostFact as LostFact, Uncompacted as Uncompacted
    from backstory.application.writing.content_bundle import ContentBundle as ContentBundle
    from backstory.domain.access import Action as Action, Caller as Caller
    from backstory.domain.code.codebase import CodebaseDocsSummary as CodebaseDocsSummary
    from backstory.domain.effects import Effects as Effects, NewItem as NewItem, Removal as Removal
    from backstory.domain.entities.entities import Entity as Entity
    from backstory.domain.errors import (
        AccessDenied as AccessDenied,
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
        KeyRequired as KeyRequired,
        NoLiveCall as NoLiveCall,
        NotFound as NotFound,
        OnlyInProcess as OnlyInProcess,
        OutcomeUnknown as OutcomeUnknown,
        ProjectionFailed as ProjectionFailed,
        RecallBelowFloor as RecallBelowFloor,
        Refused as Refused,
        SchemaMismatch as SchemaMismatch,
        ServerUnavailable as ServerUnavailable,
        SessionBusy as SessionBusy,
        SessionDiffers as SessionDiffers,
        SessionNotOpen as SessionNotOpen,
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
    from backstory.domain.events import Change as Change, Event as Event, EventBody as EventBody
    from backstory.domain.log.references import ContentRef as ContentRef
    from backstory.domain.memory.values import Source as Source
    from backstory.domain.messages.contents import Message as Message, Part as Part
    from backstory.domain.policies.artifacts import ArtifactPolicy as ArtifactPolicy
    from backstory.domain.policies.assembly import (
        AssemblyPolicy as AssemblyPolicy,
    )
    from backstory.domain.policies.memory import MemoryPolicy as MemoryPolicy
    from backstory.domain.policies.pruning import PruningPolicy as PruningPolicy
    from backstory.domain.policies.safety import SafetyPolicy as SafetyPolicy
    from backstory.domain.policies.summary import SummaryPolicy as SummaryPolicy
    from backstory.domain.policies.tiers import TierPolicy as TierPolicy
    from backstory.domain.policies.window import WindowPolicy as WindowPolicy
    from backstory.domain.records import Item as Item
    from backstory.domain.state import ContextState as ContextState
    from backstory.domain.summaries.offline import (
        SourceMessage as SourceMessage,
        SummaryDocument as SummaryDocument,
        SummarySource as SummarySource,
    )
    from backstory.domain.tasks.budget import (
        TokenBreakdown as TokenBreakdown,
        TokenBudget as TokenBudget,
        TokenBudgeter as TokenBudgeter,
    )
    from backstory.domain.tasks.context import (
        CodeSearchResult as CodeSearchResult,
        ContextStats as ContextStats,
        ContextValidation as ContextValidation,
        FileContent as FileContent,
        MemoryEntry as MemoryEntry,
        TaskContext as TaskContext,
    )
    from backstory.domain.tasks.values import (
        ContextBuilderOptions as ContextBuilderOptions,
        ContextOptions as ContextOptions,
        ContextProjectConfig as ContextProjectConfig,
        CustomBudget as CustomBudget,
        TaskSpec as TaskSpec,
    )
    from backstory.domain.triggers.values import DEFAULT_TRIGGERS as DEFAULT_TRIGGERS, Trigger as Trigger
    from backstory.domain.values import Priority as Priority, Role as Role, Tier as Tier
    from backstory.infrastructure.llm.summarizers import (
        EndpointSummarizer as EndpointSummarizer,
        OfflineSummarizer as OfflineSummarizer,
        Summarized as Summarized,
        Summarizer as Summarizer,
    )
    from backstory.infrastructure.llm.tokens import count_tokens as count_tokens
    from backstory.interfaces.client.opening import connect as connect, connect_async as connect_async

_EXPORTS = {
    "application.access.keys": "AccessKey MadeKey RecordedCall",
    "application.aio.followers": "AsyncFeed AsyncTail",
    "application.aio.project": "AsyncProject",
    "application.aio.session": "AsyncContextAgent AsyncSession AsyncTransaction",
    "application.aio.store": "AsyncContextStore",
    "application.aio.tasks": "AsyncContextSystem AsyncProjectTasks",
    "application.branches.diff": "Diff",
    "application.chat": "CommandResult",
    "application.checkpoints.session_checkpoints": "RestoredCheckpoint TakenCheckpoint",
    "application.checkpoints.files": "CheckpointFile",
    "application.context.reproduce": "Saw",
    "application.context.result": "Context Reproduction",
    "application.feed.activity": "Activity",
    "application.feed.feed": "Feed FeedEvent FeedStatus",
    "application.feed.projection_list": "Projection",
    "application.feed.projection_runner": "ProjectionRunner",
    "application.feed.projections": "FeedBatch FeedProjection ProjectionStatus SetAside",
    "application.feed.tail": "Tail",
    "application.files": "Synced",
    "application.integrity.projection_check": "ProjectionsChecked",
    "application.rebuild.rebuild": "ProjectionsRebuilt",
    "application.integrity.verification": "StoreVerification Verification",
    "application.jobs.history": "JobState RecordedRun",
    "application.jobs.runner": "JobRun",
    "application.jobs.worker": "Worker",
    "application.memory.memories": "Memory MemoryPage",
    "application.memory.project": "Project",
    "application.memory.projects": "ProjectSummary",
    "application.archive.archive": "Archived Verdict",
    "application.artifacts.configuration": "Configured",
    "application.artifacts.loading": "Loaded LoadedArtifacts",
    "application.artifacts.register": "Scanned Skipped",
    "application.artifacts.registry": "Artifact",
    "application.artifacts.session_artifacts": "WindowArtifact",
    "application.memory.recall": "Recalled RecallPage",
    "application.safety.reached": "Reached ReachedItem ReachedPrompt",
    "application.safety.session_safety": "Flagged",
    "application.safety.take_out": "TakenOut",
    "application.operations.telemetry": "collect_metrics stop_metrics",
    "application.queries.event_contents": "NamedContent",
    "application.queries.session_list": "SessionSummary",
    "application.queries.recent_history": "HistoryMessage",
    "application.queries.restore_view": "OpenGoal RestoreView",
    "application.queries.resume": "Resumed",
    "application.search.search": "SearchHit SearchPage",
    "application.session": "Session",
    "application.store": "ContextStore",
    "application.tasks.builder": "ContextBuilder",
    "application.tasks.contexts": "ProjectTasks",
    "application.tasks.dependencies": """
        CodebaseAnalyzer CodeMemory ContextDependencies MemorySystem RepoMapGenerator
    """,
    "application.tasks.integration": "AgentContextIntegration PreparedContext",
    "application.tasks.manager": "FreshContextManager",
    "application.tasks.system": """
        ContextSystem create_context_builder create_context_system create_fresh_context_manager
        create_test_context_system
    """,
    "application.tiers.agents": "ContextAgent FlashSaveResult TierUpdateResult",
    "application.tiers.update": "TiersUpdated TierUpdate",
    "application.tiers.load": "ContextItem",
    "application.tiers.session_tiers": "ContextDiff",
    "application.transaction": "Transaction",
    "application.queries.source_lines": "SourceLine",
    "application.anchors.keys": "AnchorKey",
    "application.anchors.files": "Anchored Anchors read_anchors",
    "application.transfer.audit": "Audit audit_export",
    "application.transfer.export": "Exported",
    "application.transfer.importer": "Imported",
    "application.retention.purge": "Purged",
    "application.retention.rules": "RetentionRule RetentionStep",
    "application.triggers.acting": "ActionContext Outcome register_action",
    "application.triggers.firing": "Fired",
    "application.triggers.history": "TriggerRecord",
    "application.triggers.project_triggers": "WouldFire",
    "application.window.dropped": "Dropped DroppedItem",
    "application.window.uncompact": "LostFact Uncompacted",
    "application.window.flash_save": "FlashSaved",
    "application.window.prune": "Pruned",
    "application.window.recover": "Recovered",
    "application.window.results": "Alert BeforeCall Compacted ExpandedItem UsagePoint",
    "application.writing.content_bundle": "ContentBundle",
    "domain.access": "Action Caller",
    "domain.code.codebase": "CodebaseDocsSummary",
    "domain.effects": "Effects NewItem Removal",
    "domain.entities.entities": "Entity",
    "domain.errors": """
        AccessDenied BackstoryError BranchMoved BudgetTooSmall Conflict ContentErased ContextInvalid
        ContextOverflow ForksDepend IdempotencyConflict InvalidInput InvalidMessage ItemNotLive
        ItemsChanged KeyRequired NoLiveCall NotFound OnlyInProcess OutcomeUnknown ProjectionFailed
        RecallBelowFloor Refused
        SchemaMismatch ServerUnavailable SessionBusy SessionDiffers SessionNotOpen SessionPurged
        StorageFull SummaryRefused Unavailable UnknownEncoding UnknownItem UnknownProjection
        UnknownSession UnknownVersion VerificationFailed VersionConflict WouldLoseContext
    """,
    "domain.events": "Change Event EventBody",
    "domain.log.references": "ContentRef",
    "domain.memory.values": "Source",
    "domain.messages.contents": "Message Part",
    "domain.policies.artifacts": "ArtifactPolicy",
    "domain.policies.assembly": "AssemblyPolicy",
    "domain.policies.memory": "MemoryPolicy",
    "domain.policies.pruning": "PruningPolicy",
    "domain.policies.safety": "SafetyPolicy",
    "domain.policies.summary": "SummaryPolicy",
    "domain.policies.tiers": "TierPolicy",
    "domain.policies.window": "WindowPolicy",
    "domain.records": "Item",
    "domain.state": "ContextState",
    "domain.summaries.offline": "SourceMessage SummaryDocument SummarySource",
    "domain.tasks.budget": "TokenBreakdown TokenBudget TokenBudgeter",
    "domain.tasks.context": """
        CodeSearchResult ContextStats ContextValidation FileContent MemoryEntry TaskContext
    """,
    "domain.tasks.values": """
        ContextBuilderOptions ContextOptions ContextProjectConfig CustomBudget TaskSpec
    """,
    "domain.triggers.values": "DEFAULT_TRIGGERS Trigger",
    "domain.values": "Priority Role Tier",
    "infrastructure.llm.summarizers": "EndpointSummarizer OfflineSummarizer Summarized Summarizer",
    "infrastructure.llm.tokens": "count_tokens",
    "interfaces.client.opening": "connect connect_async",
}
"""The public names by the module that defines them."""

_MODULES = {name: module for module, names in _EXPORTS.items() for name in names.split()}

__all__ = ["__version__", *_MODULES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"backstory.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
