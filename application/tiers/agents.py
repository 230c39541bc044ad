"""A session for one agent: the methods and results of the CodeFRAME document."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from backstory.application.tiers.load import ContextItem, checked_tier
from backstory.application.tiers.session_tiers import ContextDiff, TierCounts
from backstory.domain.errors import InvalidInput
from backstory.domain.values import Tier

if TYPE_CHECKING:
    from backstory.application.session import Session


class FlashSaveResult(NamedTuple):
    """The result of an agent's flash save."""

    checkpoint_id: int
    items_archived: int
    hot_items_retained: int


class TierUpdateResult(NamedTuple):
    """The result of an agent's update of tiers: the items that moved, and the agent's items in each tier now."""

    items_updated: int
    hot_count: int
    warm_count: int
    cold_count: int


class ContextAgent:
    """A session for one agent. Its items are private: no other agent sees them."""

    def __init__(self, session: "Session") -> None:
        self._session = session

    @property
    def name(self) -> str:
        """The agent's name."""
        name = self._session._handle.actor
        assert name is not None
        return name

    def save_context_item(self, item_type: str, content: str, importance_score: float | None = None) -> int:
        """Saves an item, and returns its id. CodeFRAME's types are TASK, CODE, ERROR, TEST_RESULT and PRD_SECTION; any
        other is allowed. By default the first importance depends on the type."""
        if not isinstance(item_type, str):
            raise InvalidInput("item_type", f"must be text, got {type(item_type).__name__}")
        if not isinstance(content, str):
            raise InvalidInput("content", f"must be text, got {type(content).__name__}")
        try:
            return self._session.items.save(item_type.lower(), content, importance=importance_score)
        except InvalidInput as error:
            # Under the name that it has here.
            if error.field == "importance":
                raise InvalidInput("importance_score", error.rule) from None
            raise

    def load_context(self, tier: str = Tier.HOT) -> list[ContextItem]:
        """The items in a tier with their contents. HOT items are in the window; WARM and COLD ones may have left it."""
        return self._session.items.load(tier, live=checked_tier(tier) == Tier.HOT)

    def flash_save(self) -> FlashSaveResult:
        """Creates a checkpoint and clears the agent's items but for HOT ones and those that always stay. Shared items
        and those of other agents stay: `session.window.flash_save()` clears the whole window."""
        done = self._session.window.flash_save(agent=self.name)
        return FlashSaveResult(done.checkpoint_id, done.items_archived, done.hot_items_retained)

    def update_tiers(self, as_of: datetime | None = None) -> TierUpdateResult:
        """Scores the items that are due, and moves each to its tier."""
        moves = self._session.tiers.update(as_of).moves
        counts = self.context_stats()
        return TierUpdateResult(len(moves), counts.hot_count, counts.warm_count, counts.cold_count)

    def context_stats(self) -> TierCounts:
        """The number of live items that the agent sees in each tier, and their tokens."""
        return self._session.tiers.stats()

    def context_diff(self, known: Mapping[int, str], tier: str = Tier.HOT) -> ContextDiff:
        """The items to load and unload so that the agent has those of the tier, by the digests of those it has."""
        return self._session.tiers.diff(known, tier=tier)
