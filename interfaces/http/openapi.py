"""The OpenAPI document."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from backstory.interfaces.documents.errors import ProblemDocument


def describe(app: FastAPI) -> None:
    """Makes the application describe itself, problems included."""
    made: dict[str, Any] = {}

    def document() -> dict[str, Any]:
        if not made:
            made.update(
                get_openapi(
                    title=app.title, version=app.version, description=app.description, routes=app.routes
                )
            )
            schemas = made.setdefault("components", {}).setdefault("schemas", {})
            schemas[ProblemDocument.__name__] = ProblemDocument.model_json_schema()
        return made

    app.openapi = document  # type: ignore[method-assign]
