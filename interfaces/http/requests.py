"""The headers of requests and answers: who asks, for which session, on which conditions.

A request may have:

- `Authorization: Bearer bsk_…`: the caller's key. A service without keys asks for none.
- `Backstory-Actor`: the agent or person who reads or writes. Other than ASCII is percent-encoded.
- `Backstory-Occurred-At`, `Backstory-Cause`, `Backstory-Origin`, on writes: the time, the version of the event that
  caused it, and the place that it comes from: user, model, internal_tool, external_tool, document, import.
- `Idempotency-Key`, on writes: 1 to 200 characters. Repeated under its key, a request is answered with its first
  result; another request under the same key is 409 `idempotency-conflict`. A key belongs to the session or the project
  that is written to or, where a session is started, to the caller. What a request answers beside a version is kept for
  a day; where a key is made or a file read as it comes, none is taken.
- `If-Match`, on writes to a session or a project: the version that it must be at, as `"7"` or, of a session, as
  the `ETag` of a read. It holds for the first event that the request writes. Otherwise 412 `version-conflict`.
- `Backstory-Epoch`, on writes to a session: the epoch that the writer saw. After a backtrack 409 `branch-moved`.
- `If-None-Match`, on reads: the `ETag` of an earlier answer. 304 if it would be the same.

An answer may have:

- `ETag`, of a session's reads: `"<version>-<epoch>-<digest>"`, the version and the epoch when the read began and a
  digest of the body; after a write `"<version>-<epoch>"`.
- `Backstory-Version`, `Backstory-Epoch`, of a session: the same as numbers; after a write those that it led to.
- `Idempotency-Replayed: true`: the result of an earlier request under this key.
- `Retry-After`, with 429 and 503: the seconds after which to try again.
- `X-Request-Id`: the id of the request in the service's logs; that of the request, if it has one.

A 409 or 412 of a session is a problem with its `version` and `epoch` now, and the version of its newest `backtrack`;
that of a project's memory names its `version`. A body may be compressed: `Content-Encoding: gzip`.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypeVar
from urllib.parse import unquote

from fastapi import Depends, Header, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from backstory.application.conditions import Conditions
from backstory.application.memory.project import Project
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.access import ALL, WITHIN_LIMITS, Action, Caller, allows
from backstory.domain.errors import AccessDenied, InvalidInput
from backstory.domain.trust import Origin
from backstory.domain.values import LARGEST
from backstory.interfaces.http.bodies import Time
from backstory.interfaces.http.conditional import LONGEST_KEY, expected_version, require_conditions

Opened = TypeVar("Opened", Session, Project)
BEARER = HTTPBearer(
    auto_error=False, scheme_name="key", description="A key that `backstory keys create` printed."
)


@dataclass(frozen=True, slots=True)
class WriteHeaders:
    """The headers of a write."""

    key: str | None = None
    occurred_at: datetime | None = None
    cause: int | None = None
    origin: Origin | None = None


def admit(action: Action, *, filtered: bool, whole: bool) -> Callable[..., Awaitable[None]]:
    """Lets in a request whose caller may do this. Everything after it sees the store as the caller may see it."""
    project = WITHIN_LIMITS if filtered else ALL
    agent = ALL if whole else WITHIN_LIMITS

    async def admitted(
        request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]
    ) -> None:
        store: ContextStore = request.app.state.store
        caller: Caller = request.state.caller
        if not allows(caller, action, project, agent):
            raise AccessDenied(f"the key {caller.name} may not {action.value} this.")
        request.state.conditions = Conditions()
        request.state.store = store.on_behalf_of(caller, request.state.conditions)
        request.state.write = WriteHeaders()

    return admitted


async def read_write_headers(
    request: Request,
    idempotency_key: Annotated[
        str | None,
        Header(
            min_length=1,
            max_length=LONGEST_KEY,
            description="Repeated under the same key, the request is answered with its first result.",
        ),
    ] = None,
    backstory_occurred_at: Annotated[
        Time | None, Header(description="The time of what is written; by default now.")
    ] = None,
    backstory_cause: Annotated[
        int | None, Header(ge=1, description="The version of the event that caused what is written.")
    ] = None,
    backstory_origin: Annotated[
        Origin | None, Header(description="The place that what is written comes from.")
    ] = None,
) -> None:
    """Reads the headers of a write."""
    request.state.write = WriteHeaders(
        idempotency_key, backstory_occurred_at, backstory_cause, backstory_origin
    )


async def read_expected(
    request: Request,
    if_match: Annotated[
        str | None, Header(description='The version that is written to: as `"7"`, or the ETag of a read.')
    ] = None,
) -> None:
    """Reads the version that a write to a session or a project expects."""
    request.state.conditions.expected = expected_version(if_match)


async def read_epoch(
    request: Request,
    backstory_epoch: Annotated[
        int | None, Header(ge=0, le=LARGEST, description="The epoch that the writer saw.")
    ] = None,
) -> None:
    """Reads the epoch that a write to a session expects."""
    request.state.epoch = backstory_epoch


Actor = Annotated[
    str | None,
    Header(description="The agent or person who reads or writes; other than ASCII is percent-encoded."),
]


def open_session(
    request: Request,
    session: Annotated[
        str, Path(description="The session's id, a beginning or an end that no other id has, or `last`.")
    ],
    backstory_actor: Actor = None,
) -> None:
    """Opens the session of the path on the caller's behalf."""
    opened: Session = request.state.store.session(session)
    opened = _as_asked(opened, request, backstory_actor)
    cause = request.state.write.cause
    request.state.session = opened = opened if cause is None else opened.caused_by(cause)
    conditions: Conditions = request.state.conditions
    conditions.stream = opened.id
    require_conditions(opened, conditions, getattr(request.state, "epoch", None))


