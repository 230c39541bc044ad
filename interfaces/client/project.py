"""A project of a service, and its memory."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from backstory.application.artifacts.project_artifacts import ProjectArtifacts
from backstory.application.memory.project import Project
from backstory.application.memory.session_memory import SessionMemory
from backstory.application.safety.project_safety import ProjectSafety
from backstory.application.triggers.project_triggers import ProjectTriggers
from backstory.application.writing.requests import Provenance
from backstory.domain.commands.memory import project_id
from backstory.domain.errors import Refused
from backstory.domain.events import Event
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.state import ContextState
from backstory.domain.triggers.values import Trigger, checked_triggers
from backstory.domain.values import label, listed, whole_number
from backstory.interfaces.client.calls import get, over_http, post
from backstory.interfaces.client.connection import Connection
from backstory.interfaces.client.handle import RemoteHandle
from backstory.interfaces.client.reading import events_after
from backstory.interfaces.client.results import value_of


def _memory(document: Any) -> int:
    memory: int = document["memory"]
    return memory


@over_http(
    "safety",
    quarantined=get(read=lambda document: document["items"]),
    flagged=get(),
    reached=get(),
    take_out=post(keyed=False),
    counts=get(read=lambda document: document["flags"]),
)
class RemoteProjectSafety(ProjectSafety):
    """See ProjectSafety."""

    _handle: RemoteHandle

    @property
    def policy(self) -> SafetyPolicy:
        policy: SafetyPolicy = value_of(SafetyPolicy, self._handle.read("/safety/policy").document)
        return policy


@over_http(
    "artifacts",
    configure=post(keyed=False),
    choose=post(),
    register=post(),
    remove=post(),
    scan=post(keyed=False),
    list=get("/artifacts"),
    get=get(),
)
class RemoteProjectArtifacts(ProjectArtifacts):
    """See ProjectArtifacts."""

    _handle: RemoteHandle

    @property
    def policy(self) -> ArtifactPolicy:
        return ArtifactPolicy.chosen(self._settings())

    @property
    def root(self) -> str | None:
        root: str | None = self._settings()["root"]
        return root

    def _settings(self) -> Any:
        return self._handle.read("/artifacts/settings").document


@over_http(
    "triggers",
    set=post(),
    check=post(keyed=False, read=lambda document: read_triggers(document["refresh_triggers"])),
    dry_run=post(keyed=False),
    list=get("/triggers", read=lambda document: read_triggers(document["refresh_triggers"])),
    history=get(),
)
class RemoteProjectTriggers(ProjectTriggers):
    """See ProjectTriggers."""


def read_triggers(documents: list[dict[str, Any]]) -> list[Trigger]:
    """The triggers that documents describe."""
    return [*checked_triggers(documents)]


@over_http(
    local=("by", "once", "occurred", "of_origin"),
    remember=post("/memories", read=_memory),
    supersede=post("/memories/{memory}/supersede", read=_memory),
    forget=post("/memories/{memory}/forget"),
    erase=post("/memories/{memory}/erase", keyed=False),
    confirm=post("/memories/{memory}/confirm"),
    dismiss=post("/memories/{memory}/dismiss"),
    archive=post("/archive"),
    memories=get(names={"kinds": "kind"}),
    memory=get("/memories/{id}"),
    history=get("/memories/{id}/history"),
    recall=get(names={"kinds": "kind"}, accesses=True, by_agent=True, keyed=False),
    verify=get(
        here={"anchors": "anchors are files: read_anchors and compare `Verification.chain` yourself."}
    ),
)
class RemoteProject(Project):
    """See Project."""

    _handle: RemoteHandle

    @cached_property
    def safety(self) -> ProjectSafety:
        return RemoteProjectSafety(self._handle, self.name)

    @cached_property
    def artifacts(self) -> ProjectArtifacts:
        return RemoteProjectArtifacts(self._handle, self.name)

    @cached_property
    def triggers(self) -> ProjectTriggers:
        return RemoteProjectTriggers(self._handle, self.name)

    @property
    def state(self) -> ContextState:
        return self._state(None)

    @property
    def version(self) -> int:
        version: int = self._handle.read("/version").document["version"]
        return version

    def at(self, version: int) -> ContextState:
        return self._state(whole_number("version", version))

    def events(self, *, after: int = 0, types: Collection[str] = ()) -> Iterator[Event]:
        wanted = [label("types", type_) for type_ in listed("types", types)]
        yield from events_after(self._handle, whole_number("after", after, minimum=0), {"types": wanted})

    def _state(self, version: int | None) -> ContextState:
        query = None if version is None else {"at": str(version)}
        state: ContextState = value_of(ContextState, self._handle.read("/state/data", query).document)
        return state


def project_of(connection: Connection, name: str, provenance: Provenance) -> RemoteProject:
    """A project, which may not have been written to yet."""
    handle = RemoteHandle.of_project(connection, name, project_id(name))
    handle.provenance = provenance
    return RemoteProject(handle, name)


@over_http(
    local=("supersede", "forget", "recall"),
    remember=post("/memories", read=_memory),
    archive=post("/memory/archive"),
    should_archive=get("/memory/should-archive"),
)
class RemoteSessionMemory(SessionMemory):
    """See SessionMemory."""

    _handle: RemoteHandle

    @property
    def project(self) -> Project:
        name = self._handle.read("/summary").document["project"]
        if name is None:
            raise Refused(
                "the session belongs to no project: start it with one, or call `details.set_project`."
            )
        # A cause is a version of this session, not of the project.
        return project_of(self._handle.connection, name, replace(self._handle.provenance, cause=None))
