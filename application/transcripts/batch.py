"""Many writes in one append, each decided on the state after the ones before it."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self
from uuid import UUID, uuid4

from backstory.application.handle import OpenSession, SessionHandle
from backstory.application.runtime import Runtime
from backstory.application.safety.policy import project_policy
from backstory.application.safety.suspicion import with_flags
from backstory.application.writer import Writer
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request
from backstory.domain.commands import facts
from backstory.domain.effects import WindowSettings
from backstory.domain.events import Change, EventBody
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.guards import Guard
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, build, microseconds
from backstory.infrastructure.postgres.append import Appended, Key, PendingEvent


@dataclass(slots=True)
class _Pending:
    """The writes so far. All views of a batch share it."""

    state: ContextState
    base: int
    pending: list[PendingEvent] = field(default_factory=list)


class _PlanHandle(SessionHandle):
    """Decides each write at once on the state that the ones before it lead to."""

    plan: _Pending

    def require_items(self, field: str, ids: Sequence[int], types: Collection[str] = ()) -> list[Item]:
        """Checks nothing: an import names the versions of its own writes, which are not in the database yet."""
        return []

    @property
    def safety(self) -> SafetyPolicy:
        """That of the project, which a session that is not appended yet has in its first event."""
        project = self.plan.state.labels.get("project")
        return self.runtime.safety if project is None else project_policy(self.runtime, project)

    def submit(self, request: Request) -> int:
        plan = self.plan
        decided = request.decide(plan.state)
        change = with_flags(decided.change, request.bundle, lambda: self.safety)
        event = request.pending(change)
        now = datetime.now(UTC)
        plan.pending.append(event)
        version = plan.base + len(plan.pending)
        recorded = event.recorded(change, self.id, version, now, plan.state.epoch)
        if plan.state.version == 0:
            plan.state = evolve(None, recorded)
        else:
            evolve(plan.state, recorded)
        return recorded.version


class ImportBatch(Writer):
    """Collects writes on a state of its own. Unlike a transaction's, a write returns its version, raises what the
    state forbids at once, and leaves the batch as it was when it does. They are appended together, and only if the
    session is still where the state was: else `VersionConflict`, and the batch is to be made again."""

    _handle: _PlanHandle

    @classmethod
    def on(
        cls, runtime: Runtime, stream: UUID, state: ContextState | None, encodings: dict[str, str]
    ) -> Self:
        """Begins a batch. `state` is folded on in place; None for a session that does not exist yet: `start` must come
        first."""
        opened = OpenSession(0 if state is None else state.epoch, encodings)
        handle = _PlanHandle(runtime, stream, opened, Provenance(imported=True))
        handle.plan = _Pending(state or ContextState(stream), 0 if state is None else state.version)
        return cls(handle)

    @property
    def state(self) -> ContextState:
        """The state after all that was collected."""
        return self._handle.plan.state

    @property
    def events(self) -> int:
        """The number of events that were collected."""
        return len(self._handle.plan.pending)

    def start(self, title: str | None, tags: Sequence[str], project: str | None, model: str | None) -> int:
        """The session's first event."""
        bundle = self._handle.bundle()
        window = build(WindowSettings, name=MAIN_WINDOW, model=model)
        change = facts.start_session(bundle.optional("title", title), tags, project, window)
        return self._handle.write(bundle, change)

    def bundle(self) -> ContentBundle:
        """The contents of a write, looked through for secrets as imports are."""
        return self._handle.bundle()

    def note(self, bundle: ContentBundle, body: EventBody) -> int:
        """An event without effects."""
        return self._handle.write(bundle, Change(body))

    def commit(self) -> Appended | None:
        """Appends what was collected; None when there was nothing."""
        plan = self._handle.plan
        if not plan.pending:
            return None
        # The key makes it safe to ask again when the connection is lost; nobody else will ever use it.
        key = f"import:{uuid4()}"
        done = self._runtime.append(
            self._id,
            plan.pending,
            guard=Guard(expected=plan.base),
            epoch=plan.state.epoch if plan.base else None,
            key=Key(key, hashlib.sha256(key.encode()).digest()),
            kind=None if plan.base else "session",
        )
        plan.state.recorded = microseconds(done.recorded_at)
        return done
