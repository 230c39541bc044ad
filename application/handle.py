"""The handle that the parts of a session hold: which session, who writes, and how a change reaches the log."""

from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from uuid import UUID

from backstory.application.queries.read_models import read_encodings, require_items
from backstory.application.runtime import Runtime
from backstory.application.safety.policy import chosen_policy
from backstory.application.safety.screen import Screen
from backstory.application.writing.append import PlacedRequests, append_after, decide_and_append
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Decider, Provenance, Request
from backstory.domain.errors import UnknownItem
from backstory.domain.events.base import Change
from backstory.domain.log.guards import NO_GUARD, Guard
from backstory.domain.policies.safety import OnSecrets, SafetyPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW, microseconds, version_number
from backstory.infrastructure.postgres.append import Appended

P = ParamSpec("P")
T = TypeVar("T")
Other = TypeVar("Other", bound="SessionPart")


@dataclass(slots=True)
class OpenSession:
    """A session as it was last seen. All views of one handle share it."""

    epoch: int
    encodings: dict[str, str]
    """By window, the encoding that its tokens are counted in."""
    alert_handlers: list[Callable[[Any], None]] = field(default_factory=list)
    version: int = 0
    """The newest version when it was opened."""


class SessionHandle:
    """Reads and writes one session on behalf of its parts. Each write is appended at once."""

    def __init__(
        self, runtime: Runtime, id: UUID, opened: OpenSession, provenance: Provenance | None = None
    ) -> None:
        self.runtime = runtime
        self.id = id
        self.opened = opened
        self.provenance = provenance or Provenance(actor=runtime.agent(None))

    @classmethod
    def of(cls, runtime: Runtime, id: UUID) -> Self:
        """Opens a session that exists."""
        runtime.require_session(id)
        return cls.of_stream(runtime, id)

    @classmethod
    def of_stream(cls, runtime: Runtime, id: UUID) -> Self:
        """Opens a session or a project that exists."""
        head = runtime.require_head(id)
        opened = OpenSession(head.epoch, read_encodings(runtime, id), version=head.version)
        return cls(runtime, id, opened)

    @property
    def epoch(self) -> int:
        """The number of backtracks when the session was last seen."""
        return self.opened.epoch

    @property
    def actor(self) -> str | None:
        """The agent or person who writes."""
        return self.provenance.actor

    @property
    def key(self) -> str | None:
        """The idempotency key of the next write."""
        return self.provenance.key

    def encoding(self, windows: Sequence[str] = (MAIN_WINDOW,)) -> str:
        """The encoding of the first of these windows."""
        return self.opened.encodings.get(windows[0], DEFAULT_ENCODING) if windows else DEFAULT_ENCODING

    @property
    def safety(self) -> SafetyPolicy:
        """What is done with suspicious texts that are written here."""
        return chosen_policy(self.runtime, self.id)

    @property
    def screen(self) -> Screen:
        """Looks for secrets in what is written here."""

        def rule() -> OnSecrets:
            policy = self.safety
            return policy.imported_secrets if self.provenance.imported else policy.secrets

        return Screen(rule)

    def bundle(self) -> ContentBundle:
        """The contents of a write, looked through for secrets."""
        return ContentBundle(self.screen)

    def state(self) -> ContextState:
        """The newest state. Raises BranchMoved after a backtrack that this handle has not seen."""
        return self.runtime.state_in_epoch(self.id, self.epoch)

    def now_us(self) -> int:
        """The time of the write, in microseconds since 1970: now, unless `occurred` named another."""
        return microseconds(self.provenance.occurred_at or datetime.now(UTC))

    def require_items(self, field: str, ids: Sequence[int], types: Collection[str] = ()) -> list[Item]:
        """The items that a write names. Refuses those that are not on the current branch, or of other types. A write
        that is repeated under its key was checked when it was made, and gets none."""
        for id in ids:
            version_number(field, id)
        if not ids or (self.key and self.runtime.log.earlier_append(self.id, self.key)):
            return []
        try:
            return require_items(self.runtime, self.id, ids, field, types)
        except UnknownItem:
            # Written by this handle perhaps, before a backtrack: then that is the reason.
            self.state()
            raise

    def with_(self, **changes: Any) -> Self:
        """The same session with another provenance."""
        if "actor" in changes:
            changes["actor"] = self.runtime.agent(changes["actor"])
        view = copy(self)
        view.provenance = replace(self.provenance, **changes)
        return view

    def refresh(self, epoch: int | None = None) -> None:
        """Accepts the session as it is now, or as it was in an epoch."""
        self.opened.epoch = self.runtime.require_head(self.id).epoch if epoch is None else epoch
        # In place: all views share the dictionary.
        self.opened.encodings.clear()
        self.opened.encodings.update(read_encodings(self.runtime, self.id))

    def write(self, bundle: ContentBundle, change: Change, guard: Guard = NO_GUARD) -> int:
        """Writes a change that needs no state to be decided on. Returns its version."""
        return self.submit(Request(bundle, change, self.provenance, guard))

    def command(self, bundle: ContentBundle, decider: Decider) -> int:
        """Writes the change that a command decides on from the state. Returns its version."""
        return self.submit(Request(bundle, decider, self.provenance))

    def submit(self, request: Request) -> int:
        """Decides a request and appends it. Returns its version."""
        return self.append([request], key=request.provenance.key).last_version

    def append(
        self, requests: Sequence[Request], *, key: str | None, asked: Sequence[Request] | None = None
    ) -> Appended:
        """Decides requests and appends them together. `asked` is what the key stands for, where that is not the
        requests themselves."""
        return decide_and_append(self.runtime, self.id, requests, epoch=self.epoch, key=key, asked=asked)

    def append_after(self, placed: PlacedRequests) -> int:
        """Appends requests that name versions of their own append. Returns the last version."""
        done = append_after(
            self.runtime,
            self.id,
            placed,
            epoch=self.epoch,
            key=self.key,
        )
        return done.last_version


class SessionPart:
    """A group of a session's methods. It reads and writes through the session's handle."""

    def __init__(self, handle: SessionHandle) -> None:
        self._handle = handle

    @property
    def _runtime(self) -> Runtime:
        return self._handle.runtime

    @property
    def _id(self) -> UUID:
        return self._handle.id


def delegated(
    part: type[Other], method: Callable[Concatenate[Other, P], T]
) -> Callable[Concatenate[Any, P], T]:
    """A method of another part, offered here with the same signature."""

    def call(self: SessionPart, /, *args: P.args, **named: P.kwargs) -> T:
        return method(part(self._handle), *args, **named)

    return update_wrapper(call, method)
