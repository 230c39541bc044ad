"""Events of tiers."""

from datetime import datetime
from typing import ClassVar

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.ranges import from_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.values import Label, Tier


class TiersReassigned(EventBody):
    """Time and accesses have moved items to other tiers. One event holds all that one run found in a session."""

    type: ClassVar[str] = "tiers.reassigned"
    verbs: ClassVar[tuple[str, ...]] = ("tiers",)
    as_of: datetime
    """The moment for which the scores were computed."""
    policy: Label
    """The tier policy's name."""
    policy_version: int = Field(default=1, ge=1)
    """The tier policy's version."""
    changes: dict[Tier, str]
    """The items that moved, by the tier they are in now, as ranges of versions."""


class WorkingSetKept(EventBody):
    """An agent has the contents of a tier. Its next diff is against them."""

    type: ClassVar[str] = "working_set.kept"
    agent: Label | None = None
    """The agent."""
    tier: Tier
    """The tier."""
    items: str = ""
    """The items whose contents it has, as ranges of versions."""
    digests: ContentRef
    """The digest of the set, and that of each item's content, in JSON."""

    def derived_from(self) -> tuple[int, ...]:
        return from_ranges(self.items)
