"""The page: built files beside the API, or a plain text while there are none."""

import os
from html import escape
from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
API = ("/api", "/mcp", "/docs", "/openapi.json", "/livez", "/readyz", "/metrics", "/login", "/logout")
"""Paths that are the API's, also where it has nothing there."""
BUILT = Path(__file__).parents[1] / "page"
"""Its folder in this installation."""
HASHED = "/assets/"
"""Files below have their content's hash in their names."""

_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Backstory</title>
<h1>Backstory</h1>
<p>The service runs. Its page is not built yet: <code>make page</code> builds it into <code>{folder}</code>, and it
appears here as soon as it is there.</p>
<p><a href="/docs">The API's documentation</a></p>
</html>
"""


class _PageRoute(Route):
    """Everything but what is the API's."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        path = scope.get("path", "")
        if any(path == own or path.startswith(own + "/") for own in API):
            return Match.NONE, {}
        return super().matches(scope)


class Page:
    """Answers with the files of a folder. Looks at each request, since the page may be built meanwhile."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def add_to(self, app: FastAPI) -> None:
        """Adds the page to an application."""
        app.router.routes.append(_PageRoute("/{path:path}", self.page, name="page"))

    def page(self, request: Request) -> Response:
        """The file at a path or, since the page reads paths itself, its one document."""
        path = request.path_params["path"]
        headers = {"Content-Security-Policy": CSP}
        if (file := self._file(path)) is not None:
            kept = f"/{path}".startswith(HASHED)
            headers["Cache-Control"] = "public, max-age=31536000, immutable" if kept else "no-cache"
            return FileResponse(file, headers=headers)
        if f"/{path}".startswith(HASHED) or "." in path.rsplit("/", 1)[-1]:
            raise HTTPException(404)
        headers["Cache-Control"] = "no-cache"
        if (index := self._file("index.html")) is not None:
            return FileResponse(index, headers=headers)
        return HTMLResponse(_NOT_BUILT.format(folder=escape(str(self._folder or "-"))), headers=headers)

    def _file(self, path: str) -> Path | None:
        if self._folder is None or not path or "\0" in path:
            return None
        folder = os.path.realpath(self._folder)
        file = os.path.realpath(os.path.join(folder, path))
        inside = os.path.commonpath([folder, file]) == folder
        return Path(file) if inside and os.path.isfile(file) else None
