"""Errors as RFC 9457 problems: one table from the Python errors to HTTP statuses."""

import logging
import re
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from backstory.domain import errors
from backstory.domain.errors import (
    BackstoryError,
    Conflict,
    InvalidInput,
    TooManyRequests,
    VersionConflict,
)
from backstory.domain.values import rule
from backstory.interfaces.documents.errors import ProblemDocument
from backstory.interfaces.http.conditional import moved
from backstory.interfaces.http.responses import PROBLEM_TYPE

STATUSES: dict[type[BackstoryError], HTTPStatus] = {
    errors.InvalidInput: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.SessionPurged: HTTPStatus.GONE,
    errors.ContentErased: HTTPStatus.GONE,
    errors.Refused: HTTPStatus.CONFLICT,
    errors.Conflict: HTTPStatus.CONFLICT,
    errors.Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.TooManyRequests: HTTPStatus.TOO_MANY_REQUESTS,
    errors.AccessDenied: HTTPStatus.FORBIDDEN,
    errors.KeyRequired: HTTPStatus.UNAUTHORIZED,
    errors.BackstoryError: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""The status of each error; one that is not listed has that of the error it is a kind of."""

RETRY_SECONDS = 1
"""After which a client may try again when the database is away."""

_log = logging.getLogger("backstory.http")


def status_of(error: type[BackstoryError]) -> HTTPStatus:
    """The HTTP status of an error."""
    return next(STATUSES[kind] for kind in error.__mro__ if kind in STATUSES)


def problem_type(code: str) -> str:
    """The URI that names an error."""
    return f"urn:backstory:problem:{code}"


def title_of(error: type[BackstoryError]) -> str:
    """The sentence that an error's class is described with."""
    return (error.__doc__ or "").strip().split("\n")[0]


def problem_of(error: BackstoryError) -> ProblemDocument:
    """The problem that says the same as an error."""
    kind = type(error)
    return ProblemDocument(
        type=problem_type(kind.code),
        title=title_of(kind),
        status=int(status_of(kind)),
        detail=str(error),
        code=kind.code,
        exit_code=kind.exit_code,
        field=getattr(error, "field", None),
        rule=getattr(error, "rule", None),
        needed=getattr(error, "needed", None),
        line=getattr(error, "line", None),
    )


def answer_problems(app: FastAPI) -> None:
    """Makes the application answer errors as problems."""
    app.add_exception_handler(BackstoryError, _answer_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer_status)
    app.add_exception_handler(Exception, _answer_unexpected)


def answer(problem: ProblemDocument, headers: dict[str, str] | None = None) -> JSONResponse:
    """A response that holds a problem."""
    sent = dict(headers or {})
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        sent["Retry-After"] = str(RETRY_SECONDS)
    if problem.status == HTTPStatus.UNAUTHORIZED:
        sent["WWW-Authenticate"] = "Bearer"
    body: dict[str, Any] = {name: value for name, value in problem.as_json().items() if value is not None}
    return JSONResponse(body, problem.status, sent, media_type=PROBLEM_TYPE)


async def _answer_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, BackstoryError)
    problem = problem_of(error)
    if isinstance(error, Conflict):
        problem = problem.model_copy(update=await run_in_threadpool(moved, request))
        if isinstance(error, VersionConflict) and "if-match" in request.headers:
            problem = problem.model_copy(update={"status": HTTPStatus.PRECONDITION_FAILED.value})
    if isinstance(error, TooManyRequests):
        return answer(problem, {"Retry-After": str(error.seconds)})
    return answer(problem)


async def _answer_invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where, *path = first["loc"]
    if first["type"] == "json_invalid" or (where == "body" and not path and first["type"] != "missing"):
        # Without its header, JSON is taken for a text: the commonest slip with curl.
        return answer(problem_of(InvalidInput("body", "must be a JSON object, sent as application/json")))
    field = ".".join(map(str, path)) or str(where)
    return answer(problem_of(InvalidInput(field, rule(first["msg"]))))


async def _answer_status(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    problem = ProblemDocument(
        type="about:blank", title=status.phrase, status=status.value, detail=error.detail
    )
    headers = dict(error.headers or {})
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(sorted(_methods_at(request)))
    return answer(problem, headers)


def _methods_at(request: Request) -> set[str]:
    """The methods of a path, which may have a route for each."""
    paths: list[tuple[re.Pattern[str], set[str]]] = request.app.state.paths
    return {method for path, methods in paths if path.match(request.scope["path"]) for method in methods} or {
        "GET"
    }


async def _answer_unexpected(request: Request, error: Exception) -> JSONResponse:
    _log.debug("unexpected error", exc_info=error)
    # Its text may hold anything, also a secret.
    return answer(problem_of(BackstoryError(f"unexpected {type(error).__name__}.")))
