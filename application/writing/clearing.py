"""Writes that start a session's context fresh."""

from functools import partial

from backstory.domain.commands import clearing
from backstory.drafts import Draft
from backstory.writing.base import WriterBase


class ClearingWriter(WriterBase):
    """What leaves the main window together."""

    def clear(self, why: str | None = None) -> int:
        """Takes everything out of the main window but what a session cannot be without: system prompt and leading
        system messages, constraints, decisions, open goals, the current task, pinned items. See `undo_clear`."""
        draft = Draft()
        return self._wish(draft, partial(clearing.clear_context, why=draft.optional("why", why)))
