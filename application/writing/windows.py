"""Writes of what a session's windows go by."""

from backstory.domain.commands import windows
from backstory.drafts import Draft
from backstory.writing.base import WriterBase


class WindowWriter(WriterBase):
    """What windows go by."""

    def choose_policy(self, policy: windows.Policy) -> int:
        """The session goes by this WindowPolicy or TierPolicy from here on. It is recorded with its numbers."""
        return self._write(Draft(), windows.choose_policy(policy))
