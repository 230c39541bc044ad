"""A session: written to, read at any version, backtracked, forked, verified."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar
from uuid import UUID, uuid5

from backstory.application.artifacts.session_artifacts import SessionArtifacts
from backstory.application.branches.branch import backtrack, fork
from backstory.application.branches.diff import Diff, diff_states
from backstory.application.checkpoints.session_checkpoints import SessionCheckpoints
from backstory.application.contents.erasure import Erased, erase
from backstory.application.context.answering import AnswerWriter
from backstory.application.context.build import SessionContexts
from backstory.application.feed.event_filter import EventFilter
from backstory.application.feed.tail import Tail
from backstory.application.handle import SessionHandle, delegated
from backstory.application.identifiers import new_session_id, session_id
from backstory.application.integrity.verification import Verification, verify_session
from backstory.application.items.session_decisions import SessionDecisions
from backstory.application.items.session_items import SessionItems
from backstory.application.memory.session_memory import SessionMemory
from backstory.application.queries.current_context import as_seen
from backstory.application.queries.messages import read_messages
from backstory.application.queries.views import SessionViews
from backstory.application.safety.session_safety import Safety
from backstory.application.search.search import SearchPage, SearchRequest, search_session
from backstory.application.tiers.session_tiers import SessionTiers
from backstory.application.tiers.session_work import SessionWork
from backstory.application.transaction import QueueHandle, Transaction
from backstory.application.triggers.session_triggers import SessionTriggers
from backstory.application.window.check import WindowCheck
from backstory.application.window.session_window import SessionWindow
from backstory.application.writer import Writer
from backstory.application.writing.access import record_access
from backstory.application.writing.append import OPTIMISTIC_ATTEMPTS, pause_before_retry
from backstory.domain.errors import InvalidInput, UnknownVersion, VersionConflict
from backstory.domain.events import Event, SessionBacktracked
from backstory.domain.messages.contents import Message, text_of
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, whole_number
from backstory.infrastructure.postgres.standby import reads_only

if TYPE_CHECKING:
    from backstory.application.anchors.files import Anchors
    from backstory.application.chat import CommandResult
    from backstory.application.tiers.agents import ContextAgent

T = TypeVar("T")


class Session(Writer):
    """One session. It carries the epoch it was opened in: after somebody else's backtrack its writes are refused as
    `BranchMoved` until `refresh`, so nothing lands on a branch its author has not seen."""

    def __repr__(self) -> str:
        return f"<Session {self.id}>"

    # Groups

    @cached_property
    def items(self) -> SessionItems:
        """Saved items: listed, read, loaded, pinned, taken out, brought back."""
        return SessionItems(self._handle)

    @cached_property
    def decisions(self) -> SessionDecisions:
        """Decisions: listed, confirmed, dismissed."""
        return SessionDecisions(self._handle)

    @cached_property
    def work(self) -> SessionWork:
        """Goals, actions, questions, constraints, tasks."""
        return SessionWork(self._handle)

    @cached_property
    def window(self) -> SessionWindow:
        """Windows: configured, watched, made smaller, brought back."""
        return SessionWindow(self._handle)

    @cached_property
    def checkpoints(self) -> SessionCheckpoints:
        """Named versions: created, listed, saved, restored."""
        return SessionCheckpoints(self._handle)

    @cached_property
    def tiers(self) -> SessionTiers:
        """Tiers: brought up to date, and looked up."""
        return SessionTiers(self._handle)

    @cached_property
    def safety(self) -> Safety:
        """What items may do: trusted further, kept out of prompts, cleared of a suspicion."""
        return Safety(self._handle)

    @cached_property
    def memory(self) -> SessionMemory:
        """The memory of the session's project."""
        return SessionMemory(self._handle)

    @cached_property
    def artifacts(self) -> SessionArtifacts:
        """The artifacts of the session's project: loaded, unloaded."""
        return SessionArtifacts(self._handle)

    @cached_property
    def triggers(self) -> SessionTriggers:
        """The triggers of the session's project: fired here, and their record."""
        return SessionTriggers(self._handle)

    @cached_property
    def views(self) -> SessionViews:
        """Documents and lists that are made from the state."""
        return SessionViews(self._handle)

    # Contexts

    context = delegated(SessionContexts, SessionContexts.context)
    reproduce = delegated(SessionContexts, SessionContexts.reproduce)
    saw = delegated(SessionContexts, SessionContexts.saw)
    summarize = delegated(SessionContexts, SessionContexts.summarize)
    answered = delegated(AnswerWriter, AnswerWriter.answered)
    before_call = delegated(WindowCheck, WindowCheck.before_call)

    # Reading

    @property
    def epoch(self) -> int:
        """The number of backtracks when this session was opened or refreshed."""
        return self._handle.epoch

    def refresh(self) -> Self:
        """Accepts the session as it is now, after somebody else's backtrack."""
        self._handle.refresh()
        return self

    @property
    @reads_only
    def state(self) -> ContextState:
        """The newest state. Callers who are limited to an agent do not see other agents' private items in it."""
        return self._seen(self._runtime.reader.state(self.id))

    @property
    @reads_only
    def version(self) -> int:
        """The newest version."""
        return self._runtime.require_head(self.id).version

    @reads_only
    def at(self, version: int) -> ContextState:
        """The state at a version, on any branch."""
        return self._seen(self._runtime.reader.state(self.id, whole_number("version", version)))

    @reads_only
    def events(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        branch: bool = False,
    ) -> Iterator[Event]:
        """The log, oldest first: all of it, abandoned branches included, or with `branch` only the events that lead to
        the newest version. A fork's log begins with its parent's. Others filter: events of some `types`, by an `actor`,
        that occurred at `since` or later and before `until`."""
        chosen = EventFilter.of(types, actor, since, until)
        newest = self.version
        last = newest if upto is None else whole_number("upto", upto)
        if last > newest:
            raise UnknownVersion(f"version {last} does not exist: the session has versions 1 to {newest}.")
        if whole_number("after", after) < 0:
            raise InvalidInput("after", f"must not be negative, got {after}")
        reader = self._runtime.reader
        ranges = reader.lineage(self.id, last) if branch else reader.log_of(self.id, last)
        yield from filter(chosen.includes, reader.events(ranges, after))

    def tail(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Tail:
        """The log after a version and then each event as it is committed, abandoned branches included, until `close` or
        up to a version, filtered as by `events`. It never waits for writers of other sessions."""
        return Tail(
            self,
            self._runtime.database,
            after=after,
            upto=upto,
            wanted=EventFilter.of(types, actor, since, until),
        )

    @reads_only
    def diff(self, from_version: int, to_version: int) -> Diff:
        """The differences between the states at two versions."""
        return diff_states(self.at(from_version), self.at(to_version))

    @reads_only
    def text(self, item: int) -> str:
        """The text of an item: its text parts, one below the other."""
        return text_of(self.items.parts(item))

    @reads_only
    def messages(
        self,
        *,
        format: Literal["openai", "anthropic"] | None = None,
        window: str = MAIN_WINDOW,
        at: int | None = None,
        last: int | None = None,
    ) -> list[dict[str, Any]] | list[Message]:
        """The live conversation of a window, now or at a version: neutral messages, or a provider's own. With `last`,
        only that many of the newest messages and tool exchanges. Messages of which something was erased are left out;
        results that the window shows as stubs are stubs here."""
        return read_messages(self._handle, format, window, at, last)

    @reads_only
    def search(
        self,
        query: str,
        *,
        agent: str | None = None,
        types: Collection[str] = (),
        speaker: str | None = None,
        since: datetime | None = None,
        before: datetime | None = None,
        at: int | None = None,
        abandoned: bool = False,
        quarantined: bool = False,
        limit: int = 20,
        after: str | None = None,
        record: bool = True,
    ) -> SearchPage:
        """Finds items by their words, best first, whether they are still in a window or not: all that was recorded up
        to the newest version or to `at`, with `abandoned` also on branches that were left, with `quarantined` also what
        is in quarantine. `agent`, by default the
        caller, sees its own private items and nobody else's. `types`, `speaker` (a name or a role), `since` and
        `before` choose among what is found. `after` is the `next` of the page before. What an agent finds is accessed,
        unless `record` is off."""
        request = SearchRequest(
            query=query,
            agent=self._handle.actor if agent is None else agent,
            types=types,
            speaker=speaker,
            since=since,
            before=before,
            abandoned=abandoned,
            quarantined=quarantined,
            limit=limit,
            after=after,
        )
        page = search_session(self._runtime, self.id, request, at)
        if record and request.agent is not None:
            finder = self._handle.with_(actor=self._handle.actor or request.agent)
            record_access(finder, [hit.item for hit in page.hits if not hit.abandoned], "found")
        return page

    def verify(self, *, anchors: "Anchors | Mapping[int, str] | None" = None) -> Verification:
        """Checks that the record is what was written: chain, versions, contents, read models, snapshots. `anchors` are
        chain hashes that were kept outside the database: by version (see `Verification.chain`), or from files (see
        `read_anchors`)."""
        return verify_session(self._runtime, self.id, anchors)

    # Branches

    def backtrack(self, to: int, why: str) -> int:
        """Makes the state at an earlier version current again. Returns the version of the backtrack. Nothing is
        deleted: backtracking to a version of the abandoned branch brings it back."""
        return backtrack(self._handle, to, why)

    def redo(self, why: str = "redo") -> int:
        """Takes back the newest backtrack that was not taken back yet; called again, the one before it."""
        standing: list[int] = []
        for event in self.events(types=(SessionBacktracked.type,)):
            assert isinstance(event.body, SessionBacktracked)
            if standing and event.body.to == standing[-1]:
                standing.pop()
            else:
                standing.append(event.body.abandoned)
        if not standing:
            raise InvalidInput("redo", "there is no backtrack to take back")
        return self.backtrack(standing[-1], why)

    def fork(
        self,
        at: int | None = None,
        *,
        id: UUID | str | None = None,
        title: str | None = None,
        why: str | None = None,
    ) -> "Session":
        """Begins another session with this one's history up to a version. No event is copied. Repeated under the same
        id or key, it returns the same fork."""
        key = self._handle.key
        child = (
            session_id(id) if id is not None else uuid5(self.id, key) if key is not None else new_session_id()
        )
        version = None if at is None else whole_number("at", at)
        fork(self._runtime, self.id, version, child, self._handle.provenance, why=why, title=title)
        return Session(SessionHandle.of(self._runtime, child))

    # Writing

    def atomic(self) -> Transaction:
        """Changes that are committed together when the block ends: ``with session.atomic() as tx: …``"""
        return Transaction(QueueHandle.on(self._handle))

    def atomically(self, work: Callable[[Transaction], T], attempts: int = 4 * OPTIMISTIC_ATTEMPTS) -> T:
        """Runs `work` on a transaction and commits; again from the start when the state that it read has changed."""
        for number in range(whole_number("attempts", attempts, minimum=1)):
            if number:
                time.sleep(pause_before_retry(number))
            try:
                with self.atomic() as transaction:
                    return work(transaction)
            except VersionConflict as conflict:
                last = conflict
        raise last

    def command(self, text: str) -> "CommandResult":
        """Runs a chat command, such as ``/set_goal Add login``. A command that cannot be done is answered in words and
        changes nothing; a text that is no command raises InvalidInput. A command is in the user's own words, unless
        `of_origin` says otherwise."""
        from backstory.application.chat import run_command

        said = self if self._handle.provenance.origin is not None else self.of_origin("user")
        return run_command(said, text)

    def end(self, why: str | None = None) -> int:
        """Closes the session. It is kept, and takes no new items until `resume`. Its project remembers it, unless the
        project's `MemoryPolicy` says otherwise. If BACKSTORY_SYNC_DIR names a folder, its files are written there."""
        from backstory.application.archive.due import archive_ended
        from backstory.application.files.live import sync_ended

        version = super().end(why)
        archive_ended(self._runtime, self.id)
        sync_ended(self._runtime, self.id)
        return version

    def resume(self) -> int:
        """Opens an ended session again, and brings the tiers up to date."""
        version = super().resume()
        self.tiers.update()
        return version

    def erase(
        self,
        item: int,
        why: str,
        *,
        everywhere: bool = False,
        keep_derived: bool = False,
        dry_run: bool = False,
    ) -> Erased:
        """Erases the content of an item for good; every proof still holds. Noticed decisions, summaries, compactions
        and memories that were made from it go with it, here, in forks and in projects, unless `keep_derived`. Equal
        contents over 1 KB in this session are stored once and go together; shorter ones stay unless `everywhere`. Forks
        read inherited contents here, so they lose them too. If BACKSTORY_SYNC_DIR names a folder, its files that showed
        any of it are written again."""
        from backstory.application.files.live import erased_from_files

        done = erase(
            self._runtime,
            self.id,
            item,
            why,
            self._handle.provenance,
            everywhere=everywhere,
            dry_run=dry_run,
            keep_derived=keep_derived,
        )
        return erased_from_files(self._runtime, done, dry_run=dry_run)

    def agent(self, name: str) -> "ContextAgent":
        """This session for one agent: what it saves is private to it, and it sees that and shared items."""
        from backstory.application.tiers.agents import ContextAgent

        return ContextAgent(self.by(name))

    def _seen(self, state: ContextState) -> ContextState:
        only = self._runtime.caller.agent
        if only is None:
            return state
        return as_seen(state, lambda private, agent: not private or agent == only)
