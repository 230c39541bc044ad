"""What memories of a project may do, and what is done with suspicious texts in all of its sessions."""

from backstory.application.handle import SessionHandle
from backstory.application.memory.streams import start_if_new
from backstory.application.safety.session_safety import Safety
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import safety
from backstory.domain.policies.safety import SafetyPolicy


class ProjectSafety(Safety):
    """What memories may do: `project.safety`."""

    def __init__(self, handle: SessionHandle, name: str) -> None:
        super().__init__(handle)
        self._name = name

    def choose(self, policy: SafetyPolicy) -> int:
        """Sets what is done from here on with secrets and with texts that read like instructions, in the project's
        memory and in all of its sessions. It is recorded with its rules."""
        change = safety.choose_safety(policy)
        start_if_new(self._handle, self._name)
        return self._handle.write(ContentBundle(), change)
