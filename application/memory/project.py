"""A project: its memory, which outlives sessions."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from backstory.application.archive.archive import Archived
from backstory.application.archive.due import archive_sessions
from backstory.application.archive.policy import memory_policy
from backstory.application.artifacts.project_artifacts import ProjectArtifacts
from backstory.application.contents.erasure import Erased, erase
from backstory.application.handle import SessionHandle
from backstory.application.integrity.verification import Verification, verify_session
from backstory.application.memory.memories import Memory, MemoryFilter, MemoryPage, MemoryReader, page_of
from backstory.application.memory.recall import RecallPage, recall
from backstory.application.memory.remember import lost_source, memory_request, require_sources
from backstory.application.memory.streams import newest_version, start_if_new
from backstory.application.queries.decision_records import RecordedDecision, project_decisions
from backstory.application.runtime import Runtime
from backstory.application.safety.project_safety import ProjectSafety
from backstory.application.triggers.project_triggers import ProjectTriggers
from backstory.application.writing.access import record_access
from backstory.domain.commands.memory import (
    choose_memory,
    confirm_memory,
    dismiss_memory,
    forget_memory,
    known_memory,
)
from backstory.domain.errors import UnknownItem
from backstory.domain.events import Event, FilesRecorded
from backstory.domain.memory.values import MemoryDraft, Source
from backstory.domain.policies.memory import MemoryPolicy
from backstory.domain.state import ContextState
from backstory.domain.trust import Origin, checked_origin
from backstory.domain.values import LARGEST, aware, build, label, listed, version_number, whole_number
from backstory.infrastructure.postgres.standby import reads_only

if TYPE_CHECKING:
    from backstory.application.anchors.files import Anchors


class Project:
    """A project's memory: a stream of its own, with the same log, proofs and replay as a session. It is made when it
    is first written to.

    Who writes, when and why is named first: ``project.by("planner").once("request-7").remember("…")``.
    """

    def __init__(self, handle: SessionHandle, name: str) -> None:
        self._handle = handle
        self._name = name

    def __repr__(self) -> str:
        return f"<Project {self.name!r}>"

    @property
    def _runtime(self) -> Runtime:
        return self._handle.runtime

    @property
    def name(self) -> str:
        """The project's name, the one that sessions belong to it by."""
        return self._name

    @property
    def id(self) -> UUID:
        """The project's id, which follows from its name."""
        return self._handle.id

    def by(self, actor: str) -> Self:
        """The same project, written to by this agent or person."""
        return self._with(actor=label("actor", actor))

    def once(self, key: str) -> Self:
        """The same project; the next write has this idempotency key. Repeated under it, it returns the first result."""
        return self._with(key=label("key", key))

    def occurred(self, at: datetime) -> Self:
        """The same project, for what was known at another time than now."""
        return self._with(occurred_at=aware("occurred_at", at))

    def of_origin(self, origin: Origin) -> Self:
        """The same project, for memories that come from a user, a model, a tool, a document or an import. Without it
        they are a model's."""
        return self._with(origin=checked_origin(origin))

    def _with(self, **changes: Any) -> Self:
        return type(self)(self._handle.with_(**changes), self.name)

    @cached_property
    def safety(self) -> ProjectSafety:
        """What memories may do: trusted further, kept out of prompts; and the rules for suspicious texts."""
        return ProjectSafety(self._handle, self.name)

    @cached_property
    def artifacts(self) -> ProjectArtifacts:
        """The project's artifacts: its folder, and what is registered."""
        return ProjectArtifacts(self._handle, self.name)

    @cached_property
    def triggers(self) -> ProjectTriggers:
        """The project's triggers: set, checked, tried on recorded sessions."""
        return ProjectTriggers(self._handle, self.name)

    # Writing

    def remember(
        self,
        text: str,
        *,
        kind: str = "note",
        title: str | None = None,
        details: Mapping[str, Any] | None = None,
        entities: Sequence[str] = (),
        agent: str | None = None,
        importance: float | None = None,
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        sources: Sequence[Source] = (),
        key: str | None = None,
        supersedes: Sequence[int] = (),
        keep_secrets: bool = False,
    ) -> int:
        """Records a memory. Returns its id. `kind` is note, preference, knowledge, lesson, decision or fragment. With
        `agent` it is that agent's own: nobody else finds it. It holds from `valid_from` to before `valid_until`.
        `sources` are the items that it was made from: erasing one of them erases it. Secrets in it are masked, unless
        `keep_secrets`. It supersedes the memories in
        `supersedes` and, with a `key`, the one before it with the same key and agent; they stay readable as of the time
        before."""
        draft = build(
            MemoryDraft,
            kind=kind,
            text=text,
            title=title,
            details=None if details is None else dict(details),
            entities=listed("entities", entities),
            agent=None if agent is None else self._asker(agent),
            importance=importance,
            valid_from=valid_from,
            valid_until=valid_until,
            sources=listed("sources", sources),
            key=key,
            supersedes=listed("supersedes", supersedes),
            keep_secrets=keep_secrets,
        )
        request = memory_request(self._handle, draft)
        require_sources(self._runtime, draft.sources)
        start_if_new(self._handle, self.name)
        memory = self._handle.submit(request)
        # An erasure that came between has not seen the memory.
        if lost_source(self._runtime, draft.sources):
            self.erase(memory, "its source was erased")
        return memory

    def supersede(self, /, memory: int, text: str, *, agent: str | None = None, **fields: Any) -> int:
        """Records a memory in place of one that no longer holds, of the same kind and agent unless said otherwise.
        Further fields are those of `remember`. Returns the id of the new one."""
        note = known_memory(self._newest(), memory, self._asker(agent))
        told = {"kind": note.kind, "agent": note.agent, "key": note.key, **fields}
        return self.remember(text, supersedes=[memory], **told)

    def forget(
        self, memory: int, why: str | None = None, *, by: int | None = None, agent: str | None = None
    ) -> int:
        """Marks a memory as one that no longer holds, maybe because of another one (`by`). It is found no more, and
        stays readable as of the time before. `erase` removes its words for good."""
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        self._newest()
        asker = self._asker(agent)
        return self._handle.command(
            bundle, partial(forget_memory, memory=memory, agent=asker, by=by, why=ref)
        )

    def erase(
        self,
        memory: int,
        why: str,
        *,
        everywhere: bool = False,
        keep_derived: bool = False,
        dry_run: bool = False,
    ) -> Erased:
        """Erases the words of a memory for good, and those of memories that were made from it, unless `keep_derived`.
        Every proof still holds; see `Session.erase`. `memory` may also be the version of a `files.recorded`: the texts
        of files that contexts of tasks have shown."""
        from backstory.application.files.live import erased_from_files

        if not self._holds_files(memory):
            known_memory(self._newest(), memory, self._owner(memory))
        done = erase(
            self._runtime,
            self.id,
            memory,
            why,
            self._handle.provenance,
            everywhere=everywhere,
            dry_run=dry_run,
            keep_derived=keep_derived,
        )
        return erased_from_files(self._runtime, done, dry_run=dry_run)

    def confirm(self, memory: int, *, agent: str | None = None) -> int:
        """Makes a candidate a memory like any other. It is trusted as far as its sources: `safety.confirm` raises
        that."""
        self._newest()
        return self._handle.command(
            self._handle.bundle(), partial(confirm_memory, memory=memory, agent=self._asker(agent))
        )

    def dismiss(self, memory: int, why: str | None = None, *, agent: str | None = None) -> int:
        """Dismisses a candidate. What it says is not noticed again, unless it is said anew."""
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        self._newest()
        said = partial(dismiss_memory, memory=memory, agent=self._asker(agent), why=ref)
        return self._handle.command(bundle, said)

    def choose(self, policy: MemoryPolicy) -> int:
        """Sets the policy by which sessions of this project become memory from here on. It is recorded with its
        numbers."""
        change = choose_memory(policy)
        start_if_new(self._handle, self.name)
        return self._handle.write(self._handle.bundle(), change)

    def archive(self) -> list[Archived]:
        """Makes memories of all sessions of the project, as far as none were made of them yet, oldest first: see
        `SessionMemory.archive`. Returns what was made of those that had something left."""
        return archive_sessions(self._runtime, self.name, self._handle.provenance)

    # Reading

    @property
    @reads_only
    def policy(self) -> MemoryPolicy:
        """The policy by which sessions of this project become memory."""
        return memory_policy(self._runtime, self.name)

    @reads_only
    def recall(
        self,
        query: str,
        *,
        kinds: Collection[str] = (),
        agent: str | None = None,
        entity: str | None = None,
        tier: str | None = None,
        since: datetime | None = None,
        before: datetime | None = None,
        as_of: datetime | None = None,
        past: bool = False,
        quarantined: bool = False,
        limit: int = 20,
        after: str | None = None,
        record: bool = True,
    ) -> RecallPage:
        """Finds memories by their words, best first, whoever recorded them in whichever session. `agent`, by default
        the caller, finds its own, too, and nobody else's. With `as_of` it answers by what the project knew then, and
        what held then; with `past` also by what no longer holds, with `quarantined` also by what is in quarantine.
        `kinds`, `entity`, `tier`, `since` and `before` choose among what is found. `after` is the `next` of the page
        before. What an agent finds is accessed, unless `record` is off."""
        wanted = MemoryFilter(
            agent=self._asker(agent),
            kinds=kinds,
            entity=entity,
            tier=tier,
            since=since,
            before=before,
            as_of=as_of,
            past=past,
            quarantined=quarantined,
        )
        page = recall(self._runtime, self.id, query, wanted, limit, after)
        if record and wanted.agent is not None:
            finder = self._handle.with_(actor=self._handle.actor or wanted.agent, occurred_at=None)
            holding = [one.memory.id for one in page.found if one.memory.left_at is None]
            record_access(finder, holding, "found")
        return page

    @reads_only
    def memories(
        self,
        *,
        kinds: Collection[str] = (),
        agent: str | None = None,
        entity: str | None = None,
        tier: str | None = None,
        since: datetime | None = None,
        before: datetime | None = None,
        as_of: datetime | None = None,
        past: bool = False,
        quarantined: bool = False,
        candidates: bool = False,
        limit: int = 50,
        after: int | None = None,
    ) -> MemoryPage:
        """The project's memories, the newest first, chosen as by `recall`. With `candidates`, those that wait to be
        confirmed or dismissed, and no others."""
        wanted = MemoryFilter(
            agent=self._asker(agent),
            kinds=kinds,
            entity=entity,
            tier=tier,
            since=since,
            before=before,
            as_of=as_of,
            past=past,
            quarantined=quarantined,
            candidates=candidates,
        )
        whole_number("limit", limit, minimum=1, maximum=LARGEST)
        if after is not None:
            version_number("after", after)
        version = newest_version(self._runtime, self.id)
        if not version:
            return MemoryPage((), None)
        reader = MemoryReader(self._runtime, self.id, self._runtime.reader.past(self.id, version))
        return page_of(reader, reader.chosen(wanted), limit, after)

    @reads_only
    def memory(self, id: int, *, agent: str | None = None) -> Memory:
        """One memory with its sources, also one that no longer holds."""
        state = self._newest()
        known_memory(state, id, self._asker(agent))
        (found,) = MemoryReader(self._runtime, self.id, state).read([id])
        return found

    @reads_only
    def history(self, id: int, *, agent: str | None = None) -> list[Memory]:
        """What was superseded on the way to a memory and what superseded it, oldest first."""
        state, asker = self._newest(), self._asker(agent)
        known_memory(state, id, asker)
        found, waiting = set[int](), [id]
        while waiting:
            one = waiting.pop()
            found.add(one)
            after = state.memories[one].by
            before = [other for other, note in state.memories.items() if note.by == one]
            waiting += [other for other in (*before, *([after] if after else [])) if other not in found]
        seen = sorted(one for one in found if state.memories[one].agent in (None, asker))
        return MemoryReader(self._runtime, self.id, state).read(seen)

    @reads_only
    def decisions(self, *, limit: int = 50, after: str | None = None) -> list[RecordedDecision]:
        """The decisions of all sessions of the project, the newest first. `after` is the `place` of the last one
        before."""
        return project_decisions(self._runtime, self.name, after=after, limit=limit)

    @property
    @reads_only
    def state(self) -> ContextState:
        """The newest state: its `memories` are those that hold and those that held."""
        return self._runtime.reader.state(self.id)

    @property
    @reads_only
    def version(self) -> int:
        """The newest version; 0 where nothing was written yet."""
        return newest_version(self._runtime, self.id)

    @reads_only
    def at(self, version: int) -> ContextState:
        """The state at a version."""
        return self._runtime.reader.state(self.id, whole_number("version", version))

    @reads_only
    def events(self, *, after: int = 0, types: Collection[str] = ()) -> Iterator[Event]:
        """The project's log after a version, oldest first: all of it, or events of some `types`."""
        wanted = {label("types", type_) for type_ in listed("types", types)}
        whole_number("after", after, minimum=0)
        newest = newest_version(self._runtime, self.id)
        if newest:
            reader = self._runtime.reader
            for event in reader.events(reader.log_of(self.id, newest), after):
                if not wanted or event.type in wanted:
                    yield event

    def verify(self, *, anchors: "Anchors | Mapping[int, str] | None" = None) -> Verification:
        """Checks that the record is what was written; see `Session.verify`."""
        return verify_session(self._runtime, self.id, anchors)

    # Steps

    def _asker(self, agent: str | None) -> str | None:
        """The named agent, else the one who writes here."""
        return self._handle.actor if agent is None else self._runtime.agent(label("agent", agent))

    def _newest(self) -> ContextState:
        """The newest state, to be read."""
        version = newest_version(self._runtime, self.id)
        if not version:
            raise UnknownItem(f"project {self.name!r} has no memory yet.")
        return self._runtime.reader.past(self.id, version)

    def _holds_files(self, version: int) -> bool:
        """Whether a version recorded texts of files."""
        if not 1 <= version_number("memory", version) <= self.version:
            return False
        found = self._runtime.log.rows_at(self.id, [version])
        return any(row.topic == FilesRecorded.type for row in found)

    def _owner(self, memory: int) -> str | None:
        """The agent whose memory it is. Whoever may erase may erase everybody's."""
        note = self._newest().memories.get(memory)
        return None if note is None else note.agent
