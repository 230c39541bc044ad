"""The differences between read models and the fold of the log."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from heapq import merge
from typing import Any
from uuid import UUID

from backstory.application.integrity.branch_replay import CurrentBranch
from backstory.application.integrity.evidence import BATCH, BEFORE_ALL, read, read_named
from backstory.application.integrity.findings import Finding
from backstory.application.runtime import Runtime
from backstory.domain.log.lineage import Lineage
from backstory.domain.policies.tiers import due_of
from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.eventsourcing_library.recorder import KIND, OPAQUE
from backstory.infrastructure.postgres.log import Head
from backstory.infrastructure.postgres.queries import query
from backstory.projections.base_rows import item_row, summary_of


def wrong_items(runtime: Runtime, stream: UUID, branch: Lineage, current: CurrentBranch) -> Iterator[Finding]:
    """Wrong items of the current branch, including those that have left every window."""
    assert current.state is not None
    live = dict(current.state.items)
    last = BEFORE_ALL
    while True:
        rows = read_named(runtime, "items", query("items_after"), stream, last, BATCH)
        for row in rows:
            last = row["item"]
            item = live.pop(last, None) or current.gone.pop(last)
            if item is None:
                yield Finding(f"items, item {last}", "was brought by no event of this branch")
                continue
            owner = branch.owner(item.id)
            due = due_of(item, current.state.labels)
            expected = item_row(item) | {"brought_in": owner if owner != stream else None} | due._asdict()
            yield from wrong_values("items.{}, item " + str(last), row, expected)
        if len(rows) < BATCH:
            break
    for item_id in merge(sorted(live), current.gone):
        yield Finding(f"items, item {item_id}", "is missing")


def wrong_checkpoints(runtime: Runtime, stream: UUID, marks: Mapping[int, str]) -> Iterator[Finding]:
    """Wrong checkpoints, of all branches."""
    stored = dict(read(runtime, "checkpoints", query("checkpoint_names"), stream))
    for version in sorted(stored.keys() | marks.keys()):
        is_, should_be = stored.get(version), marks.get(version)
        if is_ != should_be:
            yield Finding(f"checkpoints, version {version}", f"is {is_!r}, the log says {should_be!r}")


def wrong_beginning(head: Head, first: StoredRow) -> Iterator[Finding]:
    """Wrong values in the stream's row that never change."""
    kind = KIND if first.schema_version == OPAQUE else "session"
    return wrong_values(
        "streams.{}",
        {"kind": head.kind, "started_at": head.started_at},
        {"kind": kind, "started_at": first.recorded_at},
    )


def wrong_head(head: Head, current: CurrentBranch, newest: StoredRow) -> Iterator[Finding]:
    """Wrong values in the stream's row that every append changes."""
    assert current.state is not None
    yield from wrong_values(
        "streams.{}",
        {"epoch": head.epoch, "recorded_at": head.recorded_at},
        {"epoch": newest.epoch, "recorded_at": newest.recorded_at},
    )
    if not isinstance(head.summary, dict):
        yield Finding("streams.summary", "is no document")
        return
    yield from wrong_values("streams.summary, {}", head.summary, summary_of(current.state))


def wrong_values(where: str, stored: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[Finding]:
    """A finding for every name with different values."""
    for name in sorted(stored.keys() | expected.keys()):
        is_, should_be = _plain(stored.get(name)), _plain(expected.get(name))
        if is_ != should_be:
            yield Finding(where.format(name), f"is {is_!r}, the log says {should_be!r}")


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value
