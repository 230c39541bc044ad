"""What one agent keeps, in the words of the CodeFRAME document."""

from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import Field

from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.application.queries.read_models import Checkpoint
    from backstory.application.tiers.load import ContextItem

ITEM_TYPES = frozenset({"task", "code", "error", "test_result", "prd_section"})
"""The document's types, which it spells in capitals."""


class AgentItemSavedDocument(Document):
    """An item that was saved."""

    item_id: int = Field(description="Its id.")
    tier: str = Field(description="HOT, WARM or COLD.")


class AgentItemDocument(Document):
    """An item of an agent's context."""

    id: int = Field(description="Its id.")
    type: str = Field(description="TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION, or another type.")
    content: str = Field(description="Its text.")
    score: float = Field(description="Its score now, from 0 to 1.")
    tier: str = Field(description="HOT, WARM or COLD.")

    @classmethod
    def of(cls, item: "ContextItem") -> "AgentItemDocument":
        """The document of an item."""
        type_ = item.type.upper() if item.type in ITEM_TYPES else item.type
        return cls(id=item.id, type=type_, content=item.content, score=item.score, tier=item.tier)


class AgentContextDocument(Document):
    """The items of a tier."""

    items: list[AgentItemDocument] = Field(description="The items.")


class AgentFlashSaveDocument(Document):
    """The result of a flash save."""

    checkpoint_id: int = Field(description="The checkpoint to restore for the window as it was.")
    items_archived: int = Field(description="The number of COLD items that left.")
    hot_items_retained: int = Field(description="The number of HOT items that stayed.")


class AgentStatsDocument(Document):
    """The items that an agent sees, in numbers."""

    total_items: int = Field(description="The number of items.")
    hot_count: int = Field(description="The number of HOT items.")
    warm_count: int = Field(description="The number of WARM items.")
    cold_count: int = Field(description="The number of COLD items.")
    total_tokens: int = Field(description="The tokens of all items.")


class AgentTiersDocument(Document):
    """The result of an update of tiers."""

    items_updated: int = Field(description="The number of the agent's own items that moved.")
    hot_count: int = Field(description="The number of HOT items now.")
    warm_count: int = Field(description="The number of WARM items now.")
    cold_count: int = Field(description="The number of COLD items now.")


class AgentContextDiffDocument(Document):
    """The difference between what an agent has and a tier."""

    load: list[AgentItemDocument] = Field(description="Items with contents that it lacks.")
    unload: list[int] = Field(description="Items that it has, with contents that the tier does not have.")
    digest: str = Field(description="SHA-256 of the whole working set after that.")


class AgentCheckpointDocument(Document):
    """A checkpoint of an agent's session."""

    checkpoint_id: int = Field(description="Its id: the version that it names.")
    name: str = Field(description="Its name.")
    created_at: datetime = Field(description="The time at which it was taken.")

    @classmethod
    def of(cls, checkpoint: "Checkpoint") -> "AgentCheckpointDocument":
        """The document of a checkpoint."""
        return cls(checkpoint_id=checkpoint.version, name=checkpoint.name, created_at=checkpoint.taken_at)


class AgentCheckpointsDocument(Document):
    """The checkpoints of an agent's session."""

    checkpoints: list[AgentCheckpointDocument] = Field(description="The checkpoints, oldest first.")
