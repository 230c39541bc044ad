"""One named error and one sentence for each kind of bad input, and nothing is left behind."""

from typing import Any

import pytest

from backstory.interfaces.cli.demo.story import Story
from tests.cli.conftest import Cli

S = "SESSION"

CASES: list[tuple[list[Any], int, str]] = [
    (["log", "00000000-0000-7000-8000-000000000000"], 3, "unknown-session"),
    (["log", "ffffffffffff"], 3, "unknown-session"),
    (["log", "no such session"], 2, "invalid-input"),
    (["sessions", "show", ""], 2, "invalid-input"),
    (["at", S, 0], 3, "unknown-version"),
    (["at", S, 19], 3, "unknown-version"),
    (["at", S, 2**40], 3, "unknown-version"),
    (["diff", S, 1, 99], 3, "unknown-version"),
    (["log", S, "--upto", 99], 3, "unknown-version"),
    (["log", S, "--after", "-1"], 2, "invalid-input"),
    (["replay", S, "--upto", 99], 3, "unknown-version"),
    (["backtrack", S, 0, "--why", "x"], 3, "unknown-version"),
    (["backtrack", S, 99, "--why", "x"], 3, "unknown-version"),
    (["backtrack", S, 18, "--why", "x"], 2, "invalid-input"),
    (["backtrack", S, 3, "--why", ""], 2, "invalid-input"),
    (["backtrack", S, 3, "--why", "lone \udc80 surrogate"], 2, "invalid-message"),
    (["fork", S, "--at", 99], 3, "unknown-version"),
    (["fork", S, "--at", 0], 3, "unknown-version"),
    (["fork", S, "--id", "x"], 2, "invalid-input"),
    (["erase", S, 99, "--why", "x"], 3, "unknown-item"),
    (["erase", S, 0, "--why", "x"], 2, "invalid-input"),
    (["erase", S, 2, "--why", ""], 2, "invalid-input"),
    (["erase", S, 18, "--why", "x"], 4, "refused"),
    (["sessions", "start", "--limit", "-5"], 2, "invalid-input"),
    (["sessions", "start", "--encoding", "nope"], 2, "unknown-encoding"),
    (["sessions", "start", "--id", "x"], 2, "invalid-input"),
    (["sessions", "start", "--actor", ""], 2, "invalid-input"),
    (["sessions", "list", "--limit", "0"], 2, "invalid-input"),
    (["verify"], 2, "invalid-input"),
    (["verify", S, "--all"], 2, "invalid-input"),
    (["verify", "--all", "--anchor", "1:00"], 2, "invalid-input"),
    (["verify", S, "--anchor", "one:00"], 2, "invalid-input"),
    (["verify", S, "--anchor", "1:xyz"], 2, "invalid-input"),
]


@pytest.mark.parametrize(("words", "code", "name"), CASES)
def test_named_errors(words: list[Any], code: int, name: str, cli: Cli, story: Story) -> None:
    before = story.session.version
    given = [story.session.id if word == S else word for word in words]
    outcome = cli(*given, "--json")
    assert (outcome.code, outcome.error["code"]) == (code, name)
    assert outcome.out == ""
    plain = cli(*given)
    assert plain.code == code
    assert " ".join(plain.err.split()) == f"error: {outcome.error['message']}"
    assert story.session.version == before


WORDS: list[tuple[list[Any], str]] = [
    (["at", S, "seven"], "VERSION"),
    (["at", S], "VERSION"),
    (["backtrack", S, 3], "--why"),
    (["context", S, "--format", "morse"], "morse"),
    (["sessions", "list", "more"], "more"),
    (["sessions", "list", "--nosuch"], "--nosuch"),
    (["nosuch"], "nosuch"),
    (["--nosuch", "sessions", "list"], "--nosuch"),
]


@pytest.mark.parametrize(("words", "named"), WORDS)
def test_words_that_are_no_command(words: list[Any], named: str, cli: Cli, story: Story) -> None:
    given = [story.session.id if word == S else word for word in words]
    outcome = cli(*given, "--json")
    assert (outcome.code, outcome.error["code"], outcome.out) == (2, "invalid-input", "")
    assert named in outcome.error["message"]
    plain = cli(*given)
    assert (plain.code, plain.out) == (2, "")
    assert named in plain.err
    assert '"error"' not in plain.err


def test_json_behind_two_dashes_is_a_word(cli: Cli, story: Story) -> None:
    outcome = cli("log", story.session.id, "--", "--json")
    assert outcome.code == 2
    assert "Usage: " in outcome.err


def test_a_choice_that_is_none_is_told_with_the_others(cli: Cli) -> None:
    shown = cli("sessions", "list", "--status", "lost", "--json")
    assert shown.code == 2
    assert "Invalid value for '--status': 'lost' is not one of 'open', 'ended'." in shown.err
