"""Each route names the action that its caller must be allowed, and stands in the matrix."""

from starlette.testclient import TestClient

from tests.http.matrix import MATRIX


def test_the_matrix_has_every_route(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    routes = [route for methods in paths.values() for route in methods.values()]
    assert len({route["operationId"] for route in routes}) == len(routes)
    assert {route["operationId"]: route.get("x-action") for route in routes} == {
        operation: row.action for operation, row in MATRIX.items()
    }
