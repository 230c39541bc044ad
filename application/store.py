"""The store: where sessions are started, found and listed."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self
from uuid import UUID

from backstory.application.bootstrap import find_target, make_runtime, prepare, read_settings, standby_url
from backstory.application.contents.reader import ContentReader
from backstory.application.feed.activity import Activity, read_activity
from backstory.application.feed.feed import Feed, FeedStatus, feed_status
from backstory.application.feed.projections import SetAside, read_set_aside
from backstory.application.handle import OpenSession, SessionHandle
from backstory.application.identifiers import find_session, new_session_id, session_id
from backstory.application.integrity.verification import StoreVerification, verify_store
from backstory.application.operations.telemetry import start_traces
from backstory.application.queries.read_models import SessionSummary, read_sessions
from backstory.application.runtime import Runtime
from backstory.application.session import Session
from backstory.application.tiers.tier_updates import Progress as TierProgress, TiersUpdated, update_store
from backstory.application.window.check import AlertHandler
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request
from backstory.domain.commands import facts
from backstory.domain.effects import WindowSettings
from backstory.domain.errors import InvalidInput, SessionDiffers, VersionConflict
from backstory.domain.events import SessionForked, SessionStarted
from backstory.domain.log.guards import Guard
from backstory.domain.values import DEFAULT_ENCODING, LARGEST, MAIN_WINDOW, build, label, listed, whole_number
from backstory.infrastructure.llm.summarizers import Summarizer, summarizer_from_settings
from backstory.infrastructure.llm.tokens import check_encoding
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.standby import reads_only

if TYPE_CHECKING:
    from backstory.application.feed.projection_list import Projection
    from backstory.application.files import Synced
    from backstory.application.integrity.anchors import Anchored, Anchors
    from backstory.application.integrity.projection_check import (
        Progress as ProjectionProgress,
        ProjectionsChecked,
    )
    from backstory.application.integrity.rebuild import ProjectionsRebuilt
    from backstory.application.jobs.history import JobState, RecordedRun
    from backstory.application.queries.resume import Resumed
    from backstory.application.transcripts.files import Progress
    from backstory.application.transfer.export import Exported, Progress as ExportProgress
    from backstory.application.transfer.importer import Imported
    from backstory.application.transfer.purge import Purged
    from backstory.application.transfer.retention import (
        Progress as RetentionProgress,
        RetentionRule,
        RetentionStep,
    )


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
    ) -> Self:
        """Opens a store: on `url`, else on BACKSTORY_DATABASE_URL, else on the embedded Postgres in the user's data
        directory, which an open store starts again when it has died or was stopped. The schema is brought up to date
        first, unless `migrate` is off. Sessions are summed up by `summarizer`, else by the endpoint that the settings
        name, else offline. `on_alert` is called with each alert that a session's `before_call` raises. Calls that only
        read may be answered by a standby at `read_url`, else at BACKSTORY_READ_URL, once it has what this store wrote;
        until then, and while it is away, by the primary."""
        if on_alert is not None and not callable(on_alert):
            raise InvalidInput("on_alert", f"must be callable, got {type(on_alert).__name__}")
        settings = read_settings(pool_size=pool_size, patience=patience, read_url=read_url)
        start_traces(settings)
        target = find_target(url, data_dir)
        found = target.started()
        prepare(found, migrate=migrate)
        database = Database(
            found,
            pool_size=settings.pool_size,
            patience=settings.patience,
            revive=target.started if target.is_embedded else None,
            read_url=standby_url(settings),
        )
        database.open()
        made_by = summarizer or summarizer_from_settings(settings)
        return cls(make_runtime(database, summarizer=made_by, on_alert=on_alert))

    def close(self) -> None:
        """Gives back all connections. The embedded Postgres goes on; `backstory db stop` stops it."""
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
    ) -> Session:
        """Starts a session; `limit`, `encoding` and `model` are its main window's. Under an id that exists already
        nothing is started and the session is returned as it is, so an id of the caller's makes starting idempotent.
        Raises SessionDiffers if that session was started with another title and does not have this one now."""
        stream = new_session_id() if id is None else session_id(id)
        if encoding is not None:
            check_encoding(encoding)
        bundle = ContentBundle()
        window = build(WindowSettings, name=MAIN_WINDOW, limit=limit, encoding=encoding, model=model)
        change = facts.start_session(bundle.optional("title", title), listed("tags", tags), project, window)
        request = Request(bundle, change, Provenance(actor=None if actor is None else label("actor", actor)))
        try:
            self._runtime.append(
                stream,
                [request.pending(change)],
                guard=Guard(expected=0),
                epoch=None,
                kind="session",
                certain=True,
            )
        except VersionConflict:
            return self._started_before(stream, title)
        opened = OpenSession(0, {MAIN_WINDOW: encoding or DEFAULT_ENCODING})
        return Session(SessionHandle(self._runtime, stream, opened))

    def _started_before(self, stream: UUID, title: str | None) -> Session:
        session = self.session(stream)
        if title is None:
            return session
        log = self._runtime.reader.log_of(stream, self._runtime.require_head(stream).version)
        reader, first = ContentReader(self._runtime, log), log[-1].first
        places = {session.state.title} - {None}
        started = reader.events([first])[first].body
        if isinstance(started, SessionStarted | SessionForked) and started.title is not None:
            places.add((first, started.title.part))
        titles = reader.texts(place for place in places if place is not None)
        # A title that was erased cannot be compared.
        if title not in titles.values() and len(titles) == len(places):
            raise SessionDiffers(f"title: session {stream} exists and was started with another title.")
        return session

    def session(self, id: UUID | str) -> Session:
        """Opens a session, by its id or a short form of it: see `find`."""
        stream = self.find(id)
        return Session(SessionHandle.of(self._runtime, stream))

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
        limit: int = 50,
    ) -> list[SessionSummary]:
        """Sessions, the most recently active first."""
        whole_number("limit", limit, minimum=1, maximum=LARGEST)
        for name, wanted in (("project", project), ("status", status), ("tag", tag)):
            if wanted is not None:
                label(name, wanted)
        return read_sessions(self._runtime, project=project, status=status, tag=tag, limit=limit)

    @reads_only
    def summary(self, id: UUID | str) -> SessionSummary:
        """The entry of one session in the list of sessions."""
        stream = self.find(id)
        self._runtime.require_head(stream)
        (summary,) = read_sessions(self._runtime, id=stream, limit=1)
        return summary

    def import_file(
        self,
        path: Path | str,
        *,
        format: str | None = None,
        session: UUID | str | None = None,
        progress: "Progress | None" = None,
    ) -> "tuple[Imported, ...]":
        """Imports a transcript of another tool, of the format `claude-code` or `openhands`: every session in it becomes
        a session here, with an id that follows from the one it has there. Every line is kept exactly as it is: see
        `session.views.imported_lines`. Imported again, only new lines are added; an interrupted import continues where
        it ended. `session` is the id to import to instead, for a file that holds one session. `progress` is
        called with the bytes read so far and those of the file.

        An export of Backstory's own is told by its first line, or by the format `backstory`: see `export`. It is
        verified as a whole before anything is written; its sessions keep their ids, times and chain. What is there
        already is left as it is, and refused as SessionDiffers where it is not the same."""
        from backstory.application.transcripts.files import import_file

        return import_file(self._runtime, path, format=format, session=session, progress=progress)

    def export(
        self,
        sessions: "Sequence[UUID | str] | UUID | str",
        path: Path | str,
        *,
        zstd: bool = False,
        overwrite: bool = False,
        progress: "ExportProgress | None" = None,
    ) -> "Exported":
        """Writes sessions to one file, with those that they were forked from: events, contents, idempotency keys,
        digests of states, the chain. `audit_export` checks such a file with no database, `import_file` brings it into
        another store. The file appears when it is whole; one that is there already is written over only with
        `overwrite`. `progress` is called with the events written so far and those there are."""
        from backstory.application.transfer.export import export

        named = [sessions] if isinstance(sessions, UUID | str) else listed("sessions", sessions)
        return export(self._runtime, named, path, zstd=zstd, overwrite=overwrite, progress=progress)

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
        """Removes a whole session for good, after it was exported to this file and the file was audited. A tombstone
        stays, with the final chain; importing the file brings the session back as it was. Refused while other sessions
        begin in this one, and when something was written to it meanwhile."""
        from backstory.application.transfer.purge import purge

        return purge(
            self._runtime,
            id,
            export,
            without_export=without_export,
            zstd=zstd,
            overwrite=overwrite,
            progress=progress,
        )

    def set_retention(
        self,
        project: str,
        after_days: int | None = None,
        *,
        purge_to: Path | str | None = None,
        erase: bool = False,
        zstd: bool = False,
        by: str | None = None,
    ) -> "RetentionRule":
        """Says what becomes of a project's ended sessions so many days after their last event: they are exported to a
        directory and purged, or their contents are erased. With neither, they are kept. The rule takes the place of the
        one before it, which stays known. `apply_retention` does what the rules say, and workers do that regularly."""
        from backstory.application.transfer.retention import set_rule

        return set_rule(self._runtime, project, after_days, purge_to=purge_to, erase=erase, zstd=zstd, by=by)

    def retention(self, *, history: bool = False) -> "list[RetentionRule]":
        """The retention rules that hold; with `history` every one there was, the newest of each project first."""
        from backstory.application.transfer.retention import read_rules

        return read_rules(self._runtime, everything=history)

    def apply_retention(
        self,
        as_of: datetime | None = None,
        *,
        dry_run: bool = False,
        progress: "RetentionProgress | None" = None,
    ) -> "tuple[RetentionStep, ...]":
        """Does what the retention rules say, and tells of each session that was due. One that cannot be done, such as
        one that others began in, is named with the reason and does not hold up the rest. `progress` is called with the
        sessions looked at so far and those that are due."""
        from backstory.application.transfer.retention import apply_rules

        return apply_rules(self._runtime, as_of, dry_run=dry_run, progress=progress)

    def resume(self, id: UUID | str, *, fork: bool = False) -> "Resumed[Session]":
        """Opens a session to continue, with its goals, its last activity and its next steps. One that had ended is
        opened again; with `fork` it is left as it is, and a fork of its newest version is opened."""
        from backstory.application.queries.resume import resume

        return resume(self._runtime, self.session(id), fork=fork)

    def sync(
        self, directory: Path | str, sessions: Sequence[UUID | str] | None = None, *, agent: str | None = None
    ) -> "Synced":
        """Writes sessions to files below a directory: these and those that are there already, or every one. Private
        items are written for this agent only. Files are replaced as a whole, and only when they change."""
        from backstory.application.files import sync

        return sync(self, directory, sessions, agent=agent)

    def update_tiers(
        self, as_of: datetime | None = None, *, progress: TierProgress | None = None
    ) -> TiersUpdated:
        """Brings the tiers of every open session up to date: for now, or for another moment. Only what is due costs
        anything, and any number of workers may do it at once. `progress` is called with the sessions done so far and
        those that had something due."""
        return update_store(self._runtime, as_of, progress)

    def feed(
        self,
        *,
        after: int = 0,
        types: Collection[str] = (),
        project: str | None = None,
        follow: bool = False,
    ) -> Feed:
        """Every event of every stream after a position, in an order that no reader can skip past: nothing ever appears
        before an event that was read. Of some types, or of the sessions that belong to a project. It ends at the
        present or, to `follow`, goes on with new events as they are committed, until `close`. A reader that goes on
        where another one ended gives its `position` as `after`."""
        return Feed(self._runtime, after=after, types=types, project=project, follow=follow)

    def feed_status(self) -> FeedStatus:
        """How far readers of the feed can come now, how far its consumers have come, and whose open transaction the
        feed waits for."""
        return feed_status(self._runtime)

    def projections(self) -> "tuple[Projection, ...]":
        """The read models that are kept, and how far those come that follow the feed."""
        from backstory.application.feed.projection_list import list_projections

        return list_projections(self._runtime)

    def check_projections(
        self,
        sessions: Sequence[UUID | str] | None = None,
        *,
        progress: "ProjectionProgress | None" = None,
    ) -> "ProjectionsChecked":
        """Holds the read models of these sessions, or of all, against a fold of the log, and names what differs. It
        takes no lock. `progress` is called with the events looked at so far and those there are."""
        from backstory.application.integrity.projection_check import check_projections

        return check_projections(self._runtime, self._ids(sessions), progress)

    def rebuild_projections(
        self,
        sessions: Sequence[UUID | str] | None = None,
        *,
        afresh: bool = False,
        progress: "ProjectionProgress | None" = None,
    ) -> "ProjectionsRebuilt":
        """Makes the read models of these sessions, or of all, anew from the log while writers go on, and says what
        differed. A run over all that was interrupted is gone on with, unless it is to begin `afresh`. It works as
        whoever the store's address logs in, who must own the tables."""
        from backstory.application.integrity.rebuild import rebuild_projections

        return rebuild_projections(self._runtime, self._ids(sessions), progress, afresh=afresh)

    def jobs(self) -> "list[JobState]":
        """How each scheduled job stands: its newest run, its failures, its next turn."""
        from backstory.application.jobs import history, jobs

        return history.states(self._runtime.database, {job.name: job.every for job in jobs.JOBS})

    def job_runs(self, job: str | None = None, *, limit: int = 20) -> "list[RecordedRun]":
        """The newest runs of scheduled jobs, newest first: of one job, or of all."""
        from backstory.application.jobs import history

        return history.runs(self._runtime.database, None if job is None else label("job", job), limit)

    def activity(
        self, *, since: date | None = None, before: date | None = None, project: str | None = None
    ) -> list[Activity]:
        """What was done by day and project, the newest day first: of one project or of all, since a day and before
        another. As far as the feed projection `activity` has come, which a ProjectionRunner keeps up to date."""
        return read_activity(self._runtime, since, before, project)

    def set_aside(self, projection: str | None = None) -> list[SetAside]:
        """The events that feed projections could not apply and went on without: one projection, or all of them."""
        if projection is not None:
            label("projection", projection)
        return read_set_aside(self._runtime, projection)

    def verify_all(self, *, anchors: "Anchors | None" = None) -> StoreVerification:
        """Whether the record of every session is what was written, and nothing is there that belongs to none. With
        `anchors` (see `read_anchors`), also whether every anchored session is there and has the chain it had."""
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
        from backstory.application.integrity.anchor_keys import AnchorKey
        from backstory.application.integrity.anchor_places import key_path
        from backstory.application.integrity.anchoring import anchor_sessions

        path = key_path() if key is None else Path(key)
        return anchor_sessions(self._runtime, Path(file), AnchorKey.load_or_create(path), self._ids(sessions))

    def _ids(self, sessions: Sequence[UUID | str] | None) -> list[UUID] | None:
        if sessions is None:
            return None
        if isinstance(sessions, str | UUID):
            raise InvalidInput("sessions", "must be a list of sessions")
        return [self.find(id) for id in sessions]
