"""What memories say, as they stand in prompts."""

from collections.abc import Sequence
from uuid import UUID

from backstory.application.contents.source import memory_text
from backstory.application.runtime import Runtime
from backstory.domain.context.loaded_items import MemoryText


def memory_texts(runtime: Runtime, project: UUID, ids: Sequence[int]) -> dict[int, MemoryText]:
    """What these memories of a project say, but those of which something was erased."""
    rows = runtime.log.rows_with_contents(project, ids) if ids else []
    found = [memory_text(runtime.mapper.to_domain_event(row), contents) for row, contents in rows]
    return {one.id: one for one in found if one is not None}
