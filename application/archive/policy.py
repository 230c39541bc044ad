"""The memory policy that holds for a project."""

from backstory.application.runtime import Runtime
from backstory.domain.commands.memory import project_id
from backstory.domain.policies.memory import DEFAULT_MEMORY, MemoryPolicy
from backstory.domain.policies.settings import recorded_fields


def memory_policy(runtime: Runtime, name: str) -> MemoryPolicy:
    """The policy that a project has chosen, or the default."""
    project = project_id(name)
    if runtime.log.head(project) is None:
        return DEFAULT_MEMORY
    with runtime.reader.borrow(project) as state:
        chosen = state.policies.get(MemoryPolicy.kind)
    return DEFAULT_MEMORY if chosen is None else MemoryPolicy(**recorded_fields(MemoryPolicy, chosen))
