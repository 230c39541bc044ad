"""The OpenAPI document, and its page."""

import re
from typing import Any

import jsonschema_rs
import pytest
from starlette.testclient import TestClient

BYTES = "application/octet-stream"


@pytest.fixture(scope="module")
def described(client: TestClient) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/openapi.json").json()
    return document


def bodies(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The bodies of requests and of answers with success, by operation."""
    found = []
    for operations in described["paths"].values():
        for operation in operations.values():
            name = operation["operationId"]
            parts = [operation.get("requestBody", {}), *operation["responses"].values()]
            found += [
                (name, body)
                for part in parts
                for kind, body in part.get("content", {}).items()
                if kind == "application/json"
            ]
    return found


def test_every_body_has_an_example_that_its_schema_allows(described: dict[str, Any]) -> None:
    found = bodies(described)
    assert len(found) > 200
    for name, body in found:
        if not body.get("schema"):
            continue
        schema = {**body["schema"], "components": described["components"]}
        wrong = list(jsonschema_rs.Draft202012Validator(schema).iter_errors(body["example"]))
        assert not wrong, (name, wrong[0].message)


def test_every_parameter_s_example_is_allowed(described: dict[str, Any]) -> None:
    for operations in described["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if "example" in parameter:
                    schema = {**parameter["schema"], "components": described["components"]}
                    assert jsonschema_rs.is_valid(schema, parameter["example"]), (
                        operation["operationId"],
                        parameter["name"],
                    )


def test_every_operation_says_what_it_does_and_what_may_go_wrong(described: dict[str, Any]) -> None:
    problems = set(described["components"]["responses"])
    for operations in described["paths"].values():
        for method, operation in operations.items():
            assert re.fullmatch(r"[a-z][a-z0-9_]*", operation["operationId"])
            assert operation["summary"]
            assert operation["tags"]
            assert {"500", "503"} <= set(operation["responses"])
            if "x-action" in operation:
                assert {"401", "403", "404", "409", "429"} <= set(operation["responses"])
                assert operation["security"] == [{"key": []}]
            if method != "get" and "requestBody" in operation:
                assert {"400", "413", "422"} <= set(operation["responses"])
            for answer in operation["responses"].values():
                assert "$ref" not in answer or answer["$ref"].rsplit("/", 1)[-1] in problems


def test_names_of_schemas_are_plain(described: dict[str, Any]) -> None:
    for name in described["components"]["schemas"]:
        assert re.fullmatch(r"[A-Za-z]+", name), name


def test_the_page_loads_nothing_from_elsewhere(client: TestClient) -> None:
    page = client.get("/docs")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "script-src 'self';" in page.headers["content-security-policy"]
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(loaded) == 3
    for file in loaded:
        answer = client.get(f"/{file}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(("text/css", "text/javascript"))
    assert "//" not in page.text.replace("<!doctype", "")
    assert '"openapi.json"' in client.get("/docs/start.js").text
    assert client.get("/docs/other.js").status_code == 404
