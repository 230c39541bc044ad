"""Conditional requests: the version that a write expects, and answers that are told apart by their tags."""

import hashlib
import re
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, StreamingResponse

from backstory.application.access.answers import Answers, KeptAnswer
from backstory.application.conditions import Conditions
from backstory.application.memory.project import Project
from backstory.application.session import Session
from backstory.domain.access import Caller
from backstory.domain.errors import BackstoryError, BranchMoved, InvalidInput, VersionConflict
from backstory.domain.values import LARGEST
from backstory.interfaces.http.callers import caller_of

READS = ("GET", "HEAD")
LONGEST_KEY = 200
ONCE = "x-once"
"""Marks a route whose answers to requests with an idempotency key are kept: `kept`, or `bare` where they hold nothing
of what was recorded. Others have their result from the log again."""
REPLAYED = "Idempotency-Replayed"
VERSION, EPOCH = "Backstory-Version", "Backstory-Epoch"
VARY = "Authorization, Cookie, Backstory-Actor"
_EXPECTED = re.compile(r'"(\d{1,10})(?:-\d{1,10}(?:-[0-9a-f]{16})?)?"')
_TOLD = ("Backstory-Actor", "Backstory-Occurred-At", "Backstory-Cause", "Backstory-Origin")
_TAG = re.compile(r'(?:W/)?("[^"]*")')


class ConditionalRoute(APIRoute):
    """A route that asks who asks, and whose answers say which version they are of."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        extra = self.openapi_extra or {}
        asks, once = "x-action" in extra, extra.get(ONCE)

        async def answer(request: Request) -> Response:
            if asks:
                # Before the body is read: nobody without a key has us read one.
                request.state.caller = await run_in_threadpool(caller_of, request)
            key = request.headers.get("Idempotency-Key", "") if once else ""
            if 0 < len(key) <= LONGEST_KEY:
                response = await _answer_once(request, handle, key, once == "bare")
            else:
                response = await handle(request)
            if request.method in READS:
                return _tagged(request, response)
            _say_what_was_written(request, response)
            return response

        return answer


async def _answer_once(
    request: Request, handle: Callable[[Request], Coroutine[Any, Any, Response]], key: str, bare: bool
) -> Response:
    """The answer to a write, or the one that it had before under its key."""
    answers: Answers = request.app.state.answers
    told = [f"{name}: {request.headers.get(name)}" for name in _TOLD]
    asked = "\n".join([request.method, str(request.url.query), *told, ""]).encode() + await request.body()
    caller: Caller = request.state.caller
    begun = await run_in_threadpool(
        partial(answers.begin, caller.name, request.scope["path"], key, asked, bare=bare)
    )
    if isinstance(begun, KeptAnswer):
        headers = {REPLAYED: "true", "Content-Type": "application/json"}
        return Response(begun.body, begun.status, headers)
    try:
        response = await handle(request)
    except BaseException:
        await run_in_threadpool(answers.forget, begun)
        raise
    await run_in_threadpool(answers.keep, begun, response.status_code, bytes(response.body))
    return response


def expected_version(if_match: str | None) -> int | None:
    """The version that a write expects."""
    if if_match is None:
        return None
    found = _EXPECTED.fullmatch(if_match.strip())
    if found is None or not 0 <= (version := int(found[1])) <= LARGEST:
        raise InvalidInput("If-Match", 'must be a version, such as "7", or the ETag of a read of the session')
    return version


def require_conditions(session: Session, conditions: Conditions, epoch: int | None) -> None:
    """Refuses a write whose conditions do not hold already, unless it was made before under its key. That they still
    hold when it is made is for the log to check."""
    handle = session._handle
    opened = handle.opened
    seen, opened.epoch = opened.epoch, opened.epoch if epoch is None else epoch
    stale = conditions.expected not in (None, opened.version)
    if not stale and opened.epoch == seen:
        return
    if handle.key is not None and handle.runtime.log.earlier_append(session.id, handle.key) is not None:
        return
    if opened.epoch != seen:
        raise BranchMoved(
            f"the session was backtracked and is in epoch {seen}: this append belongs to an older one."
        )
    raise VersionConflict(
        f"the session is at version {opened.version}, not at {conditions.expected} as the request expects."
    )


def moved(request: Request) -> dict[str, int]:
    """The version and the epoch of the session now, and its newest backtrack; or the version of the project's memory:
    for a writer who came too late."""
    session: Session | None = getattr(request.state, "session", None)
    project: Project | None = getattr(request.state, "project", None)
    try:
        if session is None:
            return {} if project is None else {"version": project.version}
        head = session._runtime.require_head(session.id)
        points = session._runtime.log.branch_points(session.id)
    except BackstoryError:
        return {}
    return {"version": head.version, "epoch": head.epoch} | (
        {"backtrack": points[-1].version} if head.epoch else {}
    )


def _tagged(request: Request, response: Response) -> Response:
    """A read's answer with its tag, or nothing but the tag for a client that has the answer already."""
    headers = response.headers
    headers.setdefault("Cache-Control", "private, no-cache")
    headers.setdefault("Vary", VARY)
    session: Session | None = getattr(request.state, "session", None)
    place = ""
    if session is not None:
        opened = session._handle.opened
        headers[VERSION], headers[EPOCH] = str(opened.version), str(opened.epoch)
        place = f"{opened.version}-{opened.epoch}-"
    if (
        response.status_code != 200
        or isinstance(response, StreamingResponse | FileResponse)
        or "ETag" in headers
    ):
        return response
    headers["ETag"] = tag = f'"{place}{hashlib.sha256(response.body).hexdigest()[:16]}"'
    known = request.headers.get("If-None-Match")
    if known is None or (known.strip() != "*" and tag not in _TAG.findall(known)):
        return response
    kept = {name: value for name, value in headers.items() if not name.startswith("content-")}
    return Response(status_code=304, headers=kept)


def _say_what_was_written(request: Request, response: Response) -> None:
    conditions: Conditions | None = getattr(request.state, "conditions", None)
    if conditions is None or not conditions.written:
        return
    headers = response.headers
    if all(done.repeated for done in conditions.written.values()):
        headers[REPLAYED] = "true"
    session: Session | None = getattr(request.state, "session", None)
    stream = session.id if session is not None else next(iter(conditions.written))
    done = conditions.written.get(stream)
    if done is not None:
        headers[VERSION], headers[EPOCH] = str(done.last_version), str(done.epoch)
        headers["ETag"] = f'"{done.last_version}-{done.epoch}"'
