"""Runs projections of the feed: in batches, exactly once, each led by one process at a time."""

import importlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

import psycopg

from backstory.application.feed.activity import ActivityProjection
from backstory.application.feed.embeddings import EmbeddingsProjection
from backstory.application.feed.feed import FeedStatus, feed_status
from backstory.application.feed.projections import (
    FeedProjection,
    IdleProjection,
    ProjectionStatus,
    TryLater,
    checked_projection,
    read_set_aside,
)
from backstory.application.feed.projector import Interrupted, Projector
from backstory.application.feed.search_index import SearchProjection
from backstory.application.runtime import Runtime
from backstory.domain.errors import (
    BackstoryError,
    Conflict,
    InvalidInput,
    ProjectionFailed,
    ServerUnavailable,
    UnknownProjection,
)
from backstory.domain.values import LARGEST, whole_number
from backstory.infrastructure.feed.horizon import PATIENCE
from backstory.infrastructure.feed.waiter import INTERVAL, Waiter
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.settings import Settings

if TYPE_CHECKING:
    from backstory.application.store import ContextStore

_LOGGER = logging.getLogger(__name__)

STANDBY_INTERVAL = 1.0
"""Seconds between two attempts of a standby to take the lead."""
_STEP_PATIENCE = 0.25
_HELD_WAIT = 0.05
_PAUSE = 0.1

Progress = Callable[[int, int], None]


def built_in_projections(runtime: Runtime) -> tuple[FeedProjection, ...]:
    """The built-in feed projections; that of vectors where a model is set."""
    vectors = (EmbeddingsProjection(runtime.embedder),) if runtime.embedder is not None else ()
    return (ActivityProjection(), SearchProjection(), *vectors)


def known_projections(runtime: Runtime) -> tuple[FeedProjection, ...]:
    """The built-in projections, and those that the setting `projections` names. A class is called to make one."""
    named = [name.strip() for name in Settings().projections.split(",")]
    return (*built_in_projections(runtime), *(_loaded(name) for name in named if name))


def _loaded(name: str) -> FeedProjection:
    module, _, attribute = name.partition(":")
    # As `python -m` does: a program that is installed would not look where it was called.
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        target = getattr(importlib.import_module(module), attribute)
        return checked_projection(target() if isinstance(target, type) else target)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise InvalidInput("projections", f"{name!r} cannot be loaded as module:name: {error}") from None


class Retried(NamedTuple):
    """The result of a retry of events that had been set aside."""

    applied: int
    left: int


