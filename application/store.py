"""The store: starts, finds and lists sessions."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from backstory.application.access.keys import Keys
from backstory.application.artifacts.beginning import begin
from backstory.application.artifacts.registry import confined
from backstory.application.bootstrap import open_runtime, read_settings
from backstory.application.conditions import Conditions
from backstory.application.feed.activity import Activity, read_activity
from backstory.application.feed.event_filter import EventFilter
from backstory.application.feed.feed import Feed, FeedStatus, feed_status
from backstory.application.feed.projections import SetAside, read_set_aside
from backstory.application.handle import SessionHandle
from backstory.application.identifiers import find_session
from backstory.application.integrity.verification import StoreVerification, verify_store
from backstory.application.memory.project import Project
from backstory.application.memory.projects import ProjectSummary, read_projects
from backstory.application.memory.streams import project_handle
from backstory.application.operations.telemetry import start_traces
from backstory.application.queries.session_list import (
    SessionFilter,
    SessionSummary,
    read_place,
    read_session,
    read_sessions,
)
from backstory.application.runtime import Runtime
from backstory.application.search.search import SearchPage, SearchRequest, search_store
from backstory.application.session import Session
from backstory.application.start import start_session
from backstory.application.tiers.update import Progress as TierProgress, TiersUpdated, update_store
from backstory.application.window.check import AlertHandler
from backstory.application.writing.access import record_access
from backstory.domain.access import Caller
from backstory.domain.errors import InvalidInput
from backstory.domain.values import LARGEST, aware, label, listed, whole_number
from backstory.infrastructure.llm.summarizers import Summarizer
from backstory.infrastructure.postgres.standby import reads_only
from backstory.infrastructure.project_files import allowed_root

if TYPE_CHECKING:
    from backstory.application.anchors.files import Anchored, Anchors
    from backstory.application.checkpoints.session_checkpoints import RestoredCheckpoint
    from backstory.application.feed.projection_list import Projection
    from backstory.application.files import Synced
    from backstory.application.integrity.projection_check import (
        Progress as ProjectionProgress,
        ProjectionsChecked,
    )
    from backstory.application.jobs.history import JobState, RecordedRun
    from backstory.application.queries.resume import Resumed
    from backstory.application.rebuild.rebuild import ProjectionsRebuilt
    from backstory.application.retention.purge import Purged
    from backstory.application.retention.rules import (
        Progress as RetentionProgress,
        RetentionRule,
        RetentionStep,
    )
    from backstory.application.tasks.contexts import ProjectTasks
    from backstory.application.tasks.dependencies import ContextDependencies
    from backstory.application.tasks.system import ContextSystem
    from backstory.application.transcripts.files import Progress
    from backstory.application.transfer.export import Exported, Progress as ExportProgress
    from backstory.application.transfer.importer import Imported
    from backstory.domain.tasks.values import ContextBuilderOptions, ContextProjectConfig, CustomBudget


class ContextStore:
    """An event-sourced store of agents' contexts, on Postgres.

    ``with ContextStore.open() as store:`` starts or joins the embedded Postgres; ``open(url)`` uses any other.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        data_dir: Path | str | None = None,
        pool_size: int | None = None,
        patience: float | None = None,
        read_url: str | None = None,
        migrate: bool = True,
        summarizer: Summarizer | None = None,
        on_alert: AlertHandler | None = None,
        record_reads: bool = False,
    ) -> Self:
        """Opens a store.

        The database is at `url`, else at BACKSTORY_DATABASE_URL, else it is the embedded Postgres in the user's data
        directory, which an open store restarts when it has stopped. The schema is upgraded first, unless `migrate` is
        off. `summarizer` makes summaries; by default the endpoint that the settings name, else extracts made offline.
        `on_alert` is called with each alert that a session's `before_call` raises. With `record_reads`, reading items
        by `text`, `messages` and the like is an access event too, not only loading, expanding and citing them.

        Calls that only read may use a standby at `read_url`, else at BACKSTORY_READ_URL, once it has all writes of this
        store; until then, and while the standby is away, they use the primary."""
        if on_alert is not None and not callable(on_alert):
            raise InvalidInput("on_alert", f"must be callable, got {type(on_alert).__name__}")
        if not isinstance(record_reads, bool):
            raise InvalidInput("record_reads", f"must be true or false, got {record_reads!r}")
        settings = read_settings(pool_size=pool_size, patience=patience, read_url=read_url)
        start_traces(settings)
        return cls(
            open_runtime(
                url,
                data_dir,
                settings,
                migrate=migrate,
                summarizer=summarizer,
                on_alert=on_alert,
                record_reads=record_reads,
            )
        )

    @property
    def url(self) -> str:
        """The address of the database, for tables of your own in it. It may contain a password."""
        return self._runtime.database.url

    @property
    def keys(self) -> Keys:
        """The keys of the service over this store."""
        return Keys(self._runtime)

    def on_behalf_of(self, caller: Caller, conditions: Conditions | None = None) -> "ContextStore":
        """The same store, limited to what a caller may see. Actions are for whoever offers this store to it to check:
        see `allows`. `conditions` are those of one request of the caller. The connections are shared."""
        return ContextStore(confined(self._runtime)._replace(caller=caller, conditions=conditions))

    def _require_allowed(self, path: Path | str | None, *, folder: bool = False) -> None:
        """Refuses a path outside of the folders that a caller's files may be in."""
        if path is not None and self._runtime.roots is not None:
            allowed_root(path if folder else Path(path).parent, self._runtime.roots)

    def close(self) -> None:
        """Closes all connections. The embedded Postgres keeps running; `backstory db stop` stops it."""
        self._runtime.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

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
        """Starts a session. `limit`, `encoding` and `model` are those of its main window; `occurred` is for a session
        that began at another time than now. If a session with this id
        exists, it is returned as it is: starting under an id of your own is idempotent.
        Raises SessionDiffers if that session was started with another title and does not have this one now.
        With an idempotency `key` in place of an id, the session that was started under it is returned; it is refused
        for a session that would have been another."""
        handle = start_session(
            self._runtime,
            id,
            title=title,
            tags=tags,
            project=project,
            window={"limit": limit, "encoding": encoding, "model": model},
            actor=actor,
            occurred=occurred,
            key=key,
        )
        if not handle.opened.version:
            begin(handle, project)
        return Session(handle)

    def session(self, id: UUID | str) -> Session:
        """Opens a session, by its id or a short form of it: see `find`."""
        stream = self.find(id)
        return Session(SessionHandle.of(self._runtime, stream))

    def project(self, name: str) -> Project:
        """A project: its memory, which outlives sessions. It is made when it is first written to."""
        return Project(project_handle(self._runtime, name), name)

    def context_system(
        self,
        project_config: "ContextProjectConfig | Mapping[str, Any]",
        *,
        dependencies: "ContextDependencies | Mapping[str, Any] | None" = None,
        builder_options: "ContextBuilderOptions | Mapping[str, Any] | None" = None,
        custom_budget: "CustomBudget | Mapping[str, Any] | None" = None,
        system_prompt: str | None = None,
        encoding: str | None = None,
    ) -> "ContextSystem":
        """Fresh contexts for the tasks of a project: built from its files, its code and its memory, each within a
        budget, with no conversation. `dependencies` are parts of your own, or None for those to do without.
        `custom_budget` changes the tokens of the fixed parts. Tokens are counted in `encoding`."""
        from backstory.application.tasks.system import make_system

        return make_system(
            self._runtime,
            project_config,
            dependencies=dependencies,
            builder_options=builder_options,
            custom_budget=custom_budget,
            system_prompt=system_prompt,
            encoding=encoding,
        )

    def tasks(self, project: str) -> "ProjectTasks":
        """The fresh contexts of a project's tasks."""
        from backstory.application.tasks.system import tasks_of

        return tasks_of(self._runtime, project)

    @reads_only
    def projects(self, *, limit: int = 50) -> list[ProjectSummary]:
        """Projects, the most recently active first: those that sessions belong to and those with a memory."""
        return read_projects(self._runtime, whole_number("limit", limit, minimum=1, maximum=LARGEST))

    @reads_only
    def find(self, id: UUID | str) -> UUID:
        """The whole id of a session, from a beginning or an end that no other id has, or from `last`, the session that
        somebody last worked in. Every call that takes a session's id takes these short forms."""
        return find_session(self._runtime, id)

    @reads_only
    def sessions(
        self,
        *,
        project: str | None = None,
        status: str | None = None,
        tag: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        actor: str | None = None,
        types: Collection[str] = (),
        limit: int = 50,
        after: str | None = None,
    ) -> list[SessionSummary]:
        """Sessions, the most recently active first: those last active at `since` or later and before `until`, and those
        that recorded an event by `actor` and of one of `types`. `after` is the `place` of the last one before."""
        whole_number("limit", limit, minimum=1, maximum=LARGEST)
        for name, wanted in (("project", project), ("status", status), ("tag", tag), ("actor", actor)):
            if wanted is not None:
                label(name, wanted)
        chosen = SessionFilter(
            project=project,
            status=status,
            tag=tag,
            since=aware("since", since),
            until=aware("until", until),
            actor=actor,
            types=tuple(label("types", type_) for type_ in listed("types", types)),
            after=None if after is None else read_place(after),
        )
        return read_sessions(self._runtime, chosen, limit)

    @reads_only
    def summary(self, id: UUID | str) -> SessionSummary:
        """The entry of one session in the list of sessions."""
        stream = self.find(id)
        self._runtime.require_head(stream)
        return read_session(self._runtime, stream)

    @reads_only
    def search(
        self,
        query: str,
        *,
        project: str | None = None,
        sessions: Sequence[UUID | str] | None = None,
        agent: str | None = None,
        types: Collection[str] = (),
        speaker: str | None = None,
        since: datetime | None = None,
        before: datetime | None = None,
        abandoned: bool = False,
        quarantined: bool = False,
        limit: int = 20,
        after: str | None = None,
        record: bool = True,
    ) -> SearchPage:
        """Finds items by their words in all sessions and the memory of all projects, or in those of one project, or in
        these sessions; see `Session.search`. What a fork has in common with its parent is found once. Private items are
        found only by their `agent`. What an agent finds is accessed, unless `record` is off: one event in each session
        with hits."""
        request = SearchRequest(
            query=query,
            agent=agent,
            types=types,
            speaker=speaker,
            since=since,
            before=before,
            abandoned=abandoned,
            quarantined=quarantined,
            limit=limit,
            after=after,
        )
        page = search_store(self._runtime, request, project, self._ids(sessions))
        if record and agent is not None:
            found: dict[UUID, list[int]] = {}
            for hit in page.hits:
                if not hit.abandoned:
                    found.setdefault(hit.session, []).append(hit.item)
            for stream, items in found.items():
                record_access(
                    SessionHandle.of_stream(self._runtime, stream).with_(actor=agent), items, "found"
                )
        return page

    def import_file(
        self,
        path: Path | str,
        *,
        format: str | None = None,
        session: UUID | str | None = None,
        growing: bool = False,
        project: str | None = None,
        here: bool = True,
        progress: "Progress | None" = None,
    ) -> "tuple[Imported, ...]":
        """Imports a transcript of another tool, in the format `claude-code`, `codex` or `openhands`. Each session
        in it becomes a session here, with an id derived from its own. Every line is kept unchanged: see
        `session.views.imported_lines`. A second import adds new lines only; an interrupted import continues where it
        ended. `session` is the id to import to instead, for a file with one session. Of a file that is `growing`, a
        last line without its end is left for the next import. `project` is that of new sessions; by default it is the
        git remote `origin` of the folder that was worked in, else the folder with its repository, else the folder.
        Unless the transcript was made `here`, on this machine, no folder is looked into. `progress` is called with the
        bytes read so far and the size of the file.

        A file that `export` wrote is recognized by its first line, or by the format `backstory`. It is verified as a
        whole before anything is written; its sessions keep their ids, times and chain. Sessions that exist already
        are skipped; one that differs raises SessionDiffers."""
        from backstory.application.transcripts.files import import_file

        return import_file(
            self._runtime,
            path,
            format=format,
            session=session,
            growing=growing,
            project=project,
            here=here,
            progress=progress,
        )

    def export(
        self,
        sessions: "Sequence[UUID | str] | UUID | str | None",
        path: Path | str,
        *,
        projects: Sequence[str] = (),
        zstd: bool = False,
        overwrite: bool = False,
        secrets: bool = False,
        progress: "ExportProgress | None" = None,
    ) -> "Exported":
        """Exports sessions to one file, together with the sessions they were forked from: events, contents,
        idempotency keys, digests of states, the chain. Of `projects`, their memory and all their sessions are exported.
        With None for `sessions` and without `projects`, it is everything in the store. `audit_export` checks the file
        without a database; `import_file` imports it into another store. The file appears when it is complete. An
        existing file is replaced only with `overwrite`. Texts that were flagged for secrets are exported only with
        `secrets`: without it, the export is refused. `progress` is called with the events written so far and their
        total."""
        from backstory.application.transfer.export import export

        if isinstance(sessions, UUID | str):
            sessions = [sessions]
        named = None if sessions is None else listed("sessions", sessions)
        names = listed("projects", projects)
        return export(
            self._runtime,
            named,
            path,
            projects=names,
            zstd=zstd,
            overwrite=overwrite,
            secrets=secrets,
            progress=progress,
        )

    def restore_checkpoint(
        self,
        path: Path | str,
        *,
        root: Path | str | None = None,
        why: str | None = None,
        actor: str | None = None,
        check_files: bool = True,
    ) -> "RestoredCheckpoint":
        """Restores a checkpoint from the file that `session.checkpoints.save` wrote, in this database or another one.
        The file is audited as a whole. Its session is imported unless it exists; a session with another history raises
        SessionDiffers. Then the state of the checkpoint is made current, as `session.checkpoints.restore` does."""
        from backstory.application.checkpoints.files import CheckpointFile
        from backstory.application.transfer.importer import import_export

        file = CheckpointFile.load(path)
        import_export(self._runtime, path)
        session = self.session(file.session)
        session = session if actor is None else session.by(actor)
        return session.checkpoints.restore(file, root=root, why=why, check_files=check_files)

    def purge(
        self,
        id: UUID | str,
        export: Path | str | None = None,
        *,
        without_export: bool = False,
        zstd: bool = False,
        overwrite: bool = False,
        progress: "ExportProgress | None" = None,
    ) -> "Purged":
        """Removes a session for good, after exporting it to a file and auditing the file. A tombstone with the final
        chain remains; importing the file brings the session back unchanged. Refused while forks depend on the session,
        and if something was written to it meanwhile."""
        from backstory.application.retention.purge import purge

        self._require_allowed(export)
        return purge(
            self._runtime,
            id,
            export,
            without_export=without_export,
            zstd=zstd,
            overwrite=overwrite,
            progress=progress,
        )

    def purge_memory(
        self,
        project: str,
        export: Path | str | None = None,
        *,
        without_export: bool = False,
        zstd: bool = False,
        overwrite: bool = False,
    ) -> "Purged":
        """Exports the memory of a project to a file and verifies it, then removes the memory from the database for
        good; see `purge`. The project's sessions stay. Nothing is remembered for it again unless `import_file` brings
        the memory back."""
        from backstory.application.retention.purge import purge_memory

        self._require_allowed(export)
        return purge_memory(
            self._runtime,
            label("project", project),
            export,
            without_export=without_export,
            zstd=zstd,
            overwrite=overwrite,
        )

    def set_retention(
        self,
        project: str,
        after_days: int | None = None,
        *,
        purge_to: Path | str | None = None,
        erase: bool = False,
        keep_memories: bool = False,
        zstd: bool = False,
        by: str | None = None,
    ) -> "RetentionRule":
        """Sets the retention rule of a project: `after_days` after their last event, ended sessions are exported to
        a directory and purged, or their contents are erased, with the memories that were made from them, unless
        `keep_memories`; so are memories that were superseded or forgotten that long ago. With neither, they are kept.
        The rule replaces the one before it, which stays in the history. `apply_retention` applies the rules; workers
        do so regularly."""
        from backstory.application.retention.rules import set_rule

        self._require_allowed(purge_to, folder=True)
        return set_rule(
            self._runtime,
            project,
            after_days,
            purge_to=purge_to,
            erase=erase,
            keep_memories=keep_memories,
            zstd=zstd,
            by=by,
        )

    def retention(self, *, history: bool = False) -> "list[RetentionRule]":
        """The current retention rules; with `history` all rules, the newest of each project first."""
        from backstory.application.retention.rules import read_rules

        return read_rules(self._runtime, everything=history)

    def apply_retention(
        self,
        as_of: datetime | None = None,
        *,
        dry_run: bool = False,
        progress: "RetentionProgress | None" = None,
    ) -> "tuple[RetentionStep, ...]":
        """Applies the retention rules. Returns one step for each session that was due. A session that cannot be
        purged, such as one with forks, is returned with the reason and does not stop the others. `progress` is called
        with the sessions done so far and the number due."""
        from backstory.application.retention.rules import apply_rules

        return apply_rules(self._runtime, as_of, dry_run=dry_run, progress=progress)

    def resume(self, id: UUID | str, *, fork: bool = False) -> "Resumed[Session]":
        """Opens a session to continue, with its goals, its last messages and its next steps. One that had ended is
        opened again; with `fork` it is left as it is, and a fork of its newest version is opened."""
        from backstory.application.queries.resume import resume

        return resume(self.session(id), fork=fork)

    def sync(
        self,
        directory: Path | str,
        sessions: Sequence[UUID | str] | None = None,
        *,
        projects: Sequence[str] = (),
        agent: str | None = None,
        by: str | None = None,
    ) -> "Synced":
        """Writes sessions to files below a directory: the given ones and those written there before, or all; with the
        memory of their projects, and of `projects`. What people have edited in the memory files is recorded first, by
        `by`, otherwise by the owner of the file. A memory file that cannot be read is refused, with its line, and
        nothing is recorded or written. Private items and memories are written only if they are this agent's. Files are
        replaced as a whole, and only when they change."""
        from backstory.application.files import sync

        names = [label("projects", name) for name in listed("projects", projects)]
        return sync(self, directory, sessions, agent=agent, editor=by, projects=names)

    def update_tiers(
        self, as_of: datetime | None = None, *, progress: TierProgress | None = None
    ) -> TiersUpdated:
        """Brings the tiers of every open session up to date, as of now or of another time. Only sessions with due items
        are read, and several workers may run at once. `progress` is called with the sessions done so far and the number
        due."""
        return update_store(self._runtime, as_of, progress)

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
        """Reads all events of all sessions after a position, in an order that never changes: no event appears before
        one that was read. `types`, `project` and `actor` filter, `since` and `until` by the time at which events
        occurred. With `contents` each event comes with its texts. The feed ends at the newest event or, with `follow`,
        continues with new events as they are committed, until `close`. To continue where a reader ended, pass its
        `position` as `after`."""
        wanted = EventFilter.of(types, actor, since, until)
        return Feed(
            self._runtime, after=after, wanted=wanted, project=project, contents=contents, follow=follow
        )

    def feed_status(self) -> FeedStatus:
        """The newest position that readers of the feed can reach, the positions of its consumers, and the open
        transaction that the feed waits for."""
        return feed_status(self._runtime)

    def projections(self) -> "tuple[Projection, ...]":
        """The read models, and the positions of those that follow the feed."""
        from backstory.application.feed.projection_list import list_projections
        from backstory.application.jobs.projections import hosted_projections

        return list_projections(self._runtime, hosted_projections(self))

    def check_projections(
        self,
        sessions: Sequence[UUID | str] | None = None,
        *,
        progress: "ProjectionProgress | None" = None,
    ) -> "ProjectionsChecked":
        """Compares the read models of sessions, by default of all, with a fold of the log. Takes no lock. `progress` is
        called with the events read so far and their total."""
        from backstory.application.integrity.projection_check import check_projections

        return check_projections(self._runtime, self._ids(sessions), progress)

    def rebuild_projections(
        self,
        sessions: Sequence[UUID | str] | None = None,
        *,
        afresh: bool = False,
        progress: "ProjectionProgress | None" = None,
    ) -> "ProjectionsRebuilt":
        """Rebuilds the read models of sessions, by default of all, from the log, and returns what differed. Writers are
        not stopped. A run over all sessions that was interrupted continues, unless `afresh`. The role of the store's
        address must own the tables."""
        from backstory.application.rebuild.rebuild import rebuild_projections

        return rebuild_projections(self._runtime, self._ids(sessions), progress, afresh=afresh)

    def jobs(self) -> "list[JobState]":
        """The state of each scheduled job: its newest run, its failures, its next run."""
        from backstory.application.jobs import history, jobs

        return history.states(self._runtime.database, {job.name: job.every for job in jobs.JOBS})

    def job_runs(self, job: str | None = None, *, limit: int = 20) -> "list[RecordedRun]":
        """The newest runs of one scheduled job, or of all, newest first."""
        from backstory.application.jobs import history

        return history.runs(self._runtime.database, None if job is None else label("job", job), limit)

    def activity(
        self, *, since: date | None = None, before: date | None = None, project: str | None = None
    ) -> list[Activity]:
        """Activity by day and project, the newest day first, since a day and before another. It comes from the feed
        projection `activity`, which a ProjectionRunner keeps up to date."""
        return read_activity(self._runtime, since, before, project)

    def set_aside(self, projection: str | None = None) -> list[SetAside]:
        """The events that one feed projection, or any, could not apply and set aside."""
        if projection is not None:
            label("projection", projection)
        return read_set_aside(self._runtime, projection)

    def verify_all(self, *, anchors: "Anchors | None" = None) -> StoreVerification:
        """Verifies every session, and that no row belongs to none. With `anchors` (see `read_anchors`), also that every
        anchored session exists and has its anchored chain."""
        return verify_store(self._runtime, anchors)

    def anchor(
        self,
        file: Path | str,
        sessions: Sequence[UUID | str] | None = None,
        *,
        key: Path | str | None = None,
    ) -> "Anchored":
        """Writes the newest chain hash of these sessions, or of all, to a new signed file. Kept where the database's
        owner cannot change it, it shows a later rewrite or cut. `key` is the file of the private key, else that of
        BACKSTORY_ANCHOR_KEY; it is made if it is not there, and its public key beside it."""
        from backstory.application.anchors.keys import AnchorKey
        from backstory.application.anchors.places import key_path
        from backstory.application.anchors.sessions import anchor_sessions

        path = key_path() if key is None else Path(key)
        return anchor_sessions(self._runtime, Path(file), AnchorKey.load_or_create(path), self._ids(sessions))

    def _ids(self, sessions: Sequence[UUID | str] | None) -> list[UUID] | None:
        if sessions is None:
            return None
        if isinstance(sessions, str | UUID):
            raise InvalidInput("sessions", "must be a list of sessions")
        return [self.find(id) for id in sessions]
