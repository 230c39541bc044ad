"""Items of a session: listed, read, loaded, brought back."""

import builtins
from typing import Any

from backstory.application.contents.reader import ContentReader
from backstory.application.items.bring_back import bring_back
from backstory.application.queries.read_models import read_items
from backstory.application.tiers.load import ContextItem, checked_tier, items_in_tier, load_items
from backstory.application.writing.access import record_read
from backstory.application.writing.items import ItemWriter
from backstory.domain.commands.items import checked_items
from backstory.domain.errors import InvalidInput, UnknownItem
from backstory.domain.messages.contents import Message, Part, metadata_of
from backstory.domain.records import Item, Place
from backstory.domain.values import LARGEST, MAIN_WINDOW, Tier, whole_number
from backstory.infrastructure.postgres.standby import reads_only


class SessionItems(ItemWriter):
    """Items of a session: `session.items`."""

    @reads_only
    def list(self, *, window: str | None = None, live: bool | None = None) -> builtins.list[Item]:
        """Items of the current branch, also those that have left every window. An agent (`by`) does not see other
        agents' private items."""
        actor = self._handle.actor
        return [
            item
            for item in read_items(self._runtime, self._id)
            if (window is None or window in item.windows)
            and (live is None or bool(item.windows) == live)
            and (actor is None or not item.private or item.agent == actor)
        ]

    @reads_only
    def parts(self, item: int) -> builtins.list[Part]:
        """The parts of an item, with exact bytes. An agent (`by`) does not get other agents' private items."""
        return [part for message in self._messages_of(item) for part in message.parts]

    @reads_only
    def metadata(self, item: int) -> dict[str, Any]:
        """The caller's own fields of a message; empty where none were given."""
        return metadata_of(self._messages_of(item))

    @reads_only
    def text_at(self, place: Place) -> str:
        """A text that the state names by its place, such as a goal's."""
        match place:
            case (int() as version, int() as part) if 1 <= version <= LARGEST and 0 <= part <= LARGEST:
                newest = self._runtime.require_head(self._id).version
                reader = ContentReader.on_branch(self._runtime, self._id, newest)
                text = reader.text_at((version, part))
                effects = reader.events([version])[version].effects
                if effects.brings is not None or effects.revises is not None:
                    record_read(self._handle, [effects.revises.item if effects.revises else version])
                return text
        raise InvalidInput("place", f"must be a version and a part of it, got {place!r}")

    def load(
        self, tier: str = Tier.HOT, *, agent: str | None = None, live: bool = True, record: bool = True
    ) -> builtins.list[ContextItem]:
        """The items in a tier with their contents; see `tiers.items`. Loading counts as an access to each unless
        `record` is off. Erased items are left out."""
        found = items_in_tier(self._handle, checked_tier(tier), agent=agent, live=live)
        return load_items(self._handle, self._runtime.reader.state(self._id), found, record=record)

    def bring_back(self, *item_ids: int, window: str = MAIN_WINDOW) -> int:
        """Puts items that have left a window back into it."""
        return bring_back(self._handle, checked_items(item_ids), window)

    def _messages_of(self, item: int) -> builtins.list[Message]:
        """The messages of an item on the current branch or, when it is not on that, anywhere in the log."""
        newest = self._runtime.require_head(self._id).version
        if whole_number("item", item) < 1 or item > newest:
            raise UnknownItem(f"item {item} does not exist: the session has versions 1 to {newest}.")
        branch = self._runtime.reader.lineage(self._id, newest)
        if not branch.contains(item):
            branch = self._runtime.reader.log_of(self._id, newest)
        reader = ContentReader(self._runtime, branch)
        messages = reader.said_by(item)
        if not messages:
            raise UnknownItem(f"version {item} brought no item.")
        if self._handle.actor is not None:
            brought = reader.events([item])[item].effects.brings
            if brought is not None and brought.private and brought.agent != self._handle.actor:
                raise UnknownItem(f"item {item} is another agent's own.")
        record_read(self._handle, [item])
        return messages
