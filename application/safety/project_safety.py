"""What memories of a project may do, and what is done with suspicious texts in all of its sessions."""

from backstory.application.handle import SessionHandle
from backstory.application.memory.streams import start_if_new
from backstory.application.safety.session_safety import Safety, flag_counts
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import safety
from backstory.domain.policies.safety import SafetyPolicy
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.standby import reads_only


class ProjectSafety(Safety):
    """What memories may do: `project.safety`."""

    def __init__(self, handle: SessionHandle, name: str) -> None:
        super().__init__(handle)
        self._name = name

    @reads_only
    def counts(self) -> dict[str, int]:
        """By flag, how many items of the project's memory and of its sessions have it: `secret:…` was stored,
        `masked:…` was replaced before that."""
        rows = self._runtime.database.read(
            lambda c: c.execute(query("project_streams"), (self._name,)).fetchall()
        )
        return flag_counts(self._runtime, [row[0] for row in rows])

    def choose(self, policy: SafetyPolicy) -> int:
        """Sets what is done from here on with secrets and with texts that read like instructions, in the project's
        memory and in all of its sessions. It is recorded with its rules."""
        change = safety.choose_safety(policy)
        start_if_new(self._handle, self._name)
        return self._handle.write(ContentBundle(), change)
