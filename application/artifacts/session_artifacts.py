"""The artifacts in a session's window: `session.artifacts`."""

import builtins
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from backstory.application.artifacts.loading import ArtifactLoader, Loaded, LoadedArtifacts
from backstory.application.artifacts.registry import artifact_policy, project_of, project_state
from backstory.application.handle import SessionPart
from backstory.domain.artifacts.selectors import (
    CLARIFICATIONS,
    HISTORY,
    SUMMARIES,
    linked,
    selected,
)
from backstory.domain.artifacts.values import ESSENTIAL, HISTORICAL, TASK_SPECIFIC, artifact_id
from backstory.domain.commands.artifacts import loaded_artifacts, unload_artifacts
from backstory.domain.errors import InvalidInput, Refused
from backstory.domain.state import ContextState
from backstory.domain.values import is_number, listed, microseconds, whole_number
from backstory.infrastructure.postgres.standby import reads_only

MINUTE = 60_000_000


class WindowArtifact(NamedTuple):
    """An artifact in the window."""

    artifact: str
    item: int
    type: str
    load_layer: int
    project_layer: int | None
    tokens: int
    digest: str | None
    accesses: int
    touched_at: datetime
    invalid: bool
    """Whether the session went back to an earlier layer since, and has not loaded it again."""


class SessionArtifacts(SessionPart):
    """The artifacts in a session's window: `session.artifacts`."""

    def load(self, artifact: str) -> Loaded:
        """Loads an artifact. In the window already, it is accessed; else it comes from the record of this session, from
        another session of the project, or from its file. A file that has changed is loaded anew, and the item with its
        earlier content leaves the window. `clarifications`, `session-summaries` and `version-history` are made from the
        record."""
        return ArtifactLoader(self._handle).load(artifact)

    def load_layers(self, upto: int = 3) -> LoadedArtifacts:
        """Loads artifacts layer by layer. Layer 1 has those of load layer 1. Layer 2 has the current idea and what is
        linked to it, the nearest first. Layer 3 has summaries of the project's sessions, all clarifications, the
        history of versions, and the linked artifacts of load layer 3. Layers 2 and 3 take no more than the policy's
        share of the window; what does not fit is skipped."""
        whole_number("upto", upto, minimum=1, maximum=3)
        loader = ArtifactLoader(self._handle)
        artifacts = loader.project.artifacts
        found = loader.load_all(id for id, note in artifacts.items() if note.load_layer == ESSENTIAL)
        if upto < TASK_SPECIFIC:
            return found
        with self._runtime.reader.borrow(self._id) as state:
            idea = state.project.current_idea if state.project else None
        near = [*linked(artifacts, idea)]
        wanted = [id for id in near if artifacts[id].load_layer == TASK_SPECIFIC]
        if upto == HISTORICAL:
            wanted += [SUMMARIES, CLARIFICATIONS, HISTORY]
            wanted += [id for id in near if artifacts[id].load_layer == HISTORICAL]
        more = loader.load_all(wanted, loader.most_tokens)
        return LoadedArtifacts((*found.loaded, *more.loaded), (*found.skipped, *more.skipped))

    def preload(self, layer: int | None = None) -> LoadedArtifacts:
        """Loads what is likely to be needed on a layer of the project, by default the current one, by the table in the
        project's policy and within its share of the window."""
        if layer is not None:
            whole_number("layer", layer, minimum=0, maximum=5)
        loader = ArtifactLoader(self._handle)
        with self._runtime.reader.borrow(self._id) as state:
            idea = state.project.current_idea if state.project else None
            on = state.project_layer or 0 if layer is None else layer
        names = loader.policy.preload.get(on, ())
        wanted = [id for name in names for id in selected(name, loader.project.artifacts, idea)]
        return loader.load_all(wanted, loader.most_tokens)

    def unload(self, *artifacts: str, why: str | None = None) -> int:
        """Takes artifacts out of the window. Their contents stay at hand; `load` brings them back."""
        wanted = [artifact_id("artifacts", one) for one in listed("artifacts", artifacts)]
        if not wanted:
            raise InvalidInput("artifacts", "must name at least one")
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        self._cache(wanted)
        return self._handle.command(
            bundle, partial(unload_artifacts, artifacts=tuple(dict.fromkeys(wanted)), why=ref)
        )

    def unload_stale(self, minutes: float | None = None) -> builtins.list[str]:
        """Takes out of the window what was not accessed for so many minutes, by default those of the project's policy:
        30. Artifacts of load layer 1 stay. Returns what left."""
        if minutes is not None and (not is_number(minutes) or minutes < 0):
            raise InvalidInput("minutes", f"must not be negative, got {minutes!r}")
        now = microseconds(datetime.now(UTC))
        left = []
        with self._runtime.reader.borrow(self._id) as state:
            stale = list(stale_artifacts(state, now - int(self._minutes(state, minutes) * MINUTE)))
        for artifact in stale:
            try:
                self.unload(artifact, why="not accessed")
            except Refused:
                continue  # It left or was accessed meanwhile.
            left.append(artifact)
        return left

    @reads_only
    def list(self) -> builtins.list[WindowArtifact]:
        """The artifacts in the window, in the order in which they came."""
        state = self._runtime.reader.state(self._id)
        found = []
        for artifact, id in sorted(loaded_artifacts(state).items(), key=lambda pair: pair[1]):
            held, item = state.loaded[artifact], state.items[id]
            found.append(
                WindowArtifact(
                    artifact,
                    id,
                    item.type,
                    held.load_layer,
                    held.project_layer,
                    item.tokens,
                    held.digest,
                    item.accesses,
                    item.touched_at,
                    artifact in state.invalidated,
                )
            )
        return found

    # Steps

    def _minutes(self, state: ContextState, given: float | None) -> float:
        if given is not None:
            return given
        project = project_of(state)
        policy = (
            artifact_policy(project_state(self._runtime, project[0])) if project else artifact_policy(state)
        )
        return policy.stale_minutes

    def _cache(self, artifacts: builtins.list[str]) -> None:
        with self._runtime.reader.borrow(self._id) as state:
            there = [one for one in artifacts if one in loaded_artifacts(state)]
            project = project_of(state)
        if there and project is not None:
            ArtifactLoader(self._handle).cache(there)


def stale_artifacts(state: ContextState, before: int) -> Iterator[str]:
    """The artifacts in the window that were last accessed before a time, but those of load layer 1."""
    for artifact, item in loaded_artifacts(state).items():
        if state.loaded[artifact].load_layer > ESSENTIAL and state.items[item].touched <= before:
            yield artifact
