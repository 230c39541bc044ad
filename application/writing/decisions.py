"""Writes about decisions that were noticed in messages."""

from functools import partial

from backstory.application.handle import SessionPart
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import contexts


class DecisionWriter(SessionPart):
    """Writes about decisions: `session.decisions`."""

    def confirm(self, decision: int) -> int:
        """Confirms a noticed decision."""
        return self._handle.command(ContentBundle(), partial(contexts.confirm_decision, decision=decision))

    def dismiss(self, decision: int, *, why: str | None = None) -> int:
        """Dismisses a noticed decision and removes it from the windows."""
        bundle = ContentBundle()
        ref = bundle.optional("why", why)
        return self._handle.command(bundle, partial(contexts.dismiss_decision, decision=decision, why=ref))
