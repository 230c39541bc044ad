"""The artifacts of a project: `project.artifacts`."""

import builtins
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from backstory.application.artifacts.configuration import Configured, configure
from backstory.application.artifacts.register import (
    Scanned,
    facts_of,
    known_facts,
    read_text,
    registration,
    renewed,
    scan,
)
from backstory.application.artifacts.registry import (
    ROOT,
    Artifact,
    artifact_policy,
    project_state,
    read_artifacts,
    readable_root,
    recorded_root,
)
from backstory.application.handle import SessionHandle, SessionPart
from backstory.application.memory.streams import start_if_new
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain import events as e
from backstory.domain.artifacts.values import ArtifactDraft, FileFacts, artifact_id
from backstory.domain.commands.artifacts import known_artifact, remove_artifact
from backstory.domain.errors import InvalidInput, NotFound, Refused
from backstory.domain.events.base import Change
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.records import ArtifactNote
from backstory.domain.state import ContextState
from backstory.domain.values import build, listed
from backstory.infrastructure.postgres.standby import reads_only
from backstory.infrastructure.project_files import allowed_root, checked_patterns


class ProjectArtifacts(SessionPart):
    """The artifacts of a project: `project.artifacts`."""

    def __init__(self, handle: SessionHandle, name: str) -> None:
        super().__init__(handle)
        self._name = name

    # Writing

    def configure(self, root: Path | str | None = None) -> Configured:
        """Sets the folder that the artifacts are in, and reads its `.forgemind/config.json`, if it has one: artifacts,
        triggers and preload table. Without `root`, the file is read again. A service does so only below the folders
        in its setting BACKSTORY_ALLOWED_ROOTS."""
        start_if_new(self._handle, self._name)
        return configure(self._handle, self._name, root)

    def choose(self, policy: ArtifactPolicy) -> int:
        """Sets the preload table, the share of the window and the other numbers from here on."""
        if not isinstance(policy, ArtifactPolicy):
            raise InvalidInput("policy", f"must be an ArtifactPolicy, got {type(policy).__name__}")
        start_if_new(self._handle, self._name)
        root = recorded_root(self._state())
        settings = policy.settings() | ({} if root is None else {ROOT: root})
        body = build(
            e.PolicyChosen, kind=policy.kind, name=policy.name, version=policy.version, settings=settings
        )
        return self._handle.write(ContentBundle(), Change(body))

    def register(
        self,
        id: str,
        *,
        type: str | None = None,
        name: str | None = None,
        path: str | None = None,
        load_layer: int | None = None,
        project_layer: int | None = None,
        summary: str | None = None,
        clarity: int | None = None,
        parent: str | None = None,
        children: Sequence[str] | None = None,
        related: Sequence[str] | None = None,
    ) -> int:
        """Registers an artifact, or changes what is registered of it: what is not given stays. Its file, below the
        project's root, need not be there yet. Returns the version of the registration."""
        start_if_new(self._handle, self._name)
        state = self._state()
        given = {
            "type": type,
            "name": name,
            "path": path,
            "load_layer": load_layer,
            "project_layer": project_layer,
            "summary": summary,
            "clarity": clarity,
            "parent": parent,
            "children": None if children is None else listed("children", children),
            "related": None if related is None else listed("related", related),
        }
        fields: dict[str, Any] = {field: value for field, value in given.items() if value is not None}
        note = state.artifacts.get(artifact_id("id", id))
        if note is None:
            if "type" not in fields:
                raise InvalidInput("type", "must be given for a new artifact")
            draft = build(ArtifactDraft, id=id, **{"name": id, **fields})
        else:
            (known,) = read_artifacts(self._runtime, state, {id: note})
            if "type" in fields and "project_layer" not in fields:
                fields["project_layer"] = None
            draft = renewed(note, id, known.summary, **fields)
        return self._handle.submit(registration(self._handle, draft, self._facts(state, draft, note)))

    def scan(
        self,
        patterns: Sequence[str],
        *,
        type: str | None = None,
        load_layer: int | None = None,
        project_layer: int | None = None,
        parent: str | None = None,
    ) -> Scanned:
        """Registers the files below the project's root that fit one of these globs, such as ``ideas/*/current.md``, and
        notices those that have changed. Ids such as IDEA-001 are found in the path, names in the first heading. Files
        that are binary, too large, empty, or that look like secrets are skipped, each with the reason."""
        wanted = listed("patterns", patterns)
        if not wanted:
            raise InvalidInput("patterns", "must have at least one glob, such as 'ideas/*/current.md'")
        checked_patterns("patterns", wanted)
        root = self._root()
        start_if_new(self._handle, self._name)
        state = self._state()
        given = {"type": type, "load_layer": load_layer, "project_layer": project_layer, "parent": parent}
        fields = {field: value for field, value in given.items() if value is not None}
        summaries = {one.id: one.summary for one in read_artifacts(self._runtime, state, state.artifacts)}
        return scan(self._handle, state, root, wanted, fields, summaries)

    def remove(self, id: str, why: str | None = None) -> int:
        """Takes an artifact off the list. What sessions have loaded of it stays in their record."""
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        known_artifact(self._state(), artifact_id("id", id))
        return self._handle.command(bundle, partial(remove_artifact, artifact=id, why=ref))

    # Reading

    @reads_only
    def list(
        self, *, type: str | None = None, project_layer: int | None = None, load_layer: int | None = None
    ) -> builtins.list[Artifact]:
        """The registered artifacts, in the order of their ids."""
        state = self._state()
        wanted = {
            id: note
            for id, note in sorted(state.artifacts.items())
            if (type is None or note.type == type)
            and (project_layer is None or note.project_layer == project_layer)
            and (load_layer is None or note.load_layer == load_layer)
        }
        return read_artifacts(self._runtime, state, wanted)

    @reads_only
    def get(self, id: str) -> Artifact:
        """One artifact."""
        state = self._state()
        note = known_artifact(state, artifact_id("id", id))
        (found,) = read_artifacts(self._runtime, state, {id: note})
        return found

    @property
    @reads_only
    def policy(self) -> ArtifactPolicy:
        """The preload table, the share of the window and the other numbers."""
        return artifact_policy(self._state())

    @property
    @reads_only
    def root(self) -> str | None:
        """The folder that the artifacts are in; None where none was set."""
        return recorded_root(self._state())

    # Steps

    def _facts(
        self, state: ContextState, draft: ArtifactDraft, note: ArtifactNote | None
    ) -> FileFacts | None:
        """What is known of the artifact's file, where it can be read; else what was known before."""
        root = readable_root(self._runtime, state)
        if draft.path is None:
            return None
        if root is not None:
            try:
                return facts_of(read_text(root, draft.path, artifact_policy(state)), self._handle.encoding())
            except NotFound:
                return None
        return None if note is None or note.path != draft.path else known_facts(note)

    def _state(self) -> ContextState:
        return project_state(self._runtime, self._name)

    def _root(self) -> Path:
        root = recorded_root(self._state())
        if root is None:
            raise Refused("the project has no folder yet: `artifacts.configure(root)` sets one.")
        return allowed_root(root, self._runtime.roots)
