"""The declaration of routes: each with the action that its caller must be allowed."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from fastapi import APIRouter, Depends
from starlette.convertors import Convertor, register_url_convertor

from backstory.domain.access import Action
from backstory.interfaces.http.conditional import ONCE, ConditionalRoute
from backstory.interfaces.http.requests import (
    admit,
    open_project,
    open_session,
    read_epoch,
    read_expected,
    read_write_headers,
)

_NAMED = re.compile(r"\{(\w+)\}")
Handler = TypeVar("Handler", bound=Callable[..., Any])
PREFIX = "/api/v1"

ENCODED_SLASH = "\x1f"
"""Stands in a path for a slash that was encoded, as %2F: one that belongs to a name."""


class _Name(Convertor[str]):
    """One segment of a path. A name may have slashes, as that of a repository has."""

    regex = "[^/]+"

    def convert(self, value: str) -> str:
        return value.replace(ENCODED_SLASH, "/")

    def to_string(self, value: str) -> str:
        return quote(value, safe="")


register_url_convertor("name", _Name())


def with_slashes(path: str) -> str:
    """A path whose parameters may hold slashes that were encoded."""
    return _NAMED.sub(r"{\1:name}", path)


def path_asked_for(scope: Mapping[str, Any]) -> str:
    """The path of a request, in which encoded slashes do not separate segments."""
    path: str = scope["path"]
    raw: bytes = scope.get("raw_path") or b""
    if b"%2f" not in raw.lower():
        return path
    return unquote(
        raw.partition(b"?")[0].decode("latin-1").replace("%2F", ENCODED_SLASH).replace("%2f", ENCODED_SLASH)
    )


class Routes:
    """The routes of one topic."""

    def __init__(self, topic: str, prefix: str = PREFIX) -> None:
        self.router = APIRouter(tags=[topic], route_class=ConditionalRoute)
        self.prefix = prefix
        self.streamed: set[str] = set()
        """Paths whose bodies are read piece by piece, and may be of any size."""

    def get(
        self, path: str, action: Action, *, filtered: bool = False, whole: bool = False, **more: Any
    ) -> Callable[[Handler], Handler]:
        """A route that reads."""
        return self._route("GET", path, action, filtered, whole, more)

    def post(
        self, path: str, action: Action, *, filtered: bool = False, whole: bool = False, **more: Any
    ) -> Callable[[Handler], Handler]:
        """A route that writes."""
        return self._route("POST", path, action, filtered, whole, more)

    def put(
        self, path: str, action: Action, *, filtered: bool = False, whole: bool = False, **more: Any
    ) -> Callable[[Handler], Handler]:
        """A route that sets what its path names."""
        return self._route("PUT", path, action, filtered, whole, more)

    def delete(
        self, path: str, action: Action, *, filtered: bool = False, whole: bool = False, **more: Any
    ) -> Callable[[Handler], Handler]:
        """A route that removes what its path names."""
        return self._route("DELETE", path, action, filtered, whole, more)

    def open(
        self, method: str, path: str, *, answers: dict[int | str, Any] | None = None, **more: Any
    ) -> Callable[[Handler], Handler]:
        """A route that asks nobody who they are."""

        def register(handler: Handler) -> Handler:
            self.router.add_api_route(
                path,
                handler,
                methods=[method],
                operation_id=handler.__name__,
                responses=answers,
                **more,
            )
            return handler

        return register

    def _route(
        self, method: str, path: str, action: Action, filtered: bool, whole: bool, more: dict[str, Any]
    ) -> Callable[[Handler], Handler]:
        extra = more.pop("openapi_extra", {})
        if (once := more.pop("once", None)) is not None:
            extra = {**extra, ONCE: once}
        if more.pop("streamed", False):
            self.streamed.add(self.prefix + path)
        named = "{session}" in path or "{project}" in path
        dependencies = [Depends(admit(action, filtered=filtered or named, whole=whole))]
        if method != "GET":
            dependencies.append(Depends(read_write_headers))
        if method != "GET" and named:
            dependencies.append(Depends(read_expected))
        if "{session}" in path:
            if method != "GET":
                dependencies.append(Depends(read_epoch))
            dependencies.append(Depends(open_session))
        if "{project}" in path:
            dependencies.append(Depends(open_project))

        def register(handler: Handler) -> Handler:
            self.router.add_api_route(
                with_slashes(path),
                handler,
                methods=[method],
                operation_id=handler.__name__,
                dependencies=dependencies,
                openapi_extra={
                    "x-action": action.value,
                    "x-filtered": filtered or named,
                    "x-whole": whole,
                    **extra,
                },
                **more,
            )
            return handler

        return register
