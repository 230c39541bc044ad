"""The purge of a session or of a project's memory: exported and audited first, then deleted. A tombstone stays."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from backstory.application.identifiers import find_session
from backstory.application.memory.streams import newest_version
from backstory.application.runtime import Runtime
from backstory.application.transfer.audit import audit_export
from backstory.application.transfer.export import Progress, export as export_sessions
from backstory.domain.commands.memory import project_id
from backstory.domain.errors import ForksDepend, InvalidInput, NotFound, UnknownSession, VerificationFailed
from backstory.infrastructure.postgres.queries import query


class Purged(NamedTuple):
    """The tombstone of a purged session or memory, and the file that can bring it back."""

    session: UUID
    version: int
    chain: str
    purged_at: datetime
    file: Path | None


def purge(
    runtime: Runtime,
    session: UUID | str,
    export: Path | str | None = None,
    *,
    without_export: bool = False,
    zstd: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Purged:
    """Purges a session; see ContextStore.purge."""
    stream = find_session(runtime, session)
    runtime.require_session(stream)
    return _purge_stream(runtime, stream, export, without_export, zstd, overwrite, progress)


def purge_memory(
    runtime: Runtime,
    project: str,
    export: Path | str | None = None,
    *,
    without_export: bool = False,
    zstd: bool = False,
    overwrite: bool = False,
) -> Purged:
    """Purges the memory of a project; see ContextStore.purge_memory."""
    stream = project_id(project)
    if not newest_version(runtime, stream) and runtime.log.tombstone(stream) is None:
        raise NotFound(f"project {project!r} has no memory.")
    return _purge_stream(runtime, stream, export, without_export, zstd, overwrite, None)


def _purge_stream(
    runtime: Runtime,
    stream: UUID,
    export: Path | str | None,
    without_export: bool,
    zstd: bool,
    overwrite: bool,
    progress: Progress | None,
) -> Purged:
    if (export is None) != without_export:
        raise InvalidInput("export", "must name a file, or `without_export` say that there is to be none")
    head = runtime.require_head(stream)
    version, chain = head.version, head.chain.hex()
    require_no_forks(runtime, stream)
    file: Path | None = None
    if export is not None:
        done = export_sessions(
            runtime, [stream], export, zstd=zstd, overwrite=overwrite, secrets=True, progress=progress
        )
        version, chain = done.streams[-1].version, done.streams[-1].chain
        file = done.file
    try:
        if file is not None:
            _require_sound(file, stream, version, chain)
        _purge(runtime, stream, version)
    except BaseException:
        # Nothing was purged: a file that stayed would pass for what is left of the session.
        if file is not None:
            file.unlink(missing_ok=True)
        raise
    left = runtime.log.tombstone(stream)
    assert left is not None
    return Purged(stream, left.version, left.chain.hex(), left.purged_at, file)


def require_no_forks(runtime: Runtime, stream: UUID) -> None:
    """Refuses a session that has forks, and names them."""
    rows = runtime.database.read(
        lambda c: c.execute(query("forks"), {"id": stream, "projects": None}).fetchall()
    )
    if rows:
        names = ", ".join(str(row[0]) for row in rows[:10]) + (", …" if len(rows) > 10 else "")
        raise ForksDepend(f"other sessions begin in {stream}; purge them first: {names}.")


def _require_sound(file: Path, stream: UUID, version: int, chain: str) -> None:
    found = audit_export(file).require().streams[-1]
    if (found.stream, found.version, found.chain) != (stream, version, chain):
        raise VerificationFailed(f"{file.name} does not hold the session as it was exported.")


def _purge(runtime: Runtime, stream: UUID, version: int) -> None:
    try:
        runtime.database.repeat(lambda c: c.execute(query("purge"), (stream, version)), certain=True)
    except UnknownSession:
        # Asked again after the connection was lost: the first time it went through.
        left = runtime.log.tombstone(stream)
        if left is None or left.version != version:
            raise
