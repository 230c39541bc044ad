"""Backtracking and forking: events that go on from another version than the one before them."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

import psycopg

from backstory.core import Core
from backstory.domain.commands import items
from backstory.domain.effects import Resume
from backstory.domain.errors import InvalidInput, UnknownVersion
from backstory.domain.state import ContextState
from backstory.drafts import Draft
from backstory.infrastructure.log import Appended, Root
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
) -> Appended:
    """Begins a session whose history is another's up to a version."""
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
    request = Request(draft, change, provenance)
    branch = core.reader.lineage(owner, state.version)
    decided = request.decide(None)
    root = Root(chain=chain, base=base_rows(state, branch))
    key = key_of([request], provenance.key)

    def attempt(connection: psycopg.Connection) -> Appended:
        return core.append_seam(
            connection,
            child,
            request.pending(decided.change),
            state.copy(),
            guard=decided.guard._replace(expected=state.version),
            epoch=None,
            key=key,
            kind="session",
            root=root,
        )

    return core.database.repeat(attempt, certain=key is not None)


def root_of(core: Core, stream: UUID, resumed: ContextState) -> Root:
    """What the read models of a branch begin with, when it began in another stream than its own."""
    branch = core.reader.lineage(resumed.stream, resumed.version)
    foreign = [place for place, piece in enumerate(branch) if piece.stream != stream]
    if not foreign:
        return Root()
    last = branch[foreign[-1]]
    state = resumed if (last.stream, last.last) == (resumed.stream, resumed.version) else core.reader.state(
        last.stream, last.last
    )
    return Root(base=base_rows(state, core.reader.lineage(last.stream, last.last)))

