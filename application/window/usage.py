"""The usage of a window, version by version, for plots."""

from collections.abc import Iterator
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.application.window.results import CallPoint, UsagePoint
from backstory.domain import events as e
from backstory.domain.errors import UnknownVersion
from backstory.domain.events import Event
from backstory.domain.fold.evolve import evolve
from backstory.domain.state import ContextState
from backstory.domain.values import LARGEST, label, version_number, whole_number


def window_usage(
    runtime: Runtime, stream: UUID, window: str, after: int, upto: int | None
) -> Iterator[UsagePoint]:
    """One point for each version, also of abandoned branches. Only the state of one version is held at a time."""
    label("window", window)
    whole_number("after", after, minimum=0, maximum=LARGEST)
    newest = runtime.require_head(stream).version
    last = newest if upto is None else version_number("upto", upto)
    if last > newest:
        raise UnknownVersion(f"version {last} does not exist: the session has versions 1 to {newest}.")
    state: ContextState | None = runtime.reader.state(stream, after).copy() if 0 < after < last else None
    for event in runtime.reader.events(runtime.reader.log_of(stream, last), after):
        if event.effects.resumes is not None:
            # A backtrack or a fork goes on from another state: its own is kept with it.
            state = runtime.reader.state(stream, event.version).copy()
        else:
            state = evolve(state, event)
        found = state.windows.get(window)
        mark, note = _mark(event)
        yield UsagePoint(
            event.version,
            event.occurred_at,
            found.tokens if found is not None else 0,
            found.limit if found is not None else None,
            mark,
            note,
            event.type,
            _call(event),
            event.version - 1 if event.effects.resumes is None else event.effects.resumes.version,
        )


def _call(event: Event) -> CallPoint | None:
    match event.body:
        case e.ModelCalled() as body:
            return CallPoint(body.model, body.input_tokens, body.output_tokens, body.cost_usd, body.assembly)
    return None


def _mark(event: Event) -> tuple[str | None, str | None]:
    match event.body:
        case e.ItemsCompacted() as body:
            return "compaction", body.algorithm
        case e.ResultsStubbed():
            return "stubs", None
        case e.CompactionUndone() as body:
            return "undo", str(body.compaction)
        case e.CheckpointTaken() as body:
            return "checkpoint", body.name
        case e.WindowAlerted() as body:
            return "alert", body.level
        case e.SessionBacktracked() as body:
            return "backtrack", str(body.to)
        case e.ContextCleared():
            return "clear", None
        case e.ClearUndone():
            return "undo", None
    return None, None
