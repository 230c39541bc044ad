"""Projects as streams: their ids, and their start."""

from contextlib import suppress
from uuid import UUID

from backstory.application.handle import OpenSession, SessionHandle
from backstory.application.runtime import PROJECT, Runtime
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request
from backstory.domain.access import Action, allows
from backstory.domain.commands.memory import project_id, start_project
from backstory.domain.errors import AccessDenied, InvalidInput, SessionPurged, VersionConflict
from backstory.domain.log.guards import Guard
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW


def project_handle(runtime: Runtime, name: str) -> SessionHandle:
    """The handle of a project that may not have been written to yet."""
    return SessionHandle(runtime, project_id(name), OpenSession(0, {MAIN_WINDOW: DEFAULT_ENCODING}))


def start_if_new(handle: SessionHandle, name: str) -> None:
    """Starts a project that was never written to."""
    if not allows(handle.runtime.caller, Action.APPEND, name):
        raise AccessDenied(f"project {name!r} may not be written to by this caller.")
    head = handle.runtime.log.head(handle.id)
    if head is not None:
        if head.kind != PROJECT:
            raise InvalidInput("project", f"{name!r} has the id of a session")
        return
    left = handle.runtime.log.tombstone(handle.id)
    if left is not None:
        raise SessionPurged(
            f"the memory of project {name!r} was purged on {left.purged_at:%Y-%m-%d %H:%M:%S} UTC: only an import "
            "of what was purged brings it back."
        )
    change = start_project(name)
    request = Request(ContentBundle(), change, Provenance(actor=handle.actor))
    # Refused where somebody else was first.
    with suppress(VersionConflict):
        handle.runtime.append(
            handle.id,
            [request.pending(change)],
            guard=Guard(expected=0),
            epoch=None,
            kind=PROJECT,
            certain=True,
        )


def newest_version(runtime: Runtime, project: UUID) -> int:
    """The newest version of a project; 0 where it was never written to, or where the caller may not see it."""
    head = runtime.log.head(project)
    if head is None or not allows(runtime.caller, Action.READ, head.labels.get("project")):
        return 0
    return head.version
