"""Anchors of the sessions in a database: where they are written, and what they show of sessions that are gone."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from backstory.application.anchors.files import Anchor, Anchored, Anchors, read_file, write_anchors
from backstory.application.anchors.keys import AnchorKey
from backstory.application.integrity.findings import Finding
from backstory.application.runtime import Runtime
from backstory.domain.errors import NotFound, VerificationFailed
from backstory.infrastructure.postgres.queries import query


def anchor_sessions(
    runtime: Runtime, path: Path, key: AnchorKey, sessions: Sequence[UUID] | None
) -> Anchored:
    """Writes the newest chain of these sessions, or of all, to a new signed file."""
    heads = list(_heads(runtime, sessions))
    missing = set(sessions or ()) - {head.session for head in heads}
    for session in sorted(missing):
        runtime.require_head(session)
    if not heads:
        raise NotFound("there is no session to anchor.")
    return write_anchors(path, heads, key)


def anchor_changed(runtime: Runtime, directory: Path, key: AnchorKey) -> Anchored | None:
    """Writes the sessions that no file in the directory has at their newest version to a new file there; None if there
    are none."""
    directory.mkdir(parents=True, exist_ok=True)
    known = {
        (anchor.session, anchor.version)
        for file in directory.glob("anchors-*.json")
        for anchor in read_file(file).anchors
    }
    heads = [head for head in _heads(runtime, None) if (head.session, head.version) not in known]
    if not heads:
        return None
    path = directory / f"anchors-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}.json"
    return write_anchors(path, heads, key)


def _heads(runtime: Runtime, sessions: Sequence[UUID] | None) -> Iterator[Anchor]:
    """The newest version of each session and its chain. One whose head is not its newest event is not signed."""
    wanted = None if sessions is None else list(sessions)
    rows = runtime.database.read(
        lambda c: c.execute(query("heads_to_anchor"), {"ids": wanted}, binary=True).fetchall()
    )
    for stream, version, chain, of_event in rows:
        if chain != of_event:
            raise VerificationFailed(
                f"session {stream}: streams.chain: differs from the chain of the newest event."
            )
        yield Anchor(session=stream, version=version, chain=chain.hex())


def wrong_absences(runtime: Runtime, anchors: Anchors, present: Sequence[UUID]) -> Iterator[Finding]:
    """Anchored sessions that are not there, and whose tombstone does not say that they were purged as they were."""
    for session in sorted(anchors.chains.keys() - set(present)):
        tombstone = runtime.log.tombstone(session)
        for version, chain in sorted(anchors.of(session).items()):
            where = f"session {session}, version {version}"
            if tombstone is None or tombstone.version < version:
                yield Finding(where, "is missing, and its chain was anchored")
            elif tombstone.version == version and tombstone.chain.hex() != chain:
                yield Finding(where, "was purged with another chain than the one that was anchored")
