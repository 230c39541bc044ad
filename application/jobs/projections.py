"""The projections of the feed that workers and commands run."""

from typing import TYPE_CHECKING

from backstory.application.feed.projection_runner import known_projections
from backstory.application.feed.projections import FeedProjection
from backstory.application.files.live import live_files
from backstory.application.triggers.projection import TriggersProjection

if TYPE_CHECKING:
    from backstory.application.store import ContextStore


def hosted_projections(store: "ContextStore") -> tuple[FeedProjection, ...]:
    """The built-in projections and those that the setting `projections` names; that of triggers; that of live files if
    the setting `sync_dir` names a folder."""
    return (*known_projections(store._runtime), TriggersProjection(store), *live_files(store))
