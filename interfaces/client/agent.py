"""An agent in a session of a service."""

from datetime import datetime

from backstory.application.tiers.agents import ContextAgent, TierUpdateResult
from backstory.application.tiers.load import ContextItem
from backstory.domain.events import ItemDeprecated
from backstory.domain.values import Tier


class RemoteContextAgent(ContextAgent):
    """See ContextAgent."""

    def load_context(self, tier: str = Tier.HOT, *, record: bool = True) -> list[ContextItem]:
        session = self._session
        left = {event.version for event in session.events(types=[ItemDeprecated.type], branch=True)}
        wanted = {
            item.id
            for item in session.tiers.items(tier, live=False)
            if item.changed not in left and (tier != Tier.HOT or item.windows or item.private)
        }
        loaded = [item for item in session.items.load(tier, live=False, record=False) if item.id in wanted]
        if record and loaded:
            session.items.touch(*(item.id for item in loaded), reason="loaded")
        return loaded

    def update_tiers(self, as_of: datetime | None = None) -> TierUpdateResult:
        moved = {move.item for move in self._session.tiers.update(as_of).moves}
        own = [item for item in self._session.items.list() if item.agent == self.name and item.id in moved]
        counts = self.context_stats()
        return TierUpdateResult(len(own), counts.hot_count, counts.warm_count, counts.cold_count)
