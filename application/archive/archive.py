"""A session made into memory.

What is made of a part of a session is appended to the project together with the event that the part was looked through,
under the project's exact version. So no part is made into memory twice, however many workers try, and a crash leaves
all of it or nothing: the next one to look finds the part open still.
"""

import time
from collections.abc import Iterator, Sequence
from operator import add
from typing import Literal, NamedTuple
from uuid import UUID

from backstory.application.archive.drafts import Draft, drafts_of
from backstory.application.archive.known import Again, KnownMemories, NewMemory
from backstory.application.archive.material import Material, material_of
from backstory.application.archive.parts import Part, open_parts, part_of
from backstory.application.archive.policy import memory_policy
from backstory.application.archive.requests import again_requests, new_request, review_request
from backstory.application.archive.stale import forget_requests
from backstory.application.contents.erasure import erase
from backstory.application.handle import SessionHandle
from backstory.application.memory.remember import lost_source
from backstory.application.memory.streams import newest_version, project_handle, start_if_new
from backstory.application.queries.read_models import require_items
from backstory.application.runtime import Runtime
from backstory.application.writing.append import decide_and_append, pause_before_retry
from backstory.application.writing.requests import Provenance, Request
from backstory.domain.errors import Refused, VersionConflict
from backstory.domain.policies.memory import MemoryPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import LARGEST

Because = Literal["asked", "ended", "messages"]
ATTEMPTS = 20
"""Attempts to append to a project that others write to."""


class Archived(NamedTuple):
    """What was made of a session."""

    project: str
    """The project that remembers it."""
    session: UUID
    """The session."""
    parts: int
    """The parts of the session that were looked through."""
    fragments: tuple[int, ...]
    """The fragments."""
    memories: tuple[int, ...]
    """The other memories."""
    candidates: tuple[int, ...]
    """What waits to be confirmed or dismissed."""
    corroborated: tuple[int, ...]
    """Memories that the project had already, and that the session says again."""
    superseded: tuple[int, ...]
    """Memories that no longer hold: what the session says contradicts them, or it went back before it said them."""


class Verdict(NamedTuple):
    """Whether what was not made into memory yet becomes a fragment by the policy."""

    worth: bool
    """Whether there is enough in it."""
    messages: int
    decisions: int
    important: int
    """Messages that are important by the policy."""
    every: int
    """The number of messages after which a part of the session becomes a fragment."""


