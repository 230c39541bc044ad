"""The page of the HTTP API is that of the OpenAPI document, and names what each command is over HTTP."""

from pathlib import Path

from backstory.interfaces.cli.root import every_command
from backstory.interfaces.http.app import create_app
from scripts import docs
from scripts.reference_http import COMMANDS, LOCAL, PAGE, render


def test_the_page_is_current() -> None:
    assert Path(PAGE).read_text() == render(), "run `make docs`"
    assert "scripts.reference_http" in docs.TEXTS


def test_every_command_has_operations_or_a_reason_to_have_none() -> None:
    assert {words for words, _ in every_command()} == {*COMMANDS, *LOCAL}
    assert not COMMANDS.keys() & LOCAL.keys()


def test_every_operation_has_its_row() -> None:
    page = render()
    paths = create_app(None).openapi()["paths"]  # type: ignore[arg-type]
    for path, methods in paths.items():
        for method in methods:
            assert f"| {method.upper()} `{path}` |" in page
