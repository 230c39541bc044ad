"""What the history has no room for is told in short: calls with their arguments, results by what later work needs."""

import pytest

from backstory import ContextStore, Session
from backstory.domain.context.composition import FORMATS
from backstory.domain.context.shortened import short_result, stub_of

RESULT = "\n".join(
    [
        "collected 31 items",
        *("plain words here" for _ in range(60)),
        "E TypeError: parse_line(text)",
        "2 failed",
    ]
)


def call_tools(session: Session, first: int, last: int, result: str = RESULT) -> None:
    for number in range(first, last):
        session.tool_call("run", {"command": f"pytest tests/test_{number}.py"}, call_id=f"c{number}")
        session.tool_result(f"c{number}", result)


@pytest.fixture
def worked(store: ContextStore) -> Session:
    session = store.start()
    session.message("Mend the parser.")
    call_tools(session, 0, 60)
    return session


def test_calls_and_what_results_tell_stay(worked: Session) -> None:
    context = worked.context(8_000, summary=None)
    told = context.messages[-1]["content"]
    earlier = context.items("earlier")
    assert max(earlier) < min(item for item in context.items("history") if item != 2)
    line = next(line for line in told.splitlines() if line.startswith(f"- [{earlier[0]}]"))
    for needed in ("pytest tests/test_", "collected 31 items", "TypeError", "parse_line", "2 failed"):
        assert needed in line
    assert "plain words here" not in line


@pytest.mark.parametrize("format", FORMATS)
def test_the_budget_is_spent_and_the_context_can_be_made_again(worked: Session, format: str) -> None:
    for budget in (2_000, 8_000):
        context = worked.context(budget, format=format, reserve=0, summary=None)  # type: ignore[arg-type]
        assert 0.9 * budget < context.tokens <= budget
        assert context.version is not None
        assert worked.reproduce(context.version).ok


def test_the_same_step_is_told_once(store: ContextStore) -> None:
    session = store.start()
    for number in range(3):
        session.tool_call("read", {"path": "src/once.py"}, call_id=f"r{number}")
        session.tool_result(f"r{number}", RESULT)
    call_tools(session, 0, 25)
    context = session.context(8_000, summary=None)
    assert context.messages[-1]["content"].count("[read] src/once.py") == 1
    assert context.left_out["said_elsewhere"] == 2


def test_a_stub_tells_what_the_short_form_tells() -> None:
    stub = stub_of(7, 900, RESULT)
    assert stub.endswith(short_result(RESULT))
    assert short_result(stub) == short_result(RESULT)
