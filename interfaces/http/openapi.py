"""The OpenAPI document: what FastAPI knows of the routes, with problems and examples."""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from backstory.domain.errors import BackstoryError, NotFound
from backstory.interfaces.documents.errors import ProblemDocument
from backstory.interfaces.http.problems import problem_of, status_of
from backstory.interfaces.http.responses import PROBLEM_TYPE
from backstory.interfaces.http.samples import BODIES, TEXTS, sample, sample_of_parameter

JSON = "application/json"
WITHOUT_ERROR = {
    HTTPStatus.BAD_REQUEST: "The body cannot be read.",
    HTTPStatus.REQUEST_TIMEOUT: "The body did not come in time.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too large.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body has an encoding that is not known.",
    HTTPStatus.PRECONDITION_FAILED: "The session or the project is not at the version of If-Match.",
}
"""Statuses that stand for none of Backstory's errors alone."""
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "The ETag of an earlier answer: 304 if it would be the same.",
    "schema": {"type": "string"},
}

Operation = dict[str, Any]


def describe(app: FastAPI) -> None:
    """Makes the application describe itself, problems and examples included."""
    made: dict[str, Any] = {}

    def document() -> dict[str, Any]:
        if not made:
            made.update(described(app))
        return made

    app.openapi = document  # type: ignore[method-assign]


def described(app: FastAPI) -> dict[str, Any]:
    """The document."""
    made = get_openapi(
        title=app.title,
        version=app.version,
        description=app.description,
        routes=app.routes,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    components = made["components"]
    schemas = components["schemas"]
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    schemas[ProblemDocument.__name__] = ProblemDocument.model_json_schema()
    components["responses"] = {str(int(status)): _problem(status) for status in sorted(_statuses())}
    components["parameters"] = {"IfNoneMatch": IF_NONE_MATCH}
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            # FastAPI describes a 422 of its own.
            answers = {status: one for status, one in operation["responses"].items() if status != "422"}
            problems = {
                str(int(status)): {"$ref": f"#/components/responses/{int(status)}"}
                for status in sorted(_answered(method, path, operation))
            }
            operation["responses"] = problems | answers
            if method == "get" and operation.get("x-action") is not None:
                operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/IfNoneMatch"})
                operation["responses"].setdefault(
                    "304", {"description": "The client has the answer already."}
                )
            _add_examples(operation, schemas)
    return made


def _statuses() -> dict[HTTPStatus, list[str]]:
    """The statuses of problems, each with the codes of the errors that it stands for."""
    found: dict[HTTPStatus, list[str]] = {status: [] for status in WITHOUT_ERROR}
    waiting: list[type[BackstoryError]] = [BackstoryError]
    while waiting:
        error = waiting.pop(0)
        found.setdefault(status_of(error), []).append(error.code)
        waiting += error.__subclasses__()
    return found


def _problem(status: HTTPStatus) -> dict[str, Any]:
    codes = _statuses()[status]
    description = WITHOUT_ERROR.get(status) or f"{status.phrase}: {', '.join(dict.fromkeys(codes))}."
    answer: dict[str, Any] = {"schema": {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}}
    if status is HTTPStatus.NOT_FOUND:
        said = problem_of(NotFound("there is no such thing.")).as_json()
        answer["example"] = {name: value for name, value in said.items() if value is not None}
    return {"description": description, "content": {PROBLEM_TYPE: answer}}


def _answered(method: str, path: str, operation: Operation) -> set[HTTPStatus]:
    """The statuses of the problems that an operation may be answered with."""
    found = {HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.SERVICE_UNAVAILABLE}
    if "parameters" in operation or "requestBody" in operation:
        found |= {HTTPStatus.UNPROCESSABLE_ENTITY}
    if "requestBody" in operation:
        found |= {
            HTTPStatus.BAD_REQUEST,
            HTTPStatus.REQUEST_TIMEOUT,
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        }
    if path not in ("/livez", "/readyz"):
        found |= {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}
    if operation.get("x-action") is not None:
        found |= {HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.GONE}
    if method != "get" and ("{session}" in path or "{project}" in path):
        found |= {HTTPStatus.PRECONDITION_FAILED}
    return found


def _add_examples(operation: Operation, schemas: dict[str, Any]) -> None:
    """Gives an operation examples of what it takes and answers, where it has none."""
    name = operation["operationId"]
    for parameter in operation.get("parameters", ()):
        if "$ref" in parameter:
            continue
        example = sample_of_parameter(parameter, schemas)
        if example is not None:
            parameter.setdefault("example", example)
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        if kind == JSON:
            body.setdefault("example", BODIES.get(name) or sample(body["schema"], schemas, whole=False))
        elif name in TEXTS:
            body.setdefault("example", TEXTS[name])
    for answer in operation["responses"].values():
        for kind, body in answer.get("content", {}).items():
            if kind == JSON and body.get("schema"):
                body.setdefault("example", sample(body["schema"], schemas, whole=True))
