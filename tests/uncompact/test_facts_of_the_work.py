"""Facts are read from what was said and done, typed and with their status."""

import json

import pytest

from backstory.domain.recap.facts import Fact, facts_of, ranked
from tests.uncompact.steps import Steps


@pytest.fixture
def steps() -> Steps:
    return Steps()


def found(steps: Steps, kind: str) -> list[Fact]:
    return [fact for fact in facts_of(steps.made) if fact.kind == kind]


def test_the_newest_request_and_standing_instructions(steps: Steps) -> None:
    rule = steps.user("Fix the sign-in. Never push to main, and do not touch the migrations.")
    steps.agent("Done.")
    last = steps.user("Now add a test for the expired token.")
    (request,) = found(steps, "request")
    assert (request.text, request.item) == ("Now add a test for the expired token.", last)
    assert [(fact.text, fact.item) for fact in found(steps, "instruction")] == [
        ("Never push to main, and do not touch the migrations.", rule)
    ]


def test_what_a_program_says_in_the_user_s_name_is_no_request(steps: Steps) -> None:
    steps.user("Fix the sign-in.")
    steps.user("<local-command-stdout>You must always run make</local-command-stdout>")
    assert [fact.text for fact in found(steps, "request")] == ["Fix the sign-in."]
    assert found(steps, "instruction") == []


def test_a_question_is_open_until_somebody_answers(steps: Steps) -> None:
    steps.agent("Both ways work.\n\nShall I keep the old endpoint?")
    assert [(fact.text, fact.status) for fact in found(steps, "question")] == [
        ("Shall I keep the old endpoint?", "PENDING")
    ]
    steps.user("No.")
    assert found(steps, "question") == []


def test_a_call_without_its_result_is_pending(steps: Steps) -> None:
    call = steps.call("Bash", None, command="npm run migrate")
    (fact,) = found(steps, "pending")
    assert (fact.text, fact.item, fact.status) == ("npm run migrate", call, "PENDING")


def test_the_newest_list_of_things_to_do(steps: Steps) -> None:
    steps.call("TodoWrite", "ok", todos=[{"content": "old", "status": "pending"}])
    steps.call(
        "TodoWrite",
        "ok",
        todos=[
            {"content": "Write the parser", "status": "completed"},
            {"content": "Test it", "status": "in_progress"},
            {"content": "Document it", "status": "pending"},
        ],
    )
    assert [(fact.text, fact.status, fact.note) for fact in found(steps, "todo")] == [
        ("Write the parser", "DONE", None),
        ("Test it", "PENDING", "in progress"),
        ("Document it", "PENDING", None),
    ]


def test_a_failure_counts_until_the_same_program_goes_well(steps: Steps) -> None:
    steps.call("Bash", "3 failed, 12 passed", error=True, command="pytest tests/test_api.py")
    steps.call("Bash", "undefined: token", error=True, command="go build ./...")
    failed = {fact.text: fact.note for fact in found(steps, "failure")}
    assert failed == {"pytest tests/test_api.py": "3 failed, 12 passed", "go build ./...": "failed"}
    steps.call("Bash", "", command="cd api && go build ./cmd/... 2>&1 | tail -3")
    assert [fact.text for fact in found(steps, "failure")] == ["pytest tests/test_api.py"]


def test_commands_keep_how_they_ended(steps: Steps) -> None:
    steps.call("Bash", "....\n41 passed in 2.1s", command="pytest -q")
    assert [(fact.text, fact.note) for fact in found(steps, "command")] == [("pytest -q", "41 passed")]


def test_looks_and_the_same_shown_otherwise_come_last(steps: Steps) -> None:
    steps.call("Bash", "ok", command="make build")
    steps.call("Bash", "41 passed", command="pytest -q 2>&1 | tail -20")
    steps.call("Bash", "41 passed", command="pytest -q")
    steps.call("Bash", "x", command="grep -rn limit src")
    told = [fact.text for fact in ranked(facts_of(steps.made), "command")]
    assert told[:2] == ["pytest -q", "make build"]
    assert sorted(told[2:]) == ["grep -rn limit src", "pytest -q 2>&1 | tail -20"]


def test_what_could_always_be_done_is_no_instruction(steps: Steps) -> None:
    steps.user("We can always render it on the way out.")
    assert found(steps, "instruction") == []


def test_a_shell_and_its_status_are_read(steps: Steps) -> None:
    output = json.dumps({"output": "2 failed", "metadata": {"exit_code": 1}})
    steps.call("shell", output, command=["bash", "-lc", "pytest -q"])
    assert [fact.text for fact in found(steps, "failure")] == ["pytest -q"]


def test_a_refused_call_keeps_the_user_s_reason(steps: Steps) -> None:
    steps.call(
        "Bash",
        "The user doesn't want to proceed with this tool use. The user said:\nuse the branch",
        error=True,
        command="git push origin main",
    )
    assert [(fact.text, fact.note) for fact in found(steps, "rejected")] == [
        ("git push origin main", "use the branch")
    ]
    assert found(steps, "failure") == []


def test_files_by_how_often_and_how_lately_they_were_worked_on(steps: Steps) -> None:
    steps.call("Read", "text", file_path="/repo/read_once.py")
    for _ in range(3):
        steps.call("Edit", "ok", file_path="/repo/edited.py", old_string="a", new_string="b")
    steps.call("Read", "rules", file_path="/repo/web/CLAUDE.md")
    steps.call("str_replace_editor", "ok", command="create", path="/repo/made.py", file_text="x")
    files = {fact.text: fact for fact in found(steps, "file")}
    assert {path: fact.note for path, fact in files.items()} == {
        "/repo/read_once.py": None,
        "/repo/edited.py": "3 edits",
        "/repo/made.py": "edited",
    }
    assert files["/repo/edited.py"].worth > files["/repo/made.py"].worth > files["/repo/read_once.py"].worth
    assert [fact.text for fact in found(steps, "rule")] == ["/repo/web/CLAUDE.md"]


@pytest.mark.parametrize("arguments", ['["a"]', "not json", "{}", '{"command": 5}', '{"command": null}'])
def test_calls_in_any_form_are_read(steps: Steps, arguments: str) -> None:
    call = steps.call("Odd", "ok", command="x")
    step = steps.made[-1]
    odd = step.parts[0].__class__("tool_use", arguments.encode(), "application/json", "c", "Odd")
    steps.made[-1] = step._replace(parts=(odd, *step.parts[1:]))
    assert call
    assert facts_of(steps.made) == []
