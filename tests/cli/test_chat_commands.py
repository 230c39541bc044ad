"""`backstory command`: the answer for people or as JSON, and an exit code."""

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


def test_it_is_done_and_answered(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    done = cli("command", session.id, "/set_goal Implement JWT", "--actor", "ana")
    assert (done.code, done.out) == (0, "GOAL-2 set: Implement JWT\n")
    assert session.state.goals[2].agent == "ana"


def test_as_json(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    found = cli("command", session.id, "/log_decision Use RS256 because safer", "--json").document
    assert (found["ok"], found["events"], found["data"]["rationale"]) == (True, [2], "safer")
    assert "/set_goal" in found["available"]


def test_what_cannot_be_done_is_refused(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    refused = cli("command", session.id, "/complete_goal x")
    assert (refused.code, refused.out) == (4, "/complete_goal is available when a goal is open.\n")
    assert cli("command", session.id, "/complete_goal x", "--json").document["ok"] is False


def test_what_is_no_command_is_bad_input(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    refused = cli("command", session.id, "hello", "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid-input")


def test_it_may_be_repeated_under_a_key(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    for _ in range(2):
        assert cli("command", session.id, "/remember the port", "--key", "k").code == 0
    assert [event.type for event in session.events(after=2)] == ["item.pinned", "command.executed"]


def test_an_answer_cannot_steer_the_terminal(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    shown = cli("command", session.id, "/set_goal \x1b[31m[bold]red[/bold]")
    assert "\x1b" not in shown.out
    assert "[bold]red[/bold]" in shown.out
