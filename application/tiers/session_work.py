"""The work of a session. A task that is completed changes scores, so the tiers follow."""

from backstory.application.tiers.update import update_session
from backstory.application.writing.work import WorkWriter


class SessionWork(WorkWriter):
    """Goals, actions, questions, constraints and tasks of a session: `session.work`."""

    def complete_task(self, task: str) -> int:
        """Completes a task, and brings the tiers up to date."""
        version = super().complete_task(task)
        update_session(self._runtime, self._id, None, self._handle.provenance)
        return version
