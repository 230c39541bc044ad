"""Backtracking and forking: events that go on from another version than the one before them."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

import psycopg

from backstory.core import Core
from backstory.domain.commands import items
from backstory.domain.effects import Resume
from backstory.domain.errors import InvalidInput, UnknownVersion, VersionConflict
from backstory.domain.guards import Guard
from backstory.domain.state import ContextState
from backstory.drafts import Draft
from backstory.infrastructure.appending import Appended, Root
from backstory.infrastructure.database import hold_stream
from backstory.projections.base_rows import base_rows
from backstory.requests import Provenance, Request, key_of


def backtrack(core: Core, stream: UUID, to: int, why: str, provenance: Provenance, epoch: int) -> Appended:
    """Makes the state at a version current again."""
    if isinstance(to, bool) or not isinstance(to, int):
        raise InvalidInput("to", f"must be a version, got {to!r}")
    draft = Draft()
    reason = draft.text("why", why)
    request = Request(draft, partial(items.backtrack, to=to, why=reason), provenance)
    key = key_of([request], provenance.key)
    if (known := core.known_append(stream, key)) is not None:
        return known

    def decide() -> Callable[[psycopg.Connection], Appended]:
        """The append for the session as it is now. All reading is done before a connection is taken for it: who
        holds one must not wait for another."""
        head = core.require_head(stream)
        if to < 1 or to > head.version:
            raise UnknownVersion(
                f"cannot backtrack to version {to}: the session has versions 1 to {head.version}."
            )
        if to == head.version:
            raise InvalidInput("to", f"version {to} is the current one; there is nothing to backtrack")
        resumed = core.reader.state(stream, to)
        root = root_of(core, stream, resumed)
        decided = items.backtrack(
            ContextState(stream, version=head.version),
            to=to,
            resumes=Resume(stream=resumed.stream, version=to),
            status=resumed.status,
            why=reason,
        )
        event = request.pending(decided.change)
        return lambda connection: core.append_seam(
            connection,
            stream,
            event,
            resumed.copy(),
            guard=decided.guard,
            epoch=epoch,
            key=key,
            kind=None,
            root=root,
        )

    def locked(connection: psycopg.Connection) -> Appended:
        return decide()(connection)

    return core.insist(
        stream,
        lambda: core.database.repeat(decide(), certain=key is not None),
        locked,
        certain=key is not None,
    )


def fork(
    core: Core,
    parent: UUID,
    at: int | None,
    child: UUID,
    provenance: Provenance,
    *,
    why: str | None,
    title: str | None,
) -> None:
    """Begins a session whose history is another's up to a version. One that began so already is left as it is."""
    state = core.reader.state(parent, at)
    owner = state.stream
    chain = core.log.chain_at(owner, state.version)
    assert chain is not None
    draft = Draft()
    change = items.fork(
        parent=owner,
        at=state.version,
        why=draft.optional("why", why),
        title=draft.optional("title", title),
    )
    event = Request(draft, change, provenance).pending(change)
    root = Root(chain=chain, base=base_rows(state, core.reader.lineage(owner, state.version)))

    def attempt(connection: psycopg.Connection) -> None:
        with connection.transaction():
            hold_stream(connection, owner)
            core.append_seam(
                connection,
                child,
                event,
                state.copy(),
                guard=Guard(expected=state.version),
                epoch=None,
                key=None,
                kind="session",
                root=root,
            )

    try:
        core.database.repeat(attempt, certain=True)
        core.database.announcer.appended(child)
    except VersionConflict:
        seams = core.log.seams(child)
        began = seams[0] if seams and seams[0].resumed_stream != child else None
        if began is None or (began.resumed_stream, at or began.resumed_version) != (
            owner,
            began.resumed_version,
        ):
            raise InvalidInput("id", f"{child} is another session already") from None


def root_of(core: Core, stream: UUID, resumed: ContextState) -> Root:
    """What the read models of a branch begin with, when it began in another stream than its own."""
    branch = core.reader.lineage(resumed.stream, resumed.version)
    foreign = [place for place, piece in enumerate(branch) if piece.stream != stream]
    if not foreign:
        return Root()
    last = branch[foreign[-1]]
    state = (
        resumed
        if (last.stream, last.last) == (resumed.stream, resumed.version)
        else core.reader.state(last.stream, last.last)
    )
    return Root(base=base_rows(state, core.reader.lineage(last.stream, last.last)))
