"""The triggers of a session's project, in the session: `session.triggers`."""

import builtins

from backstory.application.handle import SessionPart
from backstory.application.triggers.firing import Fired, fire_all
from backstory.application.triggers.history import TriggerRecord, session_history
from backstory.domain.values import whole_number
from backstory.infrastructure.postgres.standby import reads_only


class SessionTriggers(SessionPart):
    """The triggers of a session's project: `session.triggers`."""

    def run(self, *, after: int = 0) -> builtins.list[Fired]:
        """Fires what the changes after a version set off and nobody has fired yet, and carries out what is left of its
        actions. A worker does this by itself for all sessions; chat commands do it at once. However often it is called,
        and by however many, each trigger fires once for a change."""
        whole_number("after", after, minimum=0)
        head = self._runtime.require_head(self._id)
        first = max(after + 1, self._runtime.reader.log_of(self._id, head.version)[-1].first)
        found = fire_all(self._runtime, self._id, first)
        self._handle.refresh()
        return [one for one in found if one.actions]

    @reads_only
    def history(self) -> builtins.list[TriggerRecord]:
        """The firings in the session, the newest first, with the outcome of each action."""
        return session_history(self._runtime, self._id)
