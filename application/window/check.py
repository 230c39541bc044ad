"""The check before each call: the usage of a window, alerts, and the steps that make room."""

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from backstory.application.checkpoints.session_checkpoints import SessionCheckpoints
from backstory.application.handle import SessionHandle, SessionPart
from backstory.application.runtime import in_epoch
from backstory.application.window.compact import Compactor, chosen_policy, with_window
from backstory.application.window.compaction_progress import Progress
from backstory.application.window.flash_save import FlashSaver
from backstory.application.window.prune import Aim, Pruner
from backstory.application.window.recover import Recoverer
from backstory.application.window.results import Alert, BeforeCall
from backstory.application.window.stubs import Stubber
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import compaction, recovery
from backstory.domain.errors import InvalidInput, Refused
from backstory.domain.events import Event
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import LARGEST, MAIN_WINDOW, label, whole_number
from backstory.domain.window.checkpoints import due_triggers
from backstory.infrastructure.llm.summarizers import Summarizer

AlertHandler = Callable[[Alert], None]
_log = logging.getLogger(__name__)


class WindowCheck(SessionPart):
    """Checks a window before each call of the model."""

    def before_call(
        self,
        *,
        next_tokens: int = 0,
        next_operation: str | None = None,
        window: str = MAIN_WINDOW,
        policy: WindowPolicy | None = None,
        summarizer: Summarizer | None = None,
    ) -> BeforeCall:
        """Checks a window before a call of the model, and makes room. It takes the steps of the policy's ladder for the
        usage, including `next_tokens`, and returns them. Steps that lose less come first; a step is skipped once the
        usage is below its rung. If no step makes the next call fit, ContextOverflow is raised; the earlier steps stay
        done. It takes no key (`once`): a repeated check starts from the current state."""
        if self._handle.key is not None:
            raise InvalidInput("key", "means nothing to a check, which may be asked again at any time")
        whole_number("next_tokens", next_tokens, minimum=0, maximum=LARGEST)
        if next_operation is not None:
            label("next_operation", next_operation)
        with self._runtime.reader.borrow(self._id) as state:
            with_window(in_epoch(state, self._handle.epoch), window)
            chosen = chosen_policy(state, policy)
            check = _Check(self._handle, state, window, next_tokens, chosen, summarizer)
            return self._checked(check, next_operation)

    def _checked(self, check: "_Check", next_operation: str | None) -> BeforeCall:
        state, window, chosen = check.state(), check.window, check.policy
        usage_before = check.usage(state)
        check.checkpoint(next_operation)
        alerts = tuple(check.alerted())
        for alert in alerts:
            # Before anything is done about it: where nothing helps, nobody would be told.
            self._tell(alert)
        if usage_before >= chosen.stubs_from:
            check.climb(usage_before)
        if chosen.by_count:
            check.by_count()
        state = check.state()
        events = events_at(self._handle, check.versions)
        return BeforeCall(
            window=window,
            limit=state.windows[window].limit,
            zone_before=chosen.zone(usage_before),
            zone=chosen.zone(check.usage(state)),
            usage_before=usage_before,
            usage=check.usage(state),
            tokens=state.windows[window].tokens,
            next_tokens=check.next_tokens,
            actions=tuple(check.actions),
            events=events,
            alerts=alerts,
        )

    def _tell(self, alert: Alert) -> None:
        handlers = list(self._handle.opened.alert_handlers)
        if self._runtime.on_alert is not None:
            handlers.insert(0, self._runtime.on_alert)
        for handler in handlers:
            try:
                handler(alert)
            except Exception:
                # The alert is recorded, and the call it was raised before must not fail for a listener.
                _log.exception("A handler of alerts failed.")


