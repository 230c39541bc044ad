"""A store that is served."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote
from uuid import UUID

from backstory.application.access.keys import Keys
from backstory.application.feed.event_filter import EventFilter
from backstory.application.feed.feed import Feed
from backstory.application.identifiers import new_session_id, session_id
from backstory.application.memory.project import Project
from backstory.application.runtime import Runtime
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.application.tasks.contexts import ProjectTasks
from backstory.application.tasks.dependencies import ContextDependencies
from backstory.application.tasks.system import ContextSystem
from backstory.application.writing.requests import Provenance
from backstory.domain.tasks.values import ContextBuilderOptions, ContextProjectConfig, CustomBudget
from backstory.domain.values import label, listed
from backstory.interfaces.client.arguments import as_json, as_query
from backstory.interfaces.client.calls import get, over_http, post
from backstory.interfaces.client.connection import Connection
from backstory.interfaces.client.feed import RemoteFeed
from backstory.interfaces.client.handle import EPOCH, RemoteHandle
from backstory.interfaces.client.keys import RemoteKeys
from backstory.interfaces.client.project import project_of
from backstory.interfaces.client.session import RemoteSession
from backstory.interfaces.client.tasks import system_of, tasks_of

BESIDE = "is done beside the database: run it there, or use the command line there."


@over_http(
    local=("resume",),
    absent={
        "anchor": BESIDE,
        "sync": BESIDE,
        "on_behalf_of": "a client is on behalf of its key.",
        "export": BESIDE,
        "import_file": BESIDE,
        "restore_checkpoint": BESIDE,
        "purge": BESIDE,
        "purge_memory": BESIDE,
    },
    activity=get(),
    apply_retention=post(keyed=False, here={"progress": "a service does not call back."}),
    check_projections=get(),
    rebuild_projections=post(keyed=False),
    feed_status=get(),
    jobs=get(),
    job_runs=get(),
    projections=get(),
    projects=get(),
    retention=get(),
    set_retention=post(keyed=False),
    search=get(names={"types": "type", "sessions": "session"}, accesses=True, by_agent=True, keyed=False),
    sessions=get(names={"types": "type"}),
    set_aside=get(),
    summary=get("/sessions/{id}/summary"),
    update_tiers=post(keyed=False),
    verify_all=get(),
)
class RemoteStore(ContextStore):
    """A served store: see ContextStore."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._handle = RemoteHandle.of_store(connection)

    @property
    def _runtime(self) -> Runtime:  # type: ignore[override]
        return self._handle.runtime

    @property
    def url(self) -> str:
        """The address of the service."""
        return self._connection.url

    @property
    def keys(self) -> Keys:
        return RemoteKeys(self._handle)

    def close(self) -> None:
        """Closes all connections."""
        self._connection.close()

    def start(
        self,
        id: UUID | str | None = None,
        *,
        title: str | None = None,
        tags: Sequence[str] = (),
        project: str | None = None,
        limit: int | None = None,
        encoding: str | None = None,
        model: str | None = None,
        actor: str | None = None,
        occurred: datetime | None = None,
        key: str | None = None,
    ) -> Session:
        if id is None and key is None:
            # With an id, what is begun twice after a lost answer begins once.
            id = new_session_id()
        told: dict[str, Any] = {
            "id": None if id is None else str(session_id(id)),
            "title": title,
            "tags": listed("tags", tags) or None,
            "project": project,
            "limit": limit,
            "encoding": encoding,
            "model": model,
            "actor": actor,
            "occurred": occurred,
        }
        body = {name: as_json(name, value) for name, value in told.items() if value is not None}
        starter = self._handle if key is None else self._handle.with_(key=label("key", key))
        answer = starter.post("/sessions", body)
        started = UUID(answer.document["session"])
        if EPOCH not in answer.headers:
            # It was there already, and may have been backtracked since.
            return self.session(started)
        return self._session(started, int(answer.headers[EPOCH]))

    def session(self, id: UUID | str) -> Session:
        head = self._handle.read(f"/sessions/{quote(str(id), safe='')}/version").document
        return self._session(UUID(head["session"]), head["epoch"])

    def find(self, id: UUID | str) -> UUID:
        if isinstance(id, UUID):
            return id
        return self.session(id).id

    def project(self, name: str) -> Project:
        return project_of(self._connection, name, Provenance())

    def tasks(self, project: str) -> ProjectTasks:
        return tasks_of(self._connection, project)

    def context_system(
        self,
        project_config: ContextProjectConfig | Mapping[str, Any],
        *,
        dependencies: ContextDependencies | Mapping[str, Any] | None = None,
        builder_options: ContextBuilderOptions | Mapping[str, Any] | None = None,
        custom_budget: CustomBudget | Mapping[str, Any] | None = None,
        system_prompt: str | None = None,
        encoding: str | None = None,
    ) -> ContextSystem:
        return system_of(
            self._connection,
            project_config,
            dependencies,
            builder_options=builder_options,
            custom_budget=custom_budget,
            system_prompt=system_prompt,
            encoding=encoding,
        )

    def feed(
        self,
        *,
        after: int = 0,
        types: Collection[str] = (),
        project: str | None = None,
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        contents: bool = False,
        follow: bool = False,
    ) -> Feed:
        wanted = EventFilter.of(types, actor, since, until)
        told = {
            **wanted._asdict(),
            "project": None if project is None else label("project", project),
            "contents": contents,
        }
        query = {name: as_query(name, value) for name, value in told.items() if value not in (None, ())}
        return RemoteFeed(self._handle, after=after, follow=follow, query=query)

    def _session(self, id: UUID, epoch: int) -> Session:
        return RemoteSession(RemoteHandle.of_session(self._connection, id, epoch))