class Archiver:
    """Makes memories of one session."""

    def __init__(self, handle: SessionHandle, because: Because) -> None:
        self._runtime: Runtime = handle.runtime
        self._session = handle.id
        self._because = because
        self._provenance = handle.provenance
        with self._runtime.reader.borrow(handle.id) as state:
            name = state.labels.get("project")
        if name is None:
            raise Refused(
                "the session belongs to no project: start it with one, or call `details.set_project`."
            )
        self._name: str = name
        self._policy: MemoryPolicy = memory_policy(self._runtime, name)
        self._project = project_handle(self._runtime, name)
        self._project.provenance = Provenance(actor=handle.provenance.actor)

    @property
    def policy(self) -> MemoryPolicy:
        """The policy that it goes by."""
        return self._policy

    def verdict(self) -> Verdict:
        """Whether the rest of the session would become a fragment."""
        state = self._newest()
        parts = open_parts(self._runtime, self._session, state, self._known(), every=LARGEST, rest=True)
        read = [material_of(self._runtime, self._session, state, part) for part in parts]
        messages = sum(len(material.said) for material in read)
        decisions = sum(len(material.decisions) for material in read)
        important = sum(material.important(self._policy.important) for material in read)
        worth = self._policy.should_archive(messages, decisions, important)
        return Verdict(worth, messages, decisions, important, self._policy.archive_every)

    def archive(self, title: str | None = None, items: Sequence[int] = ()) -> Archived:
        """Makes memories of what none were made of yet: all of it, or whole parts alone where enough messages are the
        reason. With `items` it makes one fragment of these, and looks through nothing."""
        state = self._newest()
        if items:
            rows = require_items(self._runtime, self._session, items, "items")
            return self._append_part(
                state, part_of(self._runtime, self._session, rows), title, True, topic=True
            )
        done = Archived(self._name, self._session, 0, (), (), (), (), ())
        whole = not (known := self._known()) or str(self._session) not in known.reviewed
        parts = self._open(state, known)
        for number, part in enumerate(parts):
            given = (
                title if title is None or len(parts) == 1 else f"{title}, part {number + 1} of {len(parts)}"
            )
            try:
                more = self._append_part(state, part, given, whole and len(parts) == 1)
            except Refused:
                # Somebody else looked through some of it meanwhile: the rest is theirs, too, or comes next time.
                break
            done = _sum(done, more)
        return done

    def _open(self, state: ContextState, known: ContextState | None) -> list[Part]:
        rest = self._because != "messages"
        every = self._policy.archive_every
        return open_parts(self._runtime, self._session, state, known, every=every, rest=rest)

    def _append_part(
        self, state: ContextState, part: Part, title: str | None, whole: bool, *, topic: bool = False
    ) -> Archived:
        material = material_of(self._runtime, self._session, state, part)
        # The model is asked once, however often the append is repeated.
        drafts = self._drafts(state, material, title, whole, topic)
        start_if_new(self._project, self._name)
        for number in range(ATTEMPTS):
            known = self._known()
            assert known is not None
            try:
                return self._append(state, part, material, drafts, known, topic)
            except VersionConflict:
                if number == ATTEMPTS - 1:
                    raise
            time.sleep(pause_before_retry(number))
        raise AssertionError

    def _drafts(
        self, state: ContextState, material: Material, title: str | None, whole: bool, topic: bool
    ) -> list[Draft]:
        drafts = drafts_of(
            self._runtime,
            self._session,
            state,
            material,
            self._policy,
            title=title,
            asked=self._because == "asked",
            whole=whole,
        )
        return [draft for draft in drafts if not topic or draft.memory.kind == "fragment"]

    def _append(
        self,
        state: ContextState,
        part: Part,
        material: Material,
        drafts: Sequence[Draft],
        known: ContextState,
        topic: bool,
    ) -> Archived:
        new, again = KnownMemories(self._runtime, self._project.id, known).settled(drafts)
        if topic and not new:
            raise Refused("these items say nothing that a fragment could tell.")
        stale, forgets = forget_requests(self._project, self._session, state, known)
        requests = [
            *([] if topic else [self._review(material, part, new)]),
            *again_requests(self._project, again),
            *forgets,
        ]
        before = len(requests)
        policy = None if self._because == "asked" else f"{self._policy.name}/{self._policy.version}"
        requests += [new_request(self._project, one, self._policy, policy) for one in new]
        done = decide_and_append(
            self._runtime,
            self._project.id,
            requests,
            epoch=self._project.epoch,
            key=None,
            read_at=known.version,
        )
        ids = dict(enumerate(range(done.first_version + before, done.last_version + 1)))
        self._erase_lost(new, ids)
        return _told(self._name, self._session, new, ids, again, stale, topic)

    def _review(self, material: Material, part: Part, new: Sequence[NewMemory]) -> Request:
        return review_request(
            self._project.with_(occurred_at=material.ended if material.times else None),
            session=self._session,
            versions=part.ranges,
            messages=len(part.conversation),
            because=self._because,
            fragment=any(one.draft.memory.kind == "fragment" for one in new),
            policy=f"{self._policy.name}/{self._policy.version}",
        )

    def _erase_lost(self, new: Sequence[NewMemory], ids: dict[int, int]) -> None:
        """An erasure that came between has not seen the memories."""
        for place, one in enumerate(new):
            if lost_source(self._runtime, one.sources):
                erase(
                    self._runtime,
                    self._project.id,
                    ids[place],
                    "its source was erased",
                    self._project.provenance,
                    everywhere=False,
                    dry_run=False,
                )

    def _newest(self) -> ContextState:
        head = self._runtime.require_session(self._session)
        return self._runtime.reader.past(self._session, head.version)

    def _known(self) -> ContextState | None:
        version = newest_version(self._runtime, self._project.id)
        return self._runtime.reader.past(self._project.id, version) if version else None


def _told(
    name: str,
    session: UUID,
    new: Sequence[NewMemory],
    ids: dict[int, int],
    again: Sequence[Again],
    stale: Sequence[int],
    topic: bool,
) -> Archived:
    def chosen(fragment: bool, candidate: bool) -> Iterator[int]:
        for place, one in enumerate(new):
            if (one.draft.memory.kind == "fragment") == fragment and one.candidate == candidate:
                yield ids[place]

    return Archived(
        name,
        session,
        0 if topic else 1,
        tuple(chosen(True, False)),
        tuple(chosen(False, False)),
        tuple(chosen(False, True)),
        tuple(dict.fromkeys(one.memory for one in again)),
        (*stale, *(id for one in new for id in one.supersedes)),
    )


def _sum(one: Archived, other: Archived) -> Archived:
    return Archived(one.project, one.session, *map(add, one[2:], other[2:]))