class ProjectionRunner:
    """Keeps projections up to date: ``with ProjectionRunner(store, [Mine()]): …``, each on a thread of its own.

    Any number of runners, on any number of machines, may have the same projections: one leads each, the others stand by
    and take over when its connection ends. Without `projections` these are the ones that Backstory has itself.
    """

    def __init__(
        self,
        store: "ContextStore",
        projections: Sequence[FeedProjection] | None = None,
        *,
        batch_size: int = 1_000,
        attempts: int = 3,
    ) -> None:
        for name, number in (("batch_size", batch_size), ("attempts", attempts)):
            whole_number(name, number, minimum=1, maximum=LARGEST)
        self._runtime: Runtime = store._runtime
        self._projections: dict[str, FeedProjection] = {}
        for projection in built_in_projections(self._runtime) if projections is None else projections:
            found = checked_projection(projection)
            if found.name in self._projections:
                raise InvalidInput("projections", f"there are two of the name {found.name!r}")
            self._projections[found.name] = found
        self._batch_size = batch_size
        self._attempts = attempts
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []
        self._waiters: dict[str, Waiter] = {}
        self._errors: dict[str, str] = {}

    def start(self) -> Self:
        """Applies existing and then new events, until `stop`."""
        if self._threads:
            raise InvalidInput("runner", "has been started")
        self._stopped.clear()
        self._errors.clear()
        for name, projection in self._projections.items():
            self._waiters[name] = Waiter(self._runtime.database.listener)
            thread = threading.Thread(
                target=self._run, args=(projection,), name=f"backstory-projection-{name}", daemon=True
            )
            self._threads.append(thread)
            thread.start()
        return self

    def stop(self) -> None:
        """Stops after the running batches. Others may lead then."""
        self._stopped.set()
        for waiter in self._waiters.values():
            waiter.end()
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def catch_up(self) -> list[ProjectionStatus]:
        """Applies the existing events on this thread. Returns the status of each projection. Projections that another
        process leads are left to it."""
        horizon = self._runtime.horizon.advance()
        stopped = threading.Event()
        for projection in self._projections.values():
            with self._projector(projection, stopped) as projector:
                try:
                    while projector.lead() and projector.step(horizon, self._batch_size):
                        pass
                except Interrupted:
                    continue  # Somebody makes it anew, and that goes as far.
        return self.status()

    def rebuild(self, name: str, progress: Progress | None = None) -> int:
        """Empties a projection and applies all events up to the present. Returns its position. Nobody else applies
        events meanwhile; the leader continues afterwards. Raises ProjectionFailed at an event that cannot be applied.
        `progress` is called with the position so far and the last one."""
        stopped = threading.Event()
        with self._projector(self._named(name), stopped, forgiving=False) as projector:
            projector.hold()
            projector.reset()
            horizon = self._runtime.horizon.advance()
            while True:
                while projector.step(horizon, self._batch_size):
                    if progress is not None:
                        progress(projector.position(), horizon)
                newer = self._runtime.horizon.advance()
                if newer == horizon:
                    return projector.position()
                horizon = newer

    def retry(self, name: str) -> Retried:
        """Applies the events that were set aside, oldest first, after the projection was corrected. Those that still
        fail stay set aside."""
        applied = left = 0
        stopped = threading.Event()
        with self._projector(self._named(name), stopped) as projector:
            for event in read_set_aside(self._runtime, name):
                try:
                    done = projector.take_up(event.position)
                except Interrupted:
                    raise Conflict(f"somebody makes {name} anew just now; try again.") from None
                applied, left = applied + done, left + (not done)
        return Retried(applied, left)

    def status(self) -> list[ProjectionStatus]:
        """The status of each projection."""
        names = list(self._projections)
        feed: FeedStatus = feed_status(self._runtime)
        tracked = {consumer.name: consumer for consumer in feed.consumers}
        leading = self._runtime.database.read(
            lambda c: c.execute(query("projection_leaders"), (names,)).fetchall()
        )
        leaders: dict[str, int] = dict(leading)
        aside: dict[str, int] = {}
        for event in read_set_aside(self._runtime):
            aside[event.projection] = aside.get(event.projection, 0) + 1
        return [
            ProjectionStatus(
                name,
                tracked[name].position if name in tracked else 0,
                tracked[name].behind if name in tracked else feed.newest,
                tracked[name].seconds if name in tracked else 0.0,
                leaders.get(name),
                aside.get(name, 0),
                self._errors.get(name),
            )
            for name in names
        ]

    def _named(self, name: str) -> FeedProjection:
        if name not in self._projections:
            known = ", ".join(self._projections) or "none"
            raise UnknownProjection(f"there is no feed projection {name!r}; known: {known}.")
        return self._projections[name]

    @contextmanager
    def _projector(
        self, projection: FeedProjection, stopped: threading.Event, *, forgiving: bool = True
    ) -> Iterator[Projector]:
        """A projection on its own connection. Its locks end with it."""
        with self._runtime.database.as_login("to run a projection") as connection:
            yield Projector(
                self._runtime,
                projection,
                connection,
                attempts=self._attempts,
                stopped=stopped,
                forgiving=forgiving,
            )

    def _run(self, projection: FeedProjection) -> None:
        while not self._stopped.is_set():
            try:
                with self._projector(projection, self._stopped) as projector:
                    self._lead(projection, projector)
            except TryLater as error:
                self._errors[projection.name] = str(error)
                _LOGGER.warning("projection %s waits: %s", projection.name, error)
                self._stopped.wait(STANDBY_INTERVAL)
            except ProjectionFailed as error:
                self._errors[projection.name] = str(error)
                _LOGGER.error("projection stopped: %s", error)
                return
            except (BackstoryError, psycopg.Error) as error:
                # Lost with its connection, and the lead with it. Whatever was under way is done or undone as a whole.
                if self._runtime.database.closed:
                    return
                if not isinstance(error, ServerUnavailable):
                    _LOGGER.warning("projection %s begins again: %s", projection.name, error)
                self._stopped.wait(_PAUSE)

    def _note(self, name: str, error: str | None) -> None:
        if error is None:
            self._errors.pop(name, None)
        else:
            self._errors[name] = error

    def _lead(self, projection: FeedProjection, projector: Projector) -> None:
        """Waits until this process leads, then applies events as they come."""
        waiter = self._waiters[projection.name]
        while not projector.lead():
            if self._stopped.wait(STANDBY_INTERVAL):
                return
        horizon = self._runtime.horizon
        while not self._stopped.is_set():
            try:
                if projector.step(horizon.advance(_STEP_PATIENCE, PATIENCE), self._batch_size):
                    self._errors.pop(projection.name, None)
                    waiter.found_some()
                    continue
            except Interrupted:
                if self._stopped.wait(_HELD_WAIT):
                    return
                continue
            if isinstance(projection, IdleProjection):
                self._note(projection.name, projection.idle())
            waiter.wait(_HELD_WAIT if horizon.is_held else INTERVAL)
