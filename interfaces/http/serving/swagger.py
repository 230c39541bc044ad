"""The API's documentation: its OpenAPI document, and Swagger UI at /docs, served from this installation."""

import json
from importlib.resources import files

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FILES = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript"}

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Backstory: API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="api"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
"""
# Collapsed and without the list of schemas: the document is large.
_START = """SwaggerUIBundle({
    url: "openapi.json", dom_id: "#api", deepLinking: true, filter: true,
    docExpansion: "none", defaultModelsExpandDepth: -1
})
"""


def add_documentation(app: FastAPI) -> None:
    """Adds the documentation to an application. A policy lets it load from nowhere else, and lets no script but its
    own run."""
    made: list[bytes] = []

    def document(request: Request) -> Response:
        """In a thread: it takes seconds to make, once."""
        if not made:
            made.append(json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode())
        return Response(made[0], media_type="application/json", headers={"Cache-Control": "no-cache"})

    app.router.routes.append(Route("/openapi.json", document, name="openapi"))
    app.router.routes.append(Route("/docs", _page, name="docs"))
    app.router.routes.append(Route("/docs/{file}", _file, name="docs_file"))


def _page(request: Request) -> Response:
    return HTMLResponse(_PAGE, headers={"Content-Security-Policy": CSP})


def _file(request: Request) -> Response:
    name = request.path_params["file"]
    if name == "start.js":
        return Response(_START, media_type="text/javascript")
    if name not in FILES:
        raise HTTPException(404)
    found = files("fastapi_swagger").joinpath("resources", name).read_bytes()
    return Response(found, media_type=FILES[name], headers={"Cache-Control": "no-cache"})
