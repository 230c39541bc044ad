"""Flash saves: a checkpoint, and a window cleared but for what is HOT or always stays."""

from dataclasses import dataclass
from functools import partial

from backstory.application.checkpoints.creation import checked_policy, checkpoint_request, window_policy
from backstory.application.handle import SessionPart
from backstory.application.tiers.update import update_session
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands import recovery
from backstory.domain.errors import InvalidInput
from backstory.domain.log.guards import Decided
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Tier, label

FLASH_SAVE_TRIGGER = "flash_save"


@dataclass(frozen=True)
class FlashSaved:
    """The result of a flash save. `checkpoint_id` is the checkpoint of the window before it; `version` is that of the
    event that cleared the window, None if nothing was cleared. `items_archived` counts COLD items, `items_stored` WARM
    ones: both stay in the record, and `window.undo_compaction` or `items.bring_back` returns them."""

    checkpoint_id: int
    items_archived: int
    hot_items_retained: int
    items_stored: int
    version: int | None
    tokens_before: int
    tokens_after: int


class FlashSaver(SessionPart):
    """Clears windows after a checkpoint."""

    def flash_save(
        self,
        *,
        window: str = MAIN_WINDOW,
        agent: str | None = None,
        policy: WindowPolicy | None = None,
        trigger: str | None = None,
    ) -> FlashSaved:
        """Creates a checkpoint and clears the window but for HOT items and those that always stay. WARM items are kept
        in the store, COLD ones archived; `checkpoints.restore` brings the window back as it was. With an agent, only
        its own private items leave. Tiers are brought up to date first."""
        if agent is not None:
            self._runtime.agent(label("agent", agent))
        if trigger is not None:
            label("trigger", trigger)
        checked_policy(policy)
        if label("window", window) not in self._handle.state().windows:
            raise InvalidInput("window", f"must be a window of the session, got {window!r}")
        update_session(self._runtime, self._id, None, self._handle.provenance)
        checkpoint = checkpoint_request(
            self._handle, FLASH_SAVE_TRIGGER, (trigger or FLASH_SAVE_TRIGGER,), window
        )
        cleared: list[tuple[ContextState, frozenset[int]]] = []

        def flash_save(state: ContextState, window: str, agent: str | None, trigger: str | None) -> Decided:
            cleared[:] = [(state.copy(), frozenset())]
            decided = recovery.flash_save(
                state, window=window, agent=agent, policy=policy or window_policy(state), trigger=trigger
            )
            leaving = (item for removal in decided.change.effects.removes for item in removal.items)
            cleared[:] = [(cleared[0][0], frozenset(leaving))]
            return decided

        decider = partial(flash_save, window=window, agent=agent, trigger=trigger)
        clear = Request(ContentBundle(), decider, self._handle.provenance)
        key = self._handle.key
        try:
            done = self._handle.append([checkpoint, clear], key=key)
        except recovery.NothingLeaves:
            done = self._handle.append([checkpoint], key=key, asked=[checkpoint, clear])
        saved = done.last_version if done.last_version > done.first_version else None
        if not cleared:
            # The same request was made before under its key: this is its answer.
            cleared = [self._cleared_at(done.first_version, saved, window)]
        return _flash_saved(done.first_version, saved, window, agent, *cleared[0])

    def _cleared_at(
        self, checkpoint: int, saved: int | None, window: str
    ) -> tuple[ContextState, frozenset[int]]:
        """The state that an earlier flash save was decided on, and what left."""
        before = self._runtime.reader.state(self._id, checkpoint)
        if saved is None:
            return before, frozenset()
        stayed = {item.id for item in self._runtime.reader.state(self._id, saved).live(window)}
        return before, frozenset(item.id for item in before.live(window) if item.id not in stayed)


def _flash_saved(
    checkpoint: int,
    saved: int | None,
    window: str,
    agent: str | None,
    before: ContextState,
    leaving: frozenset[int],
) -> FlashSaved:
    live = before.live(window)
    left = [item for item in live if item.id in leaving]
    hot = [
        item
        for item in live
        if item.id not in leaving
        and item.tier == Tier.HOT
        and (agent is None or item.agent == agent or not item.private)
    ]
    usage = before.windows[window]
    return FlashSaved(
        checkpoint_id=checkpoint,
        items_archived=sum(item.tier == Tier.COLD for item in left),
        hot_items_retained=len(hot),
        items_stored=sum(item.tier != Tier.COLD for item in left),
        version=saved,
        tokens_before=usage.tokens,
        tokens_after=usage.tokens - sum(item.tokens_in(usage.encoding) for item in left),
    )
