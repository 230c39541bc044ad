"""Commands on a project's memory."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid5

from backstory.domain import events as e
from backstory.domain.effects import Effects, NewItem, Removal, WindowSettings
from backstory.domain.errors import InvalidInput, ItemNotLive, Refused, UnknownItem
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.ranges import from_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.policies.memory import MemoryPolicy
from backstory.domain.records import MemoryNote
from backstory.domain.state import ContextState
from backstory.domain.trust import Trust
from backstory.domain.values import MAIN_WINDOW, build, label, version_number

MEMORY = "memory"
"""The type of item that a memory is."""
PROJECTS = UUID("a39c2a58-9f0c-5b5f-8f0e-6d1f3c1f4b57")
"""The namespace of the ids of projects."""


def project_id(name: str) -> UUID:
    """The id of the project with this name."""
    return uuid5(PROJECTS, label("project", name))


def start_project(name: str) -> Change:
    body = build(e.ProjectStarted, name=name)
    return Change(body, Effects(labels={"project": body.name}, window=WindowSettings(name=MAIN_WINDOW)))


def known_memory(state: ContextState, memory: int, agent: str | None) -> MemoryNote:
    """A memory that an agent may see. Another agent's is as unknown as one that does not exist."""
    version_number("memory", memory)
    note = state.memories.get(memory)
    if note is None or note.agent not in (None, agent):
        raise UnknownItem(f"memory {memory} does not exist in this project.")
    return note


def record_memory(
    state: ContextState, *, item: NewItem, key: str | None, supersedes: Sequence[int], said: dict[str, Any]
) -> Decided:
    """A memory. Those that it supersedes must still hold. An untrusted one supersedes none that is trusted more: of the
    same key, both hold until somebody decides."""
    gone = _holding(state, supersedes, item.agent)
    for memory in gone:
        if _outranks(state, memory, item):
            raise Refused(f"memory {memory} is trusted more than one that is made of untrusted items.")
    if key is not None:
        # Who recorded a memory for everybody does not own it.
        owner = item.agent if item.private else None
        gone += [
            id
            for id, note in state.memories.items()
            if note.left is None
            and (note.key, note.agent) == (key, owner)
            and id not in gone
            and not _outranks(state, id, item)
        ]
    superseded = tuple(sorted(gone))
    body = build(e.MemoryRecorded, key=key, supersedes=superseded, **said)
    removes = (Removal(items=superseded, disposition="superseded"),) if superseded else ()
    # Of two memories with one key, the second sees the first.
    guard = Guard() if key is None else Guard(expected=state.version)
    if superseded and key is None:
        guard = Guard(items=superseded, since=state.version)
    return Decided(Change(body, Effects(brings=item, removes=removes)), guard)


def confirm_memory(state: ContextState, *, memory: int, agent: str | None) -> Decided:
    """A candidate that is a memory like any other from here on."""
    _waiting(state, memory, agent)
    return Decided(Change(e.MemoryConfirmed(memory=memory)), Guard(expected=state.version))


def dismiss_memory(state: ContextState, *, memory: int, agent: str | None, why: ContentRef | None) -> Decided:
    """A candidate that is none any more. What it says is not noticed again."""
    _waiting(state, memory, agent)
    body = build(e.MemoryForgotten, memory=memory, why=why)
    effects = Effects(removes=(Removal(items=(memory,), disposition="dismissed"),))
    return Decided(Change(body, effects), Guard(expected=state.version))


def corroborate_memory(state: ContextState, *, memory: int, sources: Sequence[e.MemorySource]) -> Decided:
    """A memory that further items say."""
    body = build(e.MemoryCorroborated, memory=memory, sources=tuple(sources))
    return Decided(Change(body), Guard(expected=state.version))


def review_session(state: ContextState, *, session: UUID, versions: str, **said: Any) -> Decided:
    """A part of a session that was looked through. Nothing of it may have been looked through before."""
    before = set(from_ranges(state.reviewed.get(str(session), "")))
    if before.intersection(from_ranges(versions)):
        raise Refused(f"something of versions {versions} of session {session} was looked through before.")
    body = build(e.SessionReviewed, session=session, versions=versions, **said)
    return Decided(Change(body), Guard(expected=state.version))


def choose_memory(policy: MemoryPolicy) -> Change:
    """The memory policy of a project. The last choice holds."""
    if not isinstance(policy, MemoryPolicy):
        raise InvalidInput("policy", f"must be a MemoryPolicy, got {type(policy).__name__}")
    return Change(
        build(
            e.PolicyChosen,
            kind=policy.kind,
            name=policy.name,
            version=policy.version,
            settings=policy.settings(),
        )
    )


def _waiting(state: ContextState, memory: int, agent: str | None) -> None:
    note = known_memory(state, memory, agent)
    if note.left is not None or not note.candidate:
        raise ItemNotLive(f"memory {memory} does not wait to be confirmed or dismissed.")


def forget_memory(
    state: ContextState, *, memory: int, agent: str | None, by: int | None, why: ContentRef | None
) -> Decided:
    """A memory that no longer holds, maybe because of another one."""
    (gone,) = _holding(state, [memory], agent)
    if by is not None:
        if by == memory:
            raise InvalidInput("by", "must be another memory")
        _holding(state, [by], agent)
    body = build(e.MemoryForgotten, memory=gone, by=by, why=why)
    removal = Removal(items=(gone,), disposition="forgotten" if by is None else "superseded")
    return Decided(Change(body, Effects(removes=(removal,))), Guard(items=(gone,), since=state.version))


def _outranks(state: ContextState, memory: int, new: NewItem) -> bool:
    held = state.items.get(memory)
    return held is not None and new.own_trust == Trust.UNTRUSTED and held.trust > new.own_trust


def _holding(state: ContextState, memories: Sequence[int], agent: str | None) -> list[int]:
    """The memories, each once, all of which still hold."""
    for memory in memories:
        if known_memory(state, memory, agent).left is not None:
            raise ItemNotLive(f"memory {memory} was superseded or forgotten before.")
    return list(dict.fromkeys(memories))
