"""A command without help, an example or a place in the reference is not finished."""

import re

import pytest

from backstory.domain.errors import BackstoryError
from backstory.interfaces.cli.manual import EXIT_CODES, MANUALS
from backstory.interfaces.cli.root import every_command
from scripts import docs
from tests.cli.conftest import Cli

COMMANDS = dict(every_command())


def test_the_commands_are_these() -> None:
    assert set(COMMANDS) == {
        *(f"sessions {verb}" for verb in ("list", "show", "start", "end", "resume")),
        *(f"sessions {verb}" for verb in ("hot-context", "recent-history", "restore-view")),
        *(
            "anchor",
            "anchor-key",
            "log",
            "search",
            "feed",
            "feed-status",
            "at",
            "diff",
            "backtrack",
            "fork",
            "replay",
            "verify",
            "validate",
            "erase",
            "sample",
            "demo",
            "import",
            "command",
            "say",
            "sync",
            "watch",
            *(f"capture {verb}" for verb in ("install", "remove", "status", "recap")),
            "context",
            "reproduce",
            "saw",
            "export",
            "audit",
            "purge",
        ),
        *(
            "status",
            "usage",
            "checkpoint",
            "restore",
            "flash-save",
            "prune",
            "compact",
            "expand",
            "dropped",
            "uncompact",
            "undo",
        ),
        "policy check",
        *(f"projections {verb}" for verb in ("run", "set-aside", "retry")),
        "activity",
        *("tiers update", "tiers list", "tiers stats", "mcp", "serve", "worker"),
        *(f"projections {verb}" for verb in ("list", "check", "rebuild")),
        *(f"jobs {verb}" for verb in ("list", "history", "run")),
        *(f"keys {verb}" for verb in ("create", "rotate", "revoke", "list", "calls")),
        *(f"retention {verb}" for verb in ("set", "list", "run")),
        "projects list",
        *(f"task {verb}" for verb in ("context", "list", "show", "stats", "complete", "fail", "clear")),
        *(f"artifacts {verb}" for verb in ("list", "show", "configure", "register", "scan", "remove")),
        *(f"triggers {verb}" for verb in ("list", "set", "check", "dry-run", "run", "history")),
        *(f"artifacts {verb}" for verb in ("load", "layers", "preload", "unload", "unload-stale", "window")),
        *(f"memory {verb}" for verb in ("remember", "recall", "list", "show", "history")),
        *(f"memory {verb}" for verb in ("supersede", "forget", "erase")),
        *(f"memory {verb}" for verb in ("archive", "confirm", "dismiss", "policy")),
        *(
            "reached",
            *(f"safety {verb}" for verb in ("list", "quarantine", "release", "confirm", "clear", "policy")),
        ),
        *(f"db {verb}" for verb in ("upgrade", "status", "distribute", "stop")),
    }


@pytest.mark.parametrize("words", COMMANDS)
def test_help_says_what_it_does_with_an_example_and_exit_codes(words: str, cli: Cli) -> None:
    outcome = cli(*words.split(), "--help")
    shown = " ".join(outcome.out.split())
    assert outcome.code == 0
    assert COMMANDS[words].help
    assert f"backstory {words}" in shown or f"{words}" in shown
    assert MANUALS[words].examples[0] in shown
    assert "Exit codes: 0 done" in shown
    assert ("--json" in shown) is (MANUALS[words].document is not None)


@pytest.mark.parametrize("words", COMMANDS)
def test_every_option_and_argument_is_explained(words: str) -> None:
    for parameter in COMMANDS[words].params:
        assert parameter.help, parameter.name


@pytest.mark.parametrize("words", COMMANDS)
def test_examples_can_be_parsed(words: str) -> None:
    for example in MANUALS[words].examples:
        assert re.match(rf"backstory (--url \S+ )?{words}\b", example), example


def test_every_error_has_a_documented_exit_code() -> None:
    kinds = [BackstoryError]
    for kind in kinds:
        kinds += kind.__subclasses__()
        assert kind.exit_code in EXIT_CODES


def test_the_reference_is_up_to_date() -> None:
    pages = docs.generated(("scripts.reference_cli",))
    assert not docs.stale(pages), "run make docs"
