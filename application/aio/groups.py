"""The groups of a session, for asyncio."""

from collections.abc import Awaitable

from backstory.application.access.keys import Keys
from backstory.application.aio.calls import Offloading, awaited, iterated
from backstory.application.aio.writes import (
    AsyncCheckpointWriter,
    AsyncDecisionWriter,
    AsyncItemWriter,
    AsyncWindowWriter,
    AsyncWorkWriter,
)
from backstory.application.artifacts.project_artifacts import ProjectArtifacts
from backstory.application.artifacts.session_artifacts import SessionArtifacts
from backstory.application.checkpoints.session_checkpoints import SessionCheckpoints
from backstory.application.items.session_decisions import SessionDecisions
from backstory.application.items.session_items import SessionItems
from backstory.application.queries.views import SessionViews
from backstory.application.safety.project_safety import ProjectSafety
from backstory.application.safety.session_safety import Safety
from backstory.application.tiers.session_tiers import SessionTiers
from backstory.application.tiers.session_work import SessionWork
from backstory.application.triggers.project_triggers import ProjectTriggers
from backstory.application.triggers.session_triggers import SessionTriggers
from backstory.application.window.check import AlertHandler
from backstory.application.window.session_window import SessionWindow
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.policies.safety import SafetyPolicy


class AsyncKeys(Offloading[Keys]):
    """See Keys."""

    create = awaited(Keys.create)
    rotate = awaited(Keys.rotate)
    revoke = awaited(Keys.revoke)
    list = awaited(Keys.list)
    exist = awaited(Keys.exist)
    caller = awaited(Keys.caller)
    note = awaited(Keys.note)
    calls = awaited(Keys.calls)


class AsyncSessionItems(AsyncItemWriter):
    """See SessionItems."""

    _inner: SessionItems

    list = awaited(SessionItems.list)
    parts = awaited(SessionItems.parts)
    metadata = awaited(SessionItems.metadata)
    text_at = awaited(SessionItems.text_at)
    load = awaited(SessionItems.load)
    bring_back = awaited(SessionItems.bring_back)


class AsyncSafety(Offloading[Safety]):
    """See Safety."""

    confirm = awaited(Safety.confirm)
    quarantine = awaited(Safety.quarantine)
    release = awaited(Safety.release)
    reached = awaited(Safety.reached)
    take_out = awaited(Safety.take_out)
    quarantined = awaited(Safety.quarantined)
    flagged = awaited(Safety.flagged)
    counts = awaited(Safety.counts)
    clear = awaited(Safety.clear)

    @property
    def policy(self) -> Awaitable[SafetyPolicy]:
        """See Safety.policy: ``await session.safety.policy``."""
        return self._run(lambda: self._inner.policy)


class AsyncProjectSafety(AsyncSafety):
    """See ProjectSafety."""

    _inner: ProjectSafety

    counts = awaited(ProjectSafety.counts)
    choose = awaited(ProjectSafety.choose)


class AsyncSessionDecisions(AsyncDecisionWriter):
    """See SessionDecisions."""

    _inner: SessionDecisions

    list = awaited(SessionDecisions.list)
    recorded = awaited(SessionDecisions.recorded)
    candidates = awaited(SessionDecisions.candidates)


class AsyncSessionWork(AsyncWorkWriter):
    """See SessionWork."""

    _inner: SessionWork

    complete_task = awaited(SessionWork.complete_task)


class AsyncSessionWindow(AsyncWindowWriter):
    """See SessionWindow."""

    _inner: SessionWindow

    configure = awaited(SessionWindow.configure)
    usage = awaited(SessionWindow.usage)
    compactions = awaited(SessionWindow.compactions)
    compact = awaited(SessionWindow.compact)
    dropped = awaited(SessionWindow.dropped)
    uncompact = awaited(SessionWindow.uncompact)
    expand = awaited(SessionWindow.expand)
    undo_compaction = awaited(SessionWindow.undo_compaction)
    prune = awaited(SessionWindow.prune)
    restore_results = awaited(SessionWindow.restore_results)
    flash_save = awaited(SessionWindow.flash_save)
    recover = awaited(SessionWindow.recover)
    undo_clear = awaited(SessionWindow.undo_clear)

    def on_alert(self, handler: AlertHandler) -> None:
        """Calls `handler` with each alert that this session raises, on a thread of its own."""
        self._inner.on_alert(handler)


class AsyncSessionCheckpoints(AsyncCheckpointWriter):
    """See SessionCheckpoints."""

    _inner: SessionCheckpoints

    create = awaited(SessionCheckpoints.create)
    create_if_due = awaited(SessionCheckpoints.create_if_due)
    list = awaited(SessionCheckpoints.list)
    file = awaited(SessionCheckpoints.file)
    save = awaited(SessionCheckpoints.save)
    restore = awaited(SessionCheckpoints.restore)


class AsyncSessionTiers(Offloading[SessionTiers]):
    """See SessionTiers."""

    update = awaited(SessionTiers.update)
    items = awaited(SessionTiers.items)
    weighed = awaited(SessionTiers.weighed)
    stats = awaited(SessionTiers.stats)
    diff = awaited(SessionTiers.diff)


class AsyncSessionArtifacts(Offloading[SessionArtifacts]):
    """See SessionArtifacts."""

    load = awaited(SessionArtifacts.load)
    load_layers = awaited(SessionArtifacts.load_layers)
    preload = awaited(SessionArtifacts.preload)
    unload = awaited(SessionArtifacts.unload)
    unload_stale = awaited(SessionArtifacts.unload_stale)
    list = awaited(SessionArtifacts.list)


class AsyncSessionTriggers(Offloading[SessionTriggers]):
    """See SessionTriggers."""

    run = awaited(SessionTriggers.run)
    history = awaited(SessionTriggers.history)


class AsyncProjectTriggers(Offloading[ProjectTriggers]):
    """See ProjectTriggers."""

    set = awaited(ProjectTriggers.set)
    list = awaited(ProjectTriggers.list)
    check = awaited(ProjectTriggers.check)
    dry_run = awaited(ProjectTriggers.dry_run)
    history = awaited(ProjectTriggers.history)


class AsyncProjectArtifacts(Offloading[ProjectArtifacts]):
    """See ProjectArtifacts."""

    configure = awaited(ProjectArtifacts.configure)
    choose = awaited(ProjectArtifacts.choose)
    register = awaited(ProjectArtifacts.register)
    scan = awaited(ProjectArtifacts.scan)
    remove = awaited(ProjectArtifacts.remove)
    list = awaited(ProjectArtifacts.list)
    get = awaited(ProjectArtifacts.get)

    @property
    def policy(self) -> Awaitable[ArtifactPolicy]:
        """See ProjectArtifacts.policy: ``await project.artifacts.policy``."""
        return self._run(lambda: self._inner.policy)

    @property
    def root(self) -> Awaitable[str | None]:
        """See ProjectArtifacts.root: ``await project.artifacts.root``."""
        return self._run(lambda: self._inner.root)


class AsyncSessionViews(Offloading[SessionViews]):
    """See SessionViews."""

    current_context = awaited(SessionViews.current_context)
    validate = awaited(SessionViews.validate)
    hot_context = awaited(SessionViews.hot_context)
    recent_history = awaited(SessionViews.recent_history)
    restore_view = awaited(SessionViews.restore_view)
    entities = awaited(SessionViews.entities)
    summary = awaited(SessionViews.summary)
    branches = awaited(SessionViews.branches)
    model_calls = awaited(SessionViews.model_calls)
    prompts = awaited(SessionViews.prompts)
    imported_lines = iterated(SessionViews.imported_lines)