class _Check:
    """One check, and its steps so far."""

    def __init__(
        self,
        handle: SessionHandle,
        state: ContextState,
        window: str,
        next_tokens: int,
        policy: WindowPolicy,
        summarizer: Summarizer | None,
    ) -> None:
        self.handle, self.window, self.next_tokens, self.policy = handle, window, next_tokens, policy
        self.summarizer = summarizer
        self.actions: list[str] = []
        self.versions: list[int] = []
        self._state: ContextState | None = state

    def did(self, action: str, *versions: int) -> None:
        self.actions.append(action)
        self.versions += versions
        self._state = None

    def state(self) -> ContextState:
        """The state after the last step of this check: a check without steps reads it once."""
        if self._state is None:
            self._state = self.handle.state()
        return self._state

    def checkpoint(self, next_operation: str | None) -> None:
        due = due_triggers(
            self.state(),
            at=self.handle.now_us(),
            next_operation=next_operation,
            next_tokens=self.next_tokens,
            window=self.window,
            policy=self.policy,
        )
        if not due:
            return
        taken = SessionCheckpoints(self.handle).create_if_due(
            next_operation, next_tokens=self.next_tokens, window=self.window, policy=self.policy
        )
        if taken is not None:
            self.did("checkpoint", taken.version)

    def usage(self, state: ContextState) -> float:
        """The share of the limit that is used, the next call included; 0 for a window without a limit."""
        found = state.windows[self.window]
        return (found.tokens + self.next_tokens) / found.limit if found.limit else 0.0

    def alerted(self) -> Iterator[Alert]:
        """At most one alert, of the highest level that is newly reached."""
        if compaction.newly_reached(self.state(), self.window, self.policy, self.next_tokens) is None:
            return
        decider = partial(
            compaction.alert_window, window=self.window, policy=self.policy, next_tokens=self.next_tokens
        )
        try:
            version = self.handle.command(ContentBundle(), decider)
        except Refused:
            # Another writer's check came first.
            return
        self.did("alert", version)
        (event,) = events_at(self.handle, [version])
        body: Any = event.body
        yield Alert(
            self.handle.id,
            version,
            self.window,
            body.level,
            body.ratio,
            body.tokens,
            body.next_tokens,
            body.limit,
        )

    def climb(self, usage: float) -> None:
        """Takes the steps that remove something, the one that loses least first."""
        policy = self.policy
        self._stubs(usage)
        rungs: tuple[tuple[float, Callable[[], None]], ...] = (
            (policy.warning, self._clarifications),
            (policy.checkpoint_from, self._middle),
            (policy.checkpoint_from, self._flash_save),
            (policy.danger, self._plan_prune),
            (policy.low_space, self._prune),
            (policy.low_space, self._everything),
            (policy.critical, self._recover),
        )
        for threshold, step in rungs:
            if usage < threshold or self.usage(self.state()) < threshold:
                return
            step()

    def by_count(self) -> None:
        """Quaid's compactions after a number of messages."""
        for algorithm, every in (
            ("archive", self.policy.archive_every),
            ("cluster", self.policy.cluster_every),
        ):
            state = self.state()
            last = state.counters.get(f"messages_at_{algorithm}", 0)
            cache = self.handle.runtime.contents
            tried = (f"{algorithm} tried", state.epoch, last, (state.message_count - last) // every)
            if state.message_count - last < every or cache.get(self.handle.id, 0, tried):
                continue
            cache.put(self.handle.id, 0, tried, True, 0)
            self._compacted(algorithm, f"every_{every}_messages")

    def _stubs(self, usage: float) -> None:
        state = self.state()
        found = Stubber(self.handle).candidates(state, self.window, self.policy, self.next_tokens)
        # In steps, so that the bytes before them stay the same meanwhile; for much, or where messages would have to go
        # next, there is no waiting.
        enough = len(found) >= self.policy.stub_step or (
            sum(state.items[item].tokens for item in found) >= self.policy.stub_step_tokens
        )
        if not found or not (enough or usage >= self.policy.checkpoint_from):
            return
        # The same candidates would be found again.
        self._compacted(
            "stubs",
            self.policy.zone(usage),
            lambda done: Stubber(self.handle).stub(state, found, self.policy, done),
        )

    def _clarifications(self) -> None:
        if self.state().counters.get("clarifications") or self.policy.clarification_kind != "clarification":
            self._compacted("clarifications")

    def _middle(self) -> None:
        self._compacted("preserve_summarize_discard")

    def _everything(self) -> None:
        self._compacted("everything")

    def _compacted(
        self,
        algorithm: str,
        trigger: str | None = None,
        run: Callable[[Progress], None] | None = None,
    ) -> None:
        state = self.state()
        limit = state.windows[self.window].limit
        automatic = algorithm in ("clarifications", "preserve_summarize_discard", "everything")
        progress = Progress(
            algorithm,
            self.window,
            state.windows[self.window].tokens,
            trigger=trigger or self.policy.zone(self.usage(state)),
            least=int(self.policy.compact_least * limit) if limit and automatic else 0,
            next_tokens=self.next_tokens,
        )
        # Refused when an item that was being summed up has changed or left meanwhile: the next rung, or the next check,
        # sees the state as it is then.
        with suppress(Refused):
            if run is None:
                Compactor(self.handle).run(state, self.policy, self.summarizer, progress)
            else:
                run(progress)
        self._state = None
        if progress.events:
            self.did(_ACTIONS.get(algorithm, algorithm), *progress.events)

    def _flash_save(self) -> None:
        try:
            recovery.flash_save(self.state(), window=self.window, policy=self.policy)
        except Refused:
            # Nothing but what stays in any case: a checkpoint at every call would tell of nothing new.
            return
        saved = FlashSaver(self.handle).flash_save(
            window=self.window, policy=self.policy, trigger=self.policy.zone(self.usage(self.state()))
        )
        self.did("flash_save", saved.checkpoint_id, *([] if saved.version is None else [saved.version]))

    def _aim(self) -> Aim:
        return Aim(
            window=self.window,
            next_tokens=self.next_tokens,
            policy=self.policy,
            trigger=self.policy.zone(self.usage(self.state())),
        )

    def _plan_prune(self) -> None:
        """Moderator's danger zone only prepares: the plan is recorded, and the call is made with all there is."""
        if self.window not in self.state().prune_plans:
            with suppress(Refused):
                self.did("plan_prune", Pruner(self.handle).record_plan(self._aim()))

    def _prune(self) -> None:
        """Carries out the plan."""
        recorded = self.state().prune_plans.get(self.window)
        with suppress(Refused):
            pruned = Pruner(self.handle).pruned(self._aim()._replace(recorded=recorded))
            if pruned.version is not None:
                self.did("prune", pruned.version)

    def _recover(self) -> None:
        recovered = Recoverer(self.handle).recover(
            next_tokens=self.next_tokens, window=self.window, policy=self.policy
        )
        if recovered.events:
            self.did(f"recover:{recovered.way}", *recovered.events)


_ACTIONS = {"preserve_summarize_discard": "middle"}


def events_at(handle: SessionHandle, versions: list[int]) -> tuple[Event, ...]:
    """Events that this handle has just appended."""
    if not versions:
        return ()
    rows = handle.runtime.log.rows_at(handle.id, sorted(versions))
    return tuple(map(handle.runtime.mapper.to_domain_event, rows))
