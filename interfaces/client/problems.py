"""Problems that a service answered, as the errors that they name."""

from collections.abc import Iterator
from typing import Any

from backstory.domain import errors
from backstory.domain.errors import BackstoryError


def error_of(problem: Any, status: int) -> BackstoryError:
    """The error of a problem: of the same class and with the same fields as in the process of the service. Without
    one, as from a proxy, the status decides."""
    told = problem if isinstance(problem, dict) else {}
    detail = str(told.get("detail") or told.get("title") or f"the service answered with status {status}.")
    kind = _KINDS.get(str(told.get("code"))) or _kind_by_status(status)
    if "field" in told and "rule" in told:
        return kind(str(told["field"]), str(told["rule"]))
    if kind is errors.InvalidInput:
        return errors.InvalidInput("request", detail)
    if "needed" in told:
        return kind(detail, int(told["needed"]))
    return kind(detail)


def _kind_by_status(status: int) -> type[BackstoryError]:
    if status in (408, 429) or status >= 500:
        return errors.ServerUnavailable
    return {
        401: errors.KeyRequired,
        403: errors.AccessDenied,
        404: errors.NotFound,
        409: errors.Conflict,
        412: errors.VersionConflict,
    }.get(status, errors.InvalidInput)


def _kinds(kind: type[BackstoryError]) -> Iterator[type[BackstoryError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from _kinds(narrower)


_KINDS = {kind.code: kind for kind in _kinds(BackstoryError) if "code" in vars(kind)}
