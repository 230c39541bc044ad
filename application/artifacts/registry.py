"""The artifacts that a project has registered, and the folder that they are in."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from backstory.application.bootstrap import read_settings
from backstory.application.contents.reader import ContentReader
from backstory.application.memory.streams import newest_version
from backstory.application.runtime import Runtime
from backstory.domain.commands.memory import project_id
from backstory.domain.context_document.sources import Registered
from backstory.domain.errors import BackstoryError
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.records import ArtifactNote
from backstory.domain.state import ContextState
from backstory.domain.values import from_microseconds
from backstory.infrastructure.project_files import allowed_root

ROOT = "root"
"""The setting of the recorded artifact policy that names the project's folder."""


class Artifact(NamedTuple):
    """A registered artifact."""

    id: str
    type: str
    name: str
    path: str | None
    load_layer: int
    project_layer: int | None
    summary: str | None
    clarity: int | None
    parent: str | None
    children: tuple[str, ...]
    related: tuple[str, ...]
    size: int | None
    tokens: int | None
    digest: str | None
    modified: datetime | None
    registered_at: datetime
    cached: bool
    """Whether its content is at hand, from the session that loaded it last."""


def confined(runtime: Runtime) -> Runtime:
    """The runtime for work on somebody else's behalf: it reads and writes files only in the folders that the operator
    listed."""
    listed = (name.strip() for name in read_settings().allowed_roots.split(","))
    found = tuple(Path(name).expanduser().resolve() for name in listed if name)
    return runtime._replace(roots=found)


def project_state(runtime: Runtime, name: str) -> ContextState:
    """The newest state of a project, to be read; an empty one where nothing was written yet."""
    id = project_id(name)
    version = newest_version(runtime, id)
    return runtime.reader.past(id, version) if version else ContextState(id)


def project_state_at(runtime: Runtime, name: str, recorded: int) -> ContextState:
    """The state of a project at a time, in microseconds since 1970."""
    id = project_id(name)
    if not newest_version(runtime, id):
        return ContextState(id)
    version = runtime.log.version_at(id, from_microseconds(recorded))
    return runtime.reader.past(id, version) if version else ContextState(id)


def artifact_policy(state: ContextState) -> ArtifactPolicy:
    """The policy that a project has chosen, or the default."""
    return ArtifactPolicy.chosen(state.policies.get(ArtifactPolicy.kind))


def recorded_root(state: ContextState) -> str | None:
    """The folder that a project's artifacts are in."""
    chosen = state.policies.get(ArtifactPolicy.kind)
    root = None if chosen is None else chosen["settings"].get(ROOT)
    return None if root is None else str(root)


def readable_root(runtime: Runtime, state: ContextState) -> Path | None:
    """The folder that a project's artifacts are in, where this process may read it."""
    root = recorded_root(state)
    if root is None:
        return None
    try:
        return allowed_root(root, runtime.roots)
    except BackstoryError:
        return None


def read_artifacts(
    runtime: Runtime, state: ContextState, wanted: Mapping[str, ArtifactNote]
) -> list[Artifact]:
    """Registered artifacts with their summaries."""
    places = [note.summary for note in wanted.values() if note.summary is not None]
    texts = {}
    if places:
        reader = ContentReader(runtime, Lineage([VersionRange(state.stream, 1, state.version)]))
        texts = reader.texts(places)
    return [_artifact(id, note, texts, state) for id, note in wanted.items()]


def _artifact(
    id: str, note: ArtifactNote, texts: Mapping[tuple[int, int], str], state: ContextState
) -> Artifact:
    return Artifact(
        id=id,
        type=note.type,
        name=note.name,
        path=note.path,
        load_layer=note.load_layer,
        project_layer=note.project_layer,
        summary=None if note.summary is None else texts.get(note.summary),
        clarity=note.clarity,
        parent=note.parent,
        children=note.children,
        related=note.related,
        size=note.size,
        tokens=note.tokens,
        digest=note.digest,
        modified=None if note.modified is None else from_microseconds(note.modified),
        registered_at=from_microseconds(note.at),
        cached=note.digest in state.artifact_cache,
    )


def registered(runtime: Runtime, session: ContextState, *, then: bool = False) -> dict[str, Registered]:
    """The artifacts of a session's project, now or when the session's state was the newest."""
    found = project_of(session)
    if found is None:
        return {}
    state = (
        project_state_at(runtime, found[0], session.recorded) if then else project_state(runtime, found[0])
    )
    known = read_artifacts(runtime, state, dict(sorted(state.artifacts.items())))
    return {one.id: Registered(state.artifacts[one.id], one.summary) for one in known}


def project_of(state: ContextState) -> tuple[str, UUID] | None:
    """The name and the id of the project that a session belongs to."""
    name = state.labels.get("project")
    return None if name is None else (name, project_id(name))
