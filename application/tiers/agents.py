"""A session for one agent: the methods and results of the CodeFRAME document."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from backstory.application.contents.reader import ContentReader
from backstory.application.queries.read_models import read_items
from backstory.application.tiers.load import ContextItem, checked_tier, items_in_tier, load_items
from backstory.application.tiers.session_tiers import ContextDiff, TierCounts
from backstory.domain.errors import InvalidInput
from backstory.domain.events import ItemDeprecated
from backstory.domain.values import Tier

if TYPE_CHECKING:
    from backstory.application.session import Session


class FlashSaveResult(NamedTuple):
    """The result of an agent's flash save."""

    checkpoint_id: int
    items_archived: int
    hot_items_retained: int


class TierUpdateResult(NamedTuple):
    """The result of an agent's update of tiers: how many of its own items moved, and the items that it sees in each
    tier now."""

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

    def load_context(self, tier: str = Tier.HOT, *, record: bool = True) -> list[ContextItem]:
        """The items in a tier with their contents. WARM and COLD items may have left the window, and of HOT ones those
        that the agent saved itself: an access warms what was stored. What was deprecated is left out. Loading counts as
        an access to each unless `record` is off."""
        handle = self._session._handle
        state = handle.runtime.reader.state(handle.id)
        found = items_in_tier(handle, checked_tier(tier), agent=self.name, live=False)
        if tier == Tier.HOT:
            # What else has left, such as a message, is told by a summary.
            found = [item for item in found if item.windows or item.private]
        reader = ContentReader.on_branch(handle.runtime, handle.id, state.version)
        left = reader.events(item.changed for item in found if not item.windows)
        deprecated = {version for version, event in left.items() if isinstance(event.body, ItemDeprecated)}
        return load_items(
            handle, state, [item for item in found if item.changed not in deprecated], record=record
        )

    def flash_save(self) -> FlashSaveResult:
        """Creates a checkpoint and clears the agent's items but for HOT ones and those that always stay. Shared items
        and those of other agents stay: `session.window.flash_save()` clears the whole window."""
        done = self._session.window.flash_save(agent=self.name)
        return FlashSaveResult(done.checkpoint_id, done.items_archived, done.hot_items_retained)

    def update_tiers(self, as_of: datetime | None = None) -> TierUpdateResult:
        """Scores the items that are due, and moves each to its tier."""
        moved = [move.item for move in self._session.tiers.update(as_of).moves]
        handle = self._session._handle
        own = [item for item in read_items(handle.runtime, handle.id, moved) if item.agent == self.name]
        counts = self.context_stats()
        return TierUpdateResult(len(own), counts.hot_count, counts.warm_count, counts.cold_count)

    def context_stats(self) -> TierCounts:
        """The items that the agent sees in each tier, in a window or stored, and their tokens."""
        return self._session.tiers.stats()

    def context_diff(
        self, known: Mapping[int, str] | None = None, tier: str = Tier.HOT, *, keep: bool = False
    ) -> ContextDiff:
        """The items to load and unload so that the agent has the contents of the tier: by the digests of those it has
        or, without them, by the working set that its last diff with `keep` recorded."""
        return self._session.tiers.diff(known, tier=tier, keep=keep)
