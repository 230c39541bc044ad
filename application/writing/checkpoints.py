"""Writes of checkpoints."""

from collections.abc import Sequence

from backstory.application.handle import SessionPart
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import facts
from backstory.domain.values import listed


class CheckpointWriter(SessionPart):
    """Writes of checkpoints: `session.checkpoints`."""

    def create(self, name: str, *, triggers: Sequence[str] = ()) -> int:
        """Gives this version a name."""
        return self._handle.write(ContentBundle(), facts.take_checkpoint(name, listed("triggers", triggers)))
