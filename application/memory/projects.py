"""The list of projects."""

from datetime import datetime
from typing import NamedTuple

from backstory.application.runtime import Runtime
from backstory.domain.events import UPKEEP
from backstory.infrastructure.postgres.queries import query


class ProjectSummary(NamedTuple):
    """One line of a list of projects."""

    name: str
    sessions: int
    """Its sessions."""
    open: int
    """Those of them that have not ended."""
    memories: int
    """Memories that were not superseded or forgotten. Those of one agent alone are not counted."""
    last_activity: datetime
    """The time at which somebody last did something in one of its sessions or in its memory."""


def read_projects(runtime: Runtime, limit: int) -> list[ProjectSummary]:
    """Projects, the most recently active first."""
    parameters = {"projects": runtime.projects, "upkeep": [*UPKEEP], "limit": limit}
    rows = runtime.database.read(lambda c: c.execute(query("projects"), parameters).fetchall())
    return [ProjectSummary._make(row) for row in rows]
