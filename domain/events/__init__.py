"""Every event Backstory itself records. Users add their own by subclassing EventBody under a namespace."""

from backstory.domain.events.artifacts import (
    ArtifactLoaded as ArtifactLoaded,
    ArtifactRegistered as ArtifactRegistered,
    ArtifactRemoved as ArtifactRemoved,
    ProgressInvalidated as ProgressInvalidated,
)
from backstory.domain.events.base import (
    BODIES as BODIES,
    Change as Change,
    Event as Event,
    EventBody as EventBody,
    UnknownBody as UnknownBody,
    decode_body as decode_body,
)
from backstory.domain.events.clears import ClearUndone as ClearUndone, ContextCleared as ContextCleared
from backstory.domain.events.contexts import (
    ContextAssembled as ContextAssembled,
    Section as Section,
    SummaryMade as SummaryMade,
    SystemPromptSet as SystemPromptSet,
)
from backstory.domain.events.conversation import (
    MessageAdded as MessageAdded,
    ModelCalled as ModelCalled,
    ToolAnswered as ToolAnswered,
    ToolCalled as ToolCalled,
)
from backstory.domain.events.decisions import (
    DecisionConfirmed as DecisionConfirmed,
    DecisionDismissed as DecisionDismissed,
    DecisionNoticed as DecisionNoticed,
    DecisionRecorded as DecisionRecorded,
)
from backstory.domain.events.imports import (
    ImportedLine as ImportedLine,
    LinesImported as LinesImported,
)
from backstory.domain.events.items import (
    ContentsErased as ContentsErased,
    ErrorResolved as ErrorResolved,
    ItemDeprecated as ItemDeprecated,
    ItemPinned as ItemPinned,
    ItemSaved as ItemSaved,
    ItemsCompacted as ItemsCompacted,
    ItemsRemoved as ItemsRemoved,
    ItemsReturned as ItemsReturned,
    ItemsTouched as ItemsTouched,
    ItemUnpinned as ItemUnpinned,
    TokensCounted as TokensCounted,
)
from backstory.domain.events.memory import (
    MemoryConfirmed as MemoryConfirmed,
    MemoryCorroborated as MemoryCorroborated,
    MemoryForgotten as MemoryForgotten,
    MemoryRecorded as MemoryRecorded,
    MemorySource as MemorySource,
    ProjectStarted as ProjectStarted,
    SessionReviewed as SessionReviewed,
)
from backstory.domain.events.progress import (
    CheckpointTaken as CheckpointTaken,
    ClarityChanged as ClarityChanged,
    CommandExecuted as CommandExecuted,
    CommitMade as CommitMade,
    ErrorMet as ErrorMet,
    FilesFocused as FilesFocused,
    FileUpdated as FileUpdated,
    LayerChanged as LayerChanged,
    PhaseChanged as PhaseChanged,
)
from backstory.domain.events.safety import (
    FlagsCleared as FlagsCleared,
    ItemsConfirmed as ItemsConfirmed,
    ItemsQuarantined as ItemsQuarantined,
    ItemsReleased as ItemsReleased,
)
from backstory.domain.events.sessions import (
    AgentJoined as AgentJoined,
    ProjectSet as ProjectSet,
    SessionBacktracked as SessionBacktracked,
    SessionEnded as SessionEnded,
    SessionForked as SessionForked,
    SessionRenamed as SessionRenamed,
    SessionResumed as SessionResumed,
    SessionStarted as SessionStarted,
    SessionTagged as SessionTagged,
    WindowConfigured as WindowConfigured,
)
from backstory.domain.events.tasks import (
    ContextReleased as ContextReleased,
    FilesRecorded as FilesRecorded,
    MaterialGathered as MaterialGathered,
)
from backstory.domain.events.tiers import (
    TiersReassigned as TiersReassigned,
    WorkingSetKept as WorkingSetKept,
)
from backstory.domain.events.triggers import (
    TriggerActed as TriggerActed,
    TriggerFired as TriggerFired,
    TriggerStopped as TriggerStopped,
)
from backstory.domain.events.windows import (
    CompactionUndone as CompactionUndone,
    PolicyChosen as PolicyChosen,
    PrunePlanned as PrunePlanned,
    ResultsRestored as ResultsRestored,
    ResultsStubbed as ResultsStubbed,
    WindowAlerted as WindowAlerted,
)
from backstory.domain.events.work import (
    ActionAdded as ActionAdded,
    ActionBlocked as ActionBlocked,
    ActionCompleted as ActionCompleted,
    ConstraintAdded as ConstraintAdded,
    ConstraintRemoved as ConstraintRemoved,
    GoalCompleted as GoalCompleted,
    GoalSet as GoalSet,
    GoalUpdated as GoalUpdated,
    QuestionAnswered as QuestionAnswered,
    QuestionAsked as QuestionAsked,
    TaskCompleted as TaskCompleted,
    TaskFailed as TaskFailed,
    TaskStarted as TaskStarted,
)

UPKEEP = frozenset(
    kind.type
    for kind in (
        LinesImported,
        ContextAssembled,
        DecisionNoticed,
        SummaryMade,
        TiersReassigned,
        WorkingSetKept,
        CheckpointTaken,
        TriggerActed,
        TriggerFired,
        TriggerStopped,
        WindowAlerted,
        ItemsRemoved,
        ItemsTouched,
        TokensCounted,
        ContentsErased,
        FilesRecorded,
        MaterialGathered,
        ContextReleased,
    )
)
"""Types of events that are recorded without anybody working in the session: what imports, jobs and reading leave
behind."""
