"""Accesses to items by those who read them."""

from collections.abc import Sequence

from backstory.application.handle import SessionHandle
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import facts
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.standby import from_primary


def record_access(handle: SessionHandle, items: Sequence[int], reason: str) -> None:
    """Records an access to items: one event, however many they are. Nothing where nothing may be written, as on a
    standby or a read-only connection."""
    if not items:
        return
    with from_primary():
        row = handle.runtime.database.read(lambda c: c.execute(query("may_append")).fetchone())
        if row is not None and row[0]:
            # The key of the caller belongs to a write.
            handle.with_(key=None).write(ContentBundle(), facts.touch_items(items, reason))


def record_read(handle: SessionHandle, items: Sequence[int]) -> None:
    """Records a plain read of items, where the store was opened to do so."""
    if handle.runtime.record_reads:
        record_access(handle, items, "read")