def open_project(
    request: Request,
    project: Annotated[str, Path(description="The project.")],
    backstory_actor: Actor = None,
) -> None:
    """Opens the project of the path on the caller's behalf. Refuses one that the caller may not see."""
    caller: Caller = request.state.caller
    if not project:
        raise InvalidInput("project", "must not be empty")
    if not allows(caller, Action.READ, project):
        raise AccessDenied(f"the key {caller.name} may not see this project.")
    opened: Project = request.state.store.project(project)
    request.state.project = _as_asked(opened, request, backstory_actor)
    request.state.conditions.stream = opened.id


def _as_asked(opened: Opened, request: Request, actor: str | None) -> Opened:
    """A session or a project as the request's headers say."""
    if actor is not None:
        opened = opened.by(unquote(actor))
    write: WriteHeaders = request.state.write
    if write.occurred_at is not None:
        opened = opened.occurred(write.occurred_at)
    if write.origin is not None:
        opened = opened.of_origin(write.origin)
    return opened if write.key is None else opened.once(write.key)


def kept_hashes(anchors: Sequence[str]) -> dict[int, str]:
    """Chain hashes that were kept outside, by version, from `VERSION:HASH`."""
    hashes = {}
    for anchor in anchors:
        version, _, chain = anchor.partition(":")
        if not (version.isdecimal() and len(version) <= 10 and chain):
            raise InvalidInput("anchor", f"must be VERSION:HASH, got {anchor!r}")
        hashes[int(version)] = chain
    return hashes


async def _session(request: Request) -> Session:
    session: Session = request.state.session
    return session


async def _project(request: Request) -> Project:
    project: Project = request.state.project
    return project


async def _key(request: Request) -> str | None:
    write: WriteHeaders = request.state.write
    return write.key


async def _store(request: Request) -> ContextStore:
    store: ContextStore = request.state.store
    return store


async def _caller(request: Request) -> Caller:
    caller: Caller = request.state.caller
    return caller


OpenSession = Annotated[Session, Depends(_session)]
"""The session of the path, as the caller may see it, with the actor and the conditions of the request."""

OpenProject = Annotated[Project, Depends(_project)]
"""The project of the path, as the caller may see it, with the actor and the conditions of the request."""

OnceKey = Annotated[str | None, Depends(_key)]
"""The idempotency key of the request, for writes to neither a session nor a project."""

CallerStore = Annotated[ContextStore, Depends(_store)]
"""The store, as the caller may see it."""

Asking = Annotated[Caller, Depends(_caller)]
"""Who asks."""
