"""Requests that name versions of their own append: of an answer, the call that it came from and the context that the
call was sent, which are recorded together."""

from collections.abc import Callable, Sequence
from uuid import UUID

from backstory.application.runtime import Coming, Runtime, decided_on
from backstory.application.writing.requests import Request, key_of
from backstory.domain.errors import BackstoryError, UnknownSession, VersionConflict
from backstory.domain.log.guards import Guard
from backstory.domain.state import ContextState
from backstory.infrastructure.postgres.append import Appended, append

Placed = Callable[[int], Sequence[Request]]
"""The requests, given the version that they come after."""


def append_after(runtime: Runtime, stream: UUID, placed: Placed, *, epoch: int, key: str | None) -> Appended:
    """Appends the requests together, under the guard that they have the versions that they name. When others wrote
    meanwhile they are placed after them."""
    # What was asked for is the same wherever it is placed.
    keyed = None if key is None else key_of(placed(0), key)

    def after(state: ContextState) -> tuple[list[Coming], Guard]:
        requests = placed(state.version)
        blind = not any(request.needs_state for request in requests)
        coming, _ = decided_on(runtime, None if blind else state.copy(), requests)
        return coming, Guard(expected=state.version, recorded=state.recorded)

    def attempt(do_append: Callable[[Sequence[Coming], Guard], Appended]) -> Appended:
        if (known := runtime.known_append(stream, keyed)) is not None:
            return known
        try:
            coming, guard = after(runtime.state_in_epoch(stream, epoch))
        except BackstoryError:
            # The same request, made at the same time, may have come first: then this is its answer.
            if (known := runtime.known_append(stream, keyed)) is not None:
                return known
            raise
        return do_append(coming, guard)

    def cached(coming: Sequence[Coming], guard: Guard) -> Appended:
        return runtime.append_and_cache(stream, coming, guard, epoch, keyed)

    if keyed is None:
        # On the cached state, without asking whether it is the newest: the guard tells.
        with runtime.reader.borrow_cached(stream) as state:
            try:
                quick = after(state) if state is not None and state.epoch == epoch else None
            except BackstoryError:
                quick = None
        if quick is not None:
            try:
                return cached(*quick)
            except (VersionConflict, UnknownSession):
                # Somebody else wrote.
                pass
    return runtime.insist(
        stream,
        lambda: attempt(cached),
        lambda connection: attempt(
            lambda coming, guard: append(
                connection, stream, [event for _, event in coming], guard=guard, epoch=epoch, key=keyed
            )
        ),
        certain=keyed is not None,
    )
