"""Errors over HTTP are those of Python and of the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore
from backstory.domain.errors import BackstoryError
from backstory.interfaces.http.app import create_app
from backstory.interfaces.http.problems import problem_of, status_of, title_of

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "errors.md"


def errors(kind: type[BackstoryError] = BackstoryError) -> Iterator[type[BackstoryError]]:
    if kind.__module__ == BackstoryError.__module__:
        yield kind
        for one in kind.__subclasses__():
            yield from errors(one)


@pytest.mark.parametrize("kind", list(errors()), ids=lambda kind: kind.code)
def test_an_error_is_one_problem(kind: type[BackstoryError]) -> None:
    error = kind.__new__(kind)
    Exception.__init__(error, "It did not work.")
    vars(error).update(field="title", rule="is too long", seconds=2)
    problem = problem_of(error)
    assert (problem.type, problem.code) == (f"urn:backstory:problem:{kind.code}", kind.code)
    assert (problem.exit_code, problem.title) == (kind.exit_code, title_of(kind))
    assert problem.detail == str(error)
    assert 400 <= problem.status < 600


@pytest.mark.parametrize("kind", list(errors()), ids=lambda kind: kind.code)
def test_the_page_of_errors_has_its_three_names_side_by_side(kind: type[BackstoryError]) -> None:
    (row,) = (line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{kind.__name__}` |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells == [
        f"`{kind.__name__}`",
        str(kind.exit_code),
        str(int(status_of(kind))),
        f"`{problem_of_name(kind)}`",
        title_of(kind),
    ]


def problem_of_name(kind: type[BackstoryError]) -> str:
    return f"urn:backstory:problem:{kind.code}"


def test_a_refusal_is_told_in_the_words_of_python(client: TestClient, store: ContextStore) -> None:
    session = store.start()
    session.end()
    with pytest.raises(BackstoryError) as raised:
        session.message("late")
    answer = client.post(f"/api/v1/sessions/{session.id}/message", json={"content": "late"})
    said = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (said["detail"], said["code"]) == (str(raised.value), raised.value.code)
    assert (answer.status_code, said["status"], said["exit_code"]) == (409, 409, 4)


@pytest.mark.parametrize(
    ("body", "type"),
    [("hello", "application/json"), ('{"content": "x"}', "text/plain"), ("[1]", "application/json")],
)
def test_a_body_that_is_no_json_object_is_told_how_to_send_one(
    client: TestClient, store: ContextStore, body: str, type: str
) -> None:
    path = f"/api/v1/sessions/{store.start().id}/message"
    problem = client.post(path, content=body, headers={"Content-Type": type}).json()
    assert (problem["status"], problem["field"]) == (422, "body")
    assert problem["rule"] == "must be a JSON object, sent as application/json"


def test_what_is_not_expected_says_nothing_of_its_cause(
    store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object, **named: object) -> None:
        raise RuntimeError("postgresql://user:hunter2@db/")

    monkeypatch.setattr(ContextStore, "projects", broken)
    with TestClient(create_app(store), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        answer = client.get("/api/v1/projects")
    assert (answer.status_code, answer.json()["code"]) == (500, "backstory-error")
    assert "hunter2" not in answer.text
