"""The entry point itself: version, usage errors, and the same outcomes as in this process."""

import pytest

import backstory
from backstory.interfaces.cli.demo.story import Story
from tests.cli.conftest import Cli


def test_version(program: Cli) -> None:
    assert program("--version").out == f"backstory {backstory.__version__}\n"


@pytest.mark.parametrize(
    "words", [["nonsense"], ["log"], ["at", "last", "seven"], ["log", "last", "--nonsense"]]
)
def test_usage_errors_keep_their_exit_code(words: list[str], cli: Cli) -> None:
    outcome = cli(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Usage: backstory")


def test_without_a_command_it_shows_the_help(cli: Cli) -> None:
    outcome = cli()
    assert "Usage: backstory" in outcome.out + outcome.err


def test_a_terminal_that_lacks_characters(program: Cli, story: Story) -> None:
    plain = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    outcome = program("log", story.session.id, env=plain)
    assert outcome.code == 0
    assert outcome.out.isascii()
    found = program("log", story.session.id, "--json", env=plain)
    assert found.out.isascii()
    assert found.documents[6]["contents"][0]["kind"] == "tool_result"


def test_errors_are_one_sentence(program: Cli, story: Story) -> None:
    outcome = program("at", story.session.id, 99)
    assert outcome.code == 3
    assert outcome.out == ""
    assert outcome.err.startswith("error: version 99 does not exist")
    assert outcome.err.count("\n") == 1
