"""Checkpoints: listed, read, taken when due, restored."""

from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import Query
from pydantic import Field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from backstory.domain.access import Action
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.values import MAIN_WINDOW
from backstory.interfaces.documents.checkpoints import (
    CheckpointFileDocument,
    CheckpointsDocument,
    ListedCheckpointDocument,
    RestoredCheckpointDocument,
    TakenCheckpointDocument,
)
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.policies import PolicyBody
from backstory.interfaces.http.requests import OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("checkpoints")

Named = Annotated[
    str | None, Query(min_length=1, description="Its version or its name; otherwise the newest.")
]

WithSecrets = Annotated[
    bool, Query(description="Whether texts that were flagged for secrets are exported, too.")
]


class CheckpointToTake(Body):
    """A checkpoint to take if one is due."""

    next_operation: str | None = Field(
        default=None, description="What comes next; a risky one is saved before."
    )
    next_tokens: int = Field(default=0, description="The tokens that the next call will add.")
    window: str = Field(default=MAIN_WINDOW, description="The window.")
    policy: PolicyBody | None = Field(
        default=None, description="The window policy; by default the session's."
    )


class CheckpointToRestore(Body):
    """A checkpoint to restore."""

    checkpoint: int | str | None = Field(
        default=None, description="Its version or its name; otherwise the newest."
    )
    why: str | None = Field(default=None, description="The reason.")


@routes.get("/sessions/{session}/checkpoints", Action.READ)
def list_checkpoints(session: OpenSession) -> CheckpointsDocument:
    """List the named versions, abandoned branches included."""
    return CheckpointsDocument(
        checkpoints=[ListedCheckpointDocument.of(one) for one in session.checkpoints.list()]
    )


@routes.post("/sessions/{session}/checkpoints/create-if-due", Action.APPEND, once="bare")
def create_checkpoint_if_due(session: OpenSession, body: CheckpointToTake) -> TakenCheckpointDocument:
    """Take a checkpoint if one is due."""
    taken = session.checkpoints.create_if_due(
        **body.model_dump(exclude={"policy"}),
        policy=None if body.policy is None else body.policy.policy(WindowPolicy),
    )
    if taken is None:
        return TakenCheckpointDocument(session=session.id, version=None, name=None, triggers=[])
    return TakenCheckpointDocument(session=session.id, **taken._asdict())


@routes.get("/sessions/{session}/checkpoints/file", Action.READ, whole=True)
def show_checkpoint(session: OpenSession, checkpoint: Named = None) -> CheckpointFileDocument:
    """Show a checkpoint with everything it holds."""
    return CheckpointFileDocument.model_validate(session.checkpoints.file(_named(checkpoint)))


@routes.get(
    "/sessions/{session}/checkpoints/save",
    Action.OPERATE,
    whole=True,
    response_class=FileResponse,
)
def save_checkpoint(
    session: OpenSession, checkpoint: Named = None, secrets: WithSecrets = False
) -> FileResponse:
    """Download a checkpoint as a file: everything it holds, then the session as an export. One with texts that were
    flagged for secrets is refused unless they are asked for."""
    folder = TemporaryDirectory()
    try:
        path = session.checkpoints.save(folder.name, _named(checkpoint), secrets=secrets)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        path, media_type="application/x-ndjson", filename=path.name, background=BackgroundTask(folder.cleanup)
    )


@routes.post("/sessions/{session}/checkpoints/restore", Action.APPEND, once="kept")
def restore_checkpoint(session: OpenSession, body: CheckpointToRestore) -> RestoredCheckpointDocument:
    """Make a checkpoint's state current again. Files are for the caller to compare with its checksums."""
    done = session.checkpoints.restore(body.checkpoint, why=body.why, check_files=False)
    return RestoredCheckpointDocument.of(done)


def _named(checkpoint: str | None) -> int | str | None:
    return int(checkpoint) if checkpoint is not None and checkpoint.isdecimal() else checkpoint
