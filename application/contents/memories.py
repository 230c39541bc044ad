"""What memories and recorded files of a project say, as they stand in prompts."""

from collections.abc import Sequence
from uuid import UUID

from backstory.application.contents.source import memory_text
from backstory.application.runtime import Runtime
from backstory.domain.context.loaded_items import MemoryText
from backstory.domain.records import Place


def memory_texts(runtime: Runtime, project: UUID, ids: Sequence[int]) -> dict[int, MemoryText]:
    """What these memories of a project say, but those of which something was erased."""
    rows = runtime.log.rows_with_contents(project, ids) if ids else []
    found = [memory_text(runtime.mapper.to_domain_event(row), contents) for row, contents in rows]
    return {one.id: one for one in found if one is not None}


def file_texts(runtime: Runtime, project: UUID, places: Sequence[Place]) -> dict[Place, str]:
    """The texts at these places of a project, but those that were erased."""
    wanted = set(places)
    versions = sorted({version for version, _ in wanted})
    rows = runtime.log.rows_with_contents(project, versions) if versions else []
    return {
        (row.originator_version, part): data.decode(errors="replace")
        for row, contents in rows
        for part, data in contents.items()
        if (row.originator_version, part) in wanted
    }
