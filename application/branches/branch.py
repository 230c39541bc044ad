"""Backtracking and forking: events that go on from another version than the one before them."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

import psycopg

from backstory.application.handle import SessionHandle
from backstory.application.runtime import Runtime
from backstory.application.safety.policy import screen_of
from backstory.application.writing.append import insist, known_append
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request, key_of
from backstory.domain.commands import items
from backstory.domain.effects import Resume
from backstory.domain.errors import InvalidInput, UnknownVersion, VersionConflict
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.guards import Decided, Guard
from backstory.domain.log.references import ContentRef
from backstory.domain.state import ContextState
from backstory.domain.values import whole_number
from backstory.infrastructure.postgres.append import Appended, Key, PendingEvent, Root
from backstory.infrastructure.postgres.locks import hold_stream
from backstory.infrastructure.postgres.queries import query
from backstory.projections.base_rows import base_rows


def backtrack(handle: SessionHandle, to: int, why: str) -> int:
    """Makes the state at a version current again. Returns the version of the backtrack."""
    done = _append_backtrack(handle.runtime, handle.id, to, why, handle.provenance, handle.epoch)
    # A backtrack repeated under its key may be older than what the handle has seen.
    handle.refresh(max(handle.epoch, done.epoch))
    return done.last_version


def _append_backtrack(
    runtime: Runtime, stream: UUID, to: int, why: str, provenance: Provenance, epoch: int
) -> Appended:
    whole_number("to", to)
    bundle = ContentBundle(screen_of(runtime, stream))
    reason = bundle.text("why", why)
    request = Request(bundle, partial(items.backtrack, to=to, why=reason), provenance)
    key = key_of([request], provenance.key)
    if (known := known_append(runtime, stream, key)) is not None:
        return known

    def decide() -> Callable[[psycopg.Connection], Appended]:
        """The append for the session as it is now. All reading is done before a connection is taken for it: who
        holds one must not wait for another."""
        head = runtime.require_head(stream)
        if to < 1 or to > head.version:
            raise UnknownVersion(
                f"cannot backtrack to version {to}: the session has versions 1 to {head.version}."
            )
        if to == head.version:
            raise InvalidInput("to", f"version {to} is the current one; there is nothing to backtrack")
        resumed = runtime.reader.state(stream, to)
        root = root_of(runtime, stream, resumed)
        decided = items.backtrack(
            ContextState(stream, version=head.version),
            to=to,
            resumes=Resume(stream=resumed.stream, version=to),
            status=resumed.status,
            why=reason,
            quarantined=_kept_in_quarantine(runtime, stream, resumed),
        )
        event = request.pending(decided.change)
        return lambda connection: _append_branch_point(
            runtime,
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

    return insist(
        runtime,
        stream,
        lambda: runtime.database.repeat(decide(), certain=key is not None),
        locked,
        certain=key is not None,
    )


def _kept_in_quarantine(runtime: Runtime, stream: UUID, resumed: ContextState) -> list[int]:
    """The items of a resumed state that were put into quarantine since: going back releases nothing."""
    with runtime.reader.borrow(stream) as newest:
        since = newest.quarantined.keys() - resumed.quarantined.keys()
    if not since:
        return []
    branch = runtime.reader.lineage(resumed.stream, resumed.version)
    return sorted(item for item in since if branch.contains(item))


def fork(
    runtime: Runtime,
    parent: UUID,
    at: int | None,
    child: UUID,
    provenance: Provenance,
    *,
    why: str | None,
    title: str | None,
) -> None:
    """Begins a session whose history is another's up to a version. One that began so already is left as it is."""
    state = runtime.reader.state(parent, at)
    owner = state.stream
    chain = runtime.log.chain_at(owner, state.version)
    assert chain is not None
    bundle = ContentBundle(screen_of(runtime, owner))
    command = partial(
        _fork, parent=parent, at=at, why=bundle.optional("why", why), title=bundle.optional("title", title)
    )
    request = Request(bundle, command, provenance)
    key = key_of([request], provenance.key)
    event = request.pending(command(state).change)
    root = Root(chain=chain, base=base_rows(state, runtime.reader.lineage(owner, state.version)))

    def attempt(connection: psycopg.Connection) -> None:
        with connection.transaction():
            hold_stream(connection, owner)
            _append_branch_point(
                runtime,
                connection,
                child,
                event,
                state.copy(),
                guard=Guard(expected=state.version),
                epoch=None,
                key=key,
                kind="session",
                root=root,
            )

    try:
        runtime.database.repeat(attempt, certain=True)
        runtime.database.announcer.appended(child)
    except VersionConflict:
        branch_points = runtime.log.branch_points(child)
        began = branch_points[0] if branch_points and branch_points[0].resumed_stream != child else None
        if began is None or (began.resumed_stream, at or began.resumed_version) != (
            owner,
            began.resumed_version,
        ):
            raise InvalidInput("id", f"{child} is another session already") from None


def _fork(
    state: ContextState, *, parent: UUID, at: int | None, why: ContentRef | None, title: ContentRef | None
) -> Decided:
    """A fork of a state; `parent` and `at` are those that were asked for."""
    return Decided(items.fork(parent=state.stream, at=state.version, why=why, title=title))


def root_of(runtime: Runtime, stream: UUID, resumed: ContextState) -> Root:
    """The first rows of the read models of a branch that began in another stream."""
    branch = runtime.reader.lineage(resumed.stream, resumed.version)
    foreign = [place for place, piece in enumerate(branch) if piece.stream != stream]
    if not foreign:
        return Root()
    last = branch[foreign[-1]]
    state = (
        resumed
        if (last.stream, last.last) == (resumed.stream, resumed.version)
        else runtime.reader.state(last.stream, last.last)
    )
    return Root(base=base_rows(state, runtime.reader.lineage(last.stream, last.last)))


def _append_branch_point(
    runtime: Runtime,
    connection: psycopg.Connection,
    stream: UUID,
    event: PendingEvent,
    resumed: ContextState,
    *,
    guard: Guard,
    epoch: int | None,
    key: Key | None,
    kind: str | None,
    root: Root,
) -> Appended:
    """Appends a backtrack or a fork together with the snapshot of the state it restores."""
    with connection.transaction():
        done = runtime.append_on(
            connection, stream, [event], guard=guard, epoch=epoch, key=key, kind=kind, root=root
        )
        if not done.repeated:
            state = evolve(resumed, runtime.recorded(stream, event, done))
            connection.execute(
                query("save_snapshot"),
                (stream, state.version, runtime.reader.fold_version, state.encode()),
            )
    return done
