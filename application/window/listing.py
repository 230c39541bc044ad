"""The compactions of a session, with what became of each item."""

from datetime import datetime
from typing import NamedTuple

from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import Bytes
from backstory.application.handle import SessionPart
from backstory.domain.events import CompactionUndone, Event, ItemsCompacted
from backstory.domain.log.ranges import from_ranges
from backstory.domain.values import version_number, whole_number

MOST_COMPACTIONS = 1000
"""Of one result."""


class CompactionRecord(NamedTuple):
    """A compaction, a prune or a flash save, as the log holds it."""

    version: int
    at: datetime
    """The time at which it occurred."""
    actor: str | None
    window: str
    algorithm: str
    trigger: str | None
    policy: str | None
    summarizer: str | None
    live: bool
    """Whether it leads to the newest version; otherwise a backtrack left it."""
    undone: int | None
    """The version that undid it last."""
    summarized: tuple[int, ...]
    """The items that the summary tells of."""
    dropped: tuple[int, ...]
    """The items that left without a word."""
    kept: tuple[int, ...]
    """The items that were considered and stayed."""
    tokens_before: int | None
    """Tokens of the items that left."""
    tokens_after: int | None
    """Tokens of the summary."""
    text: str | None
    """The summary; None where there is none, or where it was erased."""


class CompactionReader(SessionPart):
    """Lists compactions."""

    def compactions(self, *, before: int | None = None, limit: int = 50) -> list[CompactionRecord]:
        """Compactions, prunes and flash saves, abandoned branches included, the newest first: those before a version,
        at most `limit`."""
        if before is not None:
            version_number("before", before)
        whole_number("limit", limit, minimum=1, maximum=MOST_COMPACTIONS)
        newest = self._runtime.require_head(self._id).version
        reader = ContentReader(self._runtime, self._runtime.reader.log_of(self._id, newest))
        branch = self._runtime.reader.lineage(self._id, newest)
        found = [v for v in reader.versions_of_type(ItemsCompacted.type) if before is None or v < before]
        events, contents = reader.events_and_bytes(found[-limit:])
        undone = {
            event.body.compaction: event.version
            for event in reader.events_of_type(CompactionUndone.type)
            if isinstance(event.body, CompactionUndone)
        }
        return [
            _record(events[version], contents, branch.contains(version), undone.get(version))
            for version in sorted(events, reverse=True)
        ]


def _record(event: Event, contents: Bytes, live: bool, undone: int | None) -> CompactionRecord:
    body = event.body
    assert isinstance(body, ItemsCompacted)
    text = None if body.summary is None else contents.get((event.version, body.summary.part))
    return CompactionRecord(
        version=event.version,
        at=event.occurred_at,
        actor=event.actor,
        window=body.window,
        algorithm=body.algorithm,
        trigger=body.trigger,
        policy=body.policy,
        summarizer=body.summarizer,
        live=live,
        undone=undone,
        summarized=tuple(from_ranges(body.summarized)),
        dropped=tuple(from_ranges(body.dropped)),
        kept=tuple(from_ranges(body.kept)),
        tokens_before=body.tokens_before,
        tokens_after=body.tokens_after,
        text=None if text is None else text.decode(errors="replace"),
    )
