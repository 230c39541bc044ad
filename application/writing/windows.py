"""Writes of what a session's windows go by."""

from backstory.application.writing.base import WriterBase
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import windows


class WindowWriter(WriterBase):
    """What windows go by."""

    def choose_policy(self, policy: windows.Policy) -> int:
        """The session goes by this WindowPolicy or TierPolicy from here on. It is recorded with its numbers."""
        return self._write(ContentBundle(), windows.choose_policy(policy))
