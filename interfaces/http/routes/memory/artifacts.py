"""Artifacts: what a project registers, and what its sessions load."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from backstory.domain.access import Action
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.interfaces.documents.artifacts import (
    ArtifactDocument,
    ArtifactsDocument,
    ArtifactSettingsDocument,
    ConfiguredDocument,
    LoadedArtifactsDocument,
    LoadedDocument,
    ScannedDocument,
    UnloadedDocument,
    WindowArtifactDocument,
    WindowArtifactsDocument,
)
from backstory.interfaces.documents.memory import ProjectWrittenDocument
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.policies import PolicyBody
from backstory.interfaces.http.requests import OpenProject, OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("artifacts")


class FolderToRead(Body):
    """The folder that a project's artifacts are in."""

    root: str | None = Field(
        default=None,
        description="The folder, below one that the service may read; otherwise the one that was set.",
    )


class FilesToScan(Body):
    """Files to register."""

    patterns: list[str] = Field(description="Globs below the project's root, such as `ideas/*/current.md`.")
    type: str | None = Field(default=None, description="The type of all of them; otherwise it is found.")
    load_layer: int | None = Field(default=None, description="The load layer of all of them, 1 to 3.")
    project_layer: int | None = Field(default=None, description="The project's layer of all of them, 0 to 5.")
    parent: str | None = Field(default=None, description="The artifact that all of them were made from.")


class ArtifactPolicyToChoose(Body):
    """An artifact policy for a project to go by."""

    policy: PolicyBody = Field(description="The artifact policy.")


class ArtifactToLoad(Body):
    """An artifact to load."""

    artifact: str = Field(
        description="Its id; or clarifications, session-summaries or version-history, which are made from the record."
    )


class LayersToLoad(Body):
    """Layers to load."""

    upto: int = Field(default=3, description="The last layer: 1 essential, 2 for the task, 3 history.")


class LayerToPreload(Body):
    """The layer that is prepared for."""

    layer: int | None = Field(default=None, description="The project's layer, 0 to 5; otherwise the current.")


class StaleToUnload(Body):
    """The age at which artifacts leave."""

    minutes: float | None = Field(
        default=None, description="Minutes since the last access; otherwise those of the project's policy."
    )


@routes.get("/projects/{project}/artifacts", Action.READ)
def list_artifacts(
    project: OpenProject,
    type: Annotated[str | None, Query(description="Only artifacts of this type.")] = None,
    project_layer: Annotated[
        int | None, Query(ge=0, le=5, description="Only artifacts of this layer of the project.")
    ] = None,
    load_layer: Annotated[
        int | None, Query(ge=1, le=3, description="Only artifacts of this load layer.")
    ] = None,
) -> ArtifactsDocument:
    """List a project's registered artifacts."""
    found = project.artifacts.list(type=type, project_layer=project_layer, load_layer=load_layer)
    return ArtifactsDocument(artifacts=[ArtifactDocument.model_validate(one) for one in found])


@routes.get("/projects/{project}/artifacts/get", Action.READ)
def get_artifact(
    project: OpenProject, id: Annotated[str, Query(description="The artifact's id.")]
) -> ArtifactDocument:
    """Show a registered artifact."""
    return ArtifactDocument.model_validate(project.artifacts.get(id))


@routes.get("/projects/{project}/artifacts/settings", Action.READ)
def artifact_settings(project: OpenProject) -> ArtifactSettingsDocument:
    """Show where a project's artifacts are, and the numbers that loads go by."""
    return ArtifactSettingsDocument.of(project.artifacts.root, project.artifacts.policy)


@routes.post("/projects/{project}/artifacts/configure", Action.OPERATE, once="bare")
def configure_artifacts(project: OpenProject, body: FolderToRead) -> ConfiguredDocument:
    """Set the folder of a project's artifacts, and read its `config.json`."""
    return ConfiguredDocument.model_validate(project.artifacts.configure(body.root))


@routes.post("/projects/{project}/artifacts/choose", Action.OPERATE, status_code=201)
def choose_artifact_policy(project: OpenProject, body: ArtifactPolicyToChoose) -> ProjectWrittenDocument:
    """Set the preload table, the share of the window and the other numbers from here on."""
    version = project.artifacts.choose(body.policy.policy(ArtifactPolicy))
    return ProjectWrittenDocument(project=project.name, version=version)


@routes.post("/projects/{project}/artifacts/scan", Action.APPEND, once="bare")
def scan_artifacts(project: OpenProject, body: FilesToScan) -> ScannedDocument:
    """Register the files that fit a pattern, and notice those that have changed."""
    found = project.artifacts.scan(
        body.patterns,
        type=body.type,
        load_layer=body.load_layer,
        project_layer=body.project_layer,
        parent=body.parent,
    )
    return ScannedDocument.model_validate(found)


@routes.get("/sessions/{session}/artifacts", Action.READ)
def list_window_artifacts(session: OpenSession) -> WindowArtifactsDocument:
    """List the artifacts in a session's window."""
    found = session.artifacts.list()
    return WindowArtifactsDocument(artifacts=[WindowArtifactDocument.model_validate(one) for one in found])


@routes.post("/sessions/{session}/artifacts/load", Action.APPEND, once="kept")
def load_artifact(session: OpenSession, body: ArtifactToLoad) -> LoadedDocument:
    """Load an artifact of the project into the session's window."""
    return LoadedDocument.model_validate(session.artifacts.load(body.artifact))


@routes.post("/sessions/{session}/artifacts/load-layers", Action.APPEND, once="kept")
def load_artifact_layers(session: OpenSession, body: LayersToLoad) -> LoadedArtifactsDocument:
    """Load artifacts layer by layer: essential ones, those of the task, history."""
    return LoadedArtifactsDocument.model_validate(session.artifacts.load_layers(body.upto))


@routes.post("/sessions/{session}/artifacts/preload", Action.APPEND, once="kept")
def preload_artifacts(session: OpenSession, body: LayerToPreload) -> LoadedArtifactsDocument:
    """Load what is likely to be needed on a layer of the project."""
    return LoadedArtifactsDocument.model_validate(session.artifacts.preload(body.layer))


@routes.post("/sessions/{session}/artifacts/unload-stale", Action.APPEND, once="bare")
def unload_stale_artifacts(session: OpenSession, body: StaleToUnload) -> UnloadedDocument:
    """Take artifacts out of the window that were not accessed lately."""
    return UnloadedDocument(artifacts=session.artifacts.unload_stale(body.minutes))
