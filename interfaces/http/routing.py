"""The declaration of routes: each with the action that its caller must be allowed."""

from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import APIRouter, Depends

from backstory.domain.access import Action
from backstory.interfaces.http.conditional import ConditionalRoute
from backstory.interfaces.http.requests import (
    admit,
    open_project,
    open_session,
    read_expected,
    read_write_headers,
)
from backstory.interfaces.http.responses import PROBLEMS

Handler = TypeVar("Handler", bound=Callable[..., Any])
PREFIX = "/api/v1"


class Routes:
    """The routes of one topic."""

    def __init__(self, topic: str, prefix: str = PREFIX) -> None:
        self.router = APIRouter(tags=[topic], route_class=ConditionalRoute)
        self.prefix = prefix

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
                responses=PROBLEMS | (answers or {}),
                **more,
            )
            return handler

        return register

    def _route(
        self, method: str, path: str, action: Action, filtered: bool, whole: bool, more: dict[str, Any]
    ) -> Callable[[Handler], Handler]:
        responses = {**PROBLEMS, **more.pop("responses", {})}
        extra = more.pop("openapi_extra", {})
        named = "{session}" in path or "{project}" in path
        dependencies = [Depends(admit(action, filtered=filtered or named, whole=whole))]
        if method != "GET":
            dependencies.append(Depends(read_write_headers))
        if method != "GET" and "{session}" in path:
            dependencies.append(Depends(read_expected))
        if "{session}" in path:
            dependencies.append(Depends(open_session))
        if "{project}" in path:
            dependencies.append(Depends(open_project))
            # A name may have slashes, as that of a repository has.
            path = path.replace("{project}", "{project:path}")

        def register(handler: Handler) -> Handler:
            self.router.add_api_route(
                path,
                handler,
                methods=[method],
                operation_id=handler.__name__,
                dependencies=dependencies,
                responses=responses,
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
