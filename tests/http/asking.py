"""Requests made from rows of the matrix."""

import re
from typing import Any, NamedTuple

from starlette.testclient import TestClient

from tests.http.matrix import Row
from tests.http.world import Substitutes, filled

_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")


class Route(NamedTuple):
    """A route, as the OpenAPI document describes it."""

    method: str
    path: str
    action: str | None
    filtered: bool
    whole: bool


def routes_of(client: TestClient) -> dict[str, Route]:
    """The routes of a service, by operation id."""
    paths = client.get("/openapi.json").json()["paths"]
    return {
        described["operationId"]: Route(
            method.upper(),
            path,
            described.get("x-action"),
            described.get("x-filtered", False),
            described.get("x-whole", False),
        )
        for path, methods in paths.items()
        for method, described in methods.items()
    }


def ask(
    client: TestClient, route: Route, row: Row, world: Substitutes, secret: str | None
) -> tuple[int, str]:
    """The status and the text that a row's request is answered with."""
    names = {**world, **filled(dict(row.path), world)}
    path = _PARAMETER.sub(lambda found: str(names[found[1]]), route.path)
    headers = {**filled(dict(row.headers), world)}
    if secret is not None:
        headers["Authorization"] = f"Bearer {secret}"
    sent: dict[str, Any] = {}
    if row.content is not None:
        sent["content"] = filled(row.content, world)
    elif row.body is not None:
        sent["json"] = filled(row.body, world)
    with client.stream(
        route.method, path, params=filled(dict(row.query), world), headers=headers, **sent
    ) as answer:
        return answer.status_code, "" if row.streams and answer.is_success else answer.read().decode(
            "latin-1"
        )
