"""Writes that start a session's context fresh."""

from functools import partial

from backstory.application.writing.base import WriterBase
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import clears


class ClearingWriter(WriterBase):
    """What leaves the main window together."""

    def clear(self, why: str | None = None) -> int:
        """Takes everything out of the main window but what a session cannot be without: system prompt and leading
        system messages, constraints, decisions, open goals, the current task, pinned items. See `undo_clear`."""
        bundle = ContentBundle()
        return self._command(bundle, partial(clears.clear_context, why=bundle.optional("why", why)))
