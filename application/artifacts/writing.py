"""Files of artifacts, written from a session."""

from backstory.application.artifacts.register import facts_of, registration, renewed
from backstory.application.artifacts.registry import (
    project_of,
    project_state,
    read_artifacts,
    readable_root,
)
from backstory.application.handle import SessionHandle
from backstory.application.memory.streams import project_handle
from backstory.infrastructure.project_files import read_below, replace_below


def write_artifact(handle: SessionHandle, artifact: str, data: bytes, seen: str | None) -> str | None:
    """Replaces the file of an artifact, atomically, if it is as it was seen last, and registers what it is now. Returns
    its path; None where the artifact has no file, or this process may not write it. `seen` is the digest of the content
    that is replaced."""
    runtime = handle.runtime
    found = project_of(runtime.reader.state(handle.id))
    if found is None:
        return None
    state = project_state(runtime, found[0])
    note, root = state.artifacts.get(artifact), readable_root(runtime, state)
    if note is None or note.path is None or root is None:
        return None
    replace_below(root, note.path, data, seen or note.digest)
    file = read_below(root, note.path, len(data))
    (known,) = read_artifacts(runtime, state, {artifact: note})
    own = project_handle(runtime, found[0]).with_(actor=handle.actor)
    own.submit(registration(own, renewed(note, artifact, known.summary), facts_of(file, own.encoding())))
    return note.path
