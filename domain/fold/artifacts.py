"""Folds of artifacts: what a project has registered, where its contents were loaded, what a session holds."""

from backstory.domain import events as e
from backstory.domain.records import ArtifactNote, CachedArtifact, LoadedArtifact
from backstory.domain.state import (
    ARTIFACTS_KEPT,
    CACHED_BYTES,
    CACHED_KEPT,
    ContextState,
)
from backstory.domain.values import microseconds


def artifact_registered(state: ContextState, event: e.Event, body: e.ArtifactRegistered) -> None:
    state.artifacts[body.artifact] = ArtifactNote(
        version=event.version,
        at=microseconds(event.occurred_at),
        type=body.artifact_type,
        name=body.name,
        path=body.path,
        load_layer=body.load_layer,
        project_layer=body.project_layer,
        summary=None if body.summary is None else (event.version, body.summary.part),
        clarity=body.clarity,
        parent=body.parent,
        children=body.children,
        related=body.related,
        size=body.size,
        tokens=body.tokens,
        digest=body.digest,
        modified=None if body.modified is None else microseconds(body.modified),
    )


def artifact_removed(state: ContextState, event: e.Event, body: e.ArtifactRemoved) -> None:
    state.artifacts.pop(body.artifact, None)
    for digest in [d for d, cached in state.artifact_cache.items() if cached.artifact == body.artifact]:
        del state.artifact_cache[digest]


def artifact_loaded(state: ContextState, event: e.Event, body: e.ArtifactLoaded) -> None:
    cache = state.artifact_cache
    before = cache.pop(body.digest, None)
    cache[body.digest] = CachedArtifact(
        body.artifact,
        str(body.session),
        body.item,
        body.size,
        body.tokens,
        microseconds(event.occurred_at),
        1 if before is None else before.loads + 1,
    )
    while len(cache) > CACHED_KEPT or (
        len(cache) > 1 and sum(cached.size for cached in cache.values()) > CACHED_BYTES
    ):
        del cache[next(iter(cache))]


def progress_invalidated(state: ContextState, event: e.Event, body: e.ProgressInvalidated) -> None:
    state.invalidated.update(dict.fromkeys(body.artifacts, event.version))
    while len(state.invalidated) > ARTIFACTS_KEPT:
        del state.invalidated[next(iter(state.invalidated))]


def artifact_saved(state: ContextState, event: e.Event, body: e.ItemSaved) -> None:
    """An item that holds an artifact's content is the one that the session has of it."""
    if body.artifact is None:
        return
    state.loaded.pop(body.artifact, None)
    state.loaded[body.artifact] = LoadedArtifact(
        event.version, body.digest, body.load_layer or 2, body.project_layer
    )
    # What was looked at again counts again.
    state.invalidated.pop(body.artifact, None)
    while len(state.loaded) > ARTIFACTS_KEPT:
        del state.loaded[next(iter(state.loaded))]
