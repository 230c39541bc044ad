"""Whether the read models are what the fold of the log says they should be."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from heapq import merge
from typing import Any
from uuid import UUID

from backstory.application.integrity.branch_replay import CurrentBranch
from backstory.application.integrity.evidence import BATCH, BEFORE_ALL, Problem, read, read_named
from backstory.application.runtime import Runtime
from backstory.domain.log.lineage import Lineage
from backstory.domain.policies.tiers import due_of
from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.eventsourcing_library.recorder import KIND, OPAQUE
from backstory.infrastructure.postgres.log import Head
from backstory.infrastructure.postgres.queries import query
from backstory.projections.base_rows import item_row, summary_of


def wrong_items(runtime: Runtime, stream: UUID, branch: Lineage, trunk: CurrentBranch) -> Iterator[Problem]:
    """The items of the current branch, also those that have left every window."""
    assert trunk.state is not None
    live = dict(trunk.state.items)
    last = BEFORE_ALL
    while True:
        rows = read_named(runtime, "items", query("items_after"), stream, last, BATCH)
        for found in rows:
            last = found["item"]
            item = live.pop(last, None) or trunk.gone.pop(last)
            if item is None:
                yield Problem(f"items, item {last}", "was brought by no event of this branch")
                continue
            owner = branch.owner(item.id)
            due = due_of(item, trunk.state.labels)
            said = item_row(item) | {"origin": owner if owner != stream else None} | due._asdict()
            yield from wrong_values("items.{}, item " + str(last), found, said)
        if len(rows) < BATCH:
            break
    for item_id in merge(sorted(live), trunk.gone):
        yield Problem(f"items, item {item_id}", "is missing")


def wrong_checkpoints(runtime: Runtime, stream: UUID, marks: Mapping[int, str]) -> Iterator[Problem]:
    """Every version that an event named, on whatever branch."""
    found = dict(read(runtime, "checkpoints", query("checkpoint_names"), stream))
    for version in sorted(found.keys() | marks.keys()):
        is_, should_be = found.get(version), marks.get(version)
        if is_ != should_be:
            yield Problem(f"checkpoints, version {version}", f"is {is_!r}, the log says {should_be!r}")


def wrong_beginning(head: Head, first: StoredRow) -> Iterator[Problem]:
    """What the stream's own row says that never changes."""
    kind = KIND if first.schema_version == OPAQUE else "session"
    return wrong_values(
        "streams.{}",
        {"kind": head.kind, "started_at": head.started_at},
        {"kind": kind, "started_at": first.recorded_at},
    )


def wrong_head(head: Head, trunk: CurrentBranch, newest: StoredRow) -> Iterator[Problem]:
    """What it says that every append changes."""
    assert trunk.state is not None
    yield from wrong_values(
        "streams.{}",
        {"epoch": head.epoch, "recorded_at": head.recorded_at},
        {"epoch": newest.epoch, "recorded_at": newest.recorded_at},
    )
    if not isinstance(head.summary, dict):
        yield Problem("streams.summary", "is no document")
        return
    yield from wrong_values("streams.summary, {}", head.summary, summary_of(trunk.state))


def wrong_values(where: str, found: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[Problem]:
    """Every name under which the two differ."""
    for name in sorted(found.keys() | expected.keys()):
        is_, should_be = _plain(found.get(name)), _plain(expected.get(name))
        if is_ != should_be:
            yield Problem(where.format(name), f"is {is_!r}, the log says {should_be!r}")


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value
