"""Sessions that enter and leave the store: exports, imports, checkpoints from files, purges."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated
from uuid import UUID

from fastapi import Query, Request
from pydantic import Field
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from backstory.application.store import ContextStore
from backstory.domain.access import Action
from backstory.domain.errors import AccessDenied, InvalidInput, UnknownSession
from backstory.interfaces.documents.checkpoints import RestoredCheckpointDocument
from backstory.interfaces.documents.transfer import ImportDocument, ImportsDocument, PurgeDocument
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.requests import CallerStore, OnceKey, OpenProject, OpenSession
from backstory.interfaces.http.responses import LINES_TYPE
from backstory.interfaces.http.routing import Routes

routes = Routes("transfer")

_FILE = {
    "requestBody": {
        "required": True,
        "description": "The file, plain or compressed with zstd.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@routes.get("/export", Action.OPERATE, filtered=True, whole=True, response_class=FileResponse)
def export(
    store: CallerStore,
    sessions: Annotated[list[str], Query(description="The sessions; may be repeated.")] = [],  # noqa: B006
    projects: Annotated[
        list[str], Query(description="The projects: their memory and all their sessions.")
    ] = [],  # noqa: B006
    zstd: Annotated[bool, Query(description="Compress the file.")] = False,
) -> FileResponse:
    """Download sessions as one file, with those that they were forked from: without any named, everything."""
    folder = TemporaryDirectory()
    name = "backstory.jsonl.zst" if zstd else "backstory.jsonl"
    try:
        named = None if not sessions and not projects else sessions
        done = store.export(named, Path(folder.name) / name, projects=projects, zstd=zstd)
        _require_within_reach(store, [stream[0] for stream in done.streams])
    except BaseException:
        folder.cleanup()
        raise
    kind = "application/zstd" if zstd else LINES_TYPE
    return FileResponse(done.file, media_type=kind, filename=name, background=BackgroundTask(folder.cleanup))


@routes.post("/import", Action.OPERATE, status_code=201, streamed=True, openapi_extra=_FILE)
async def import_file(
    request: Request,
    store: CallerStore,
    format: Annotated[
        str | None, Query(description="claude-code, codex, openhands or backstory; otherwise detected.")
    ] = None,
    session: Annotated[
        str | None, Query(description="The session to import to, for a file that holds one.")
    ] = None,
    name: Annotated[
        str,
        Query(min_length=1, max_length=200, pattern=r"^[^/\\\x00-\x1f]+$", description="The file's name."),
    ] = "import.jsonl",
    project: Annotated[
        str | None,
        Query(description="The project of new sessions. Otherwise the folder that the transcript names."),
    ] = None,
    growing: Annotated[
        bool, Query(description="Leave a last line without its end for the next import.")
    ] = False,
) -> ImportsDocument:
    """Import a transcript of another tool, or a file that an export wrote."""
    with _received() as folder:
        path = await _write(request, folder / name)
        done = await run_in_threadpool(
            store.import_file,
            path,
            format=format,
            session=session,
            growing=growing,
            project=project,
            here=False,
        )
    return ImportsDocument(sessions=[ImportDocument.of(Path(name), one) for one in done])


@routes.post("/restore-checkpoint", Action.OPERATE, streamed=True, openapi_extra=_FILE)
async def restore_checkpoint_file(
    request: Request,
    store: CallerStore,
    why: Annotated[str | None, Query(description="The reason.")] = None,
    actor: Annotated[str | None, Query(description="Who restores it.")] = None,
    key: OnceKey = None,
) -> RestoredCheckpointDocument:
    """Restore a checkpoint from a file that `checkpoints/save` gave. Its session is imported unless it exists."""
    if key is not None:
        raise InvalidInput("Idempotency-Key", "cannot be given with a file that is read as it comes")
    with _received() as folder:
        path = await _write(request, folder / "checkpoint.jsonl")
        done = await run_in_threadpool(
            store.restore_checkpoint, path, why=why, actor=actor, check_files=False
        )
    return RestoredCheckpointDocument.of(done)


class SessionToPurge(Body):
    """A session to purge."""

    export: str | None = Field(
        default=None, description="The file, beside the service, that it is exported to before."
    )
    without_export: bool = Field(default=False, description="Purge it without an export, for good.")
    zstd: bool = Field(default=False, description="Compress the export.")


@routes.post("/sessions/{session}/purge", Action.ADMIN, whole=True, once="bare")
def purge(store: CallerStore, session: OpenSession, body: SessionToPurge) -> PurgeDocument:
    """Remove a session from the database for good, after exporting it and verifying the export."""
    done = store.purge(session.id, body.export, without_export=body.without_export, zstd=body.zstd)
    return PurgeDocument.model_validate(done)


class MemoryToPurge(SessionToPurge):
    """The memory of a project, to be purged."""


@routes.post("/projects/{project}/purge-memory", Action.ADMIN, whole=True, once="bare")
def purge_memory(store: CallerStore, project: OpenProject, body: MemoryToPurge) -> PurgeDocument:
    """Remove the memory of a project for good, after exporting it and verifying the export. Its sessions stay."""
    done = store.purge_memory(project.name, body.export, without_export=body.without_export, zstd=body.zstd)
    return PurgeDocument.model_validate(done)


def _require_within_reach(store: ContextStore, streams: list[UUID]) -> None:
    """Refuses a file with a session that the caller may not see, as a fork's parent in another project is."""
    try:
        for stream in streams:
            store._runtime.require_head(stream)
    except UnknownSession:
        raise AccessDenied("the file would hold a session that this key may not see.") from None


@contextmanager
def _received() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder)


async def _write(request: Request, path: Path) -> Path:
    """Writes the body to a file as it arrives."""
    file = await run_in_threadpool(path.open, "wb")
    try:
        async for chunk in request.stream():
            await run_in_threadpool(file.write, chunk)
    finally:
        await run_in_threadpool(file.close)
    return path
