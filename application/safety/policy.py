"""The safety policy that holds for a session or a project."""

from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.application.safety.screen import Screen
from backstory.domain.commands.memory import project_id
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.policies.settings import recorded_fields


def chosen_policy(runtime: Runtime, stream: UUID) -> SafetyPolicy:
    """The policy of the project that a session belongs to, or of a project itself; where it has chosen none, that of
    the process."""
    head = runtime.log.head(stream)
    project = None if head is None else head.labels.get("project")
    return runtime.safety if project is None else project_policy(runtime, project)


def screen_of(runtime: Runtime, stream: UUID) -> Screen:
    """Looks for secrets in what is written to a stream."""
    return Screen(lambda: chosen_policy(runtime, stream).secrets)


def screen_of_project(runtime: Runtime, name: str | None) -> Screen:
    """Looks for secrets in what a session of a project, or of none, begins with."""
    return Screen(lambda: (runtime.safety if name is None else project_policy(runtime, name)).secrets)


def project_policy(runtime: Runtime, name: str) -> SafetyPolicy:
    """The policy of a project; where it has chosen none, that of the process."""
    project = project_id(name)
    # Read without the caller's limits: a key that cannot read a project's memory is held to its rules all the same.
    if runtime.log.head(project) is None:
        return runtime.safety
    with runtime.reader.borrow(project) as state:
        chosen = state.policies.get(SafetyPolicy.kind)
    return runtime.safety if chosen is None else SafetyPolicy(**recorded_fields(SafetyPolicy, chosen))
