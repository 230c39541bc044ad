"""The error about a budget that is too small names what has to fit, in numbers that add up."""

import re
from typing import Any

import pytest

from backstory import BudgetTooSmall, ContextStore
from backstory.domain.context.composition import FORMATS


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("wanted", [{}, {"reserve": 0}, {"reserve": 300}])
def test_its_numbers_add_up_and_name_the_items(
    format: Any, wanted: dict[str, int], store: ContextStore
) -> None:
    session = store.start()
    session.set_system_prompt("Be careful. " * 20)
    session.work.add_constraint("No network.")
    session.decide("Use Postgres")
    session.work.start_task("T-1", "Mend the parser")
    session.work.set_goal("goal " * 50)
    session.message("word " * 700)
    session.tool_call("read", {}, call_id="c")
    session.tool_result("c", "result " * 100)
    with pytest.raises(BudgetTooSmall) as refused:
        session.context(700, format=format, **wanted)
    said = str(refused.value)
    for part in (
        "the system prompt (item 2)",
        "constraints and last decisions (items 3-4)",
        "the current task (item 5)",
        "the newest user message (item 7)",
        "the newest tool exchange (item 8)",
        "goals, files and actions",
    ):
        assert part in said
    numbers = [int(number) for number in re.findall(r" (\d+)(?:,|\.$)", said.partition("Needed are: ")[2])]
    assert sum(numbers) == refused.value.needed
    assert f"at least {refused.value.needed} tokens, got 700" in said
    fitting = session.context(refused.value.needed, format=format, **wanted)
    assert fitting.tokens + fitting.reserve <= refused.value.needed


def test_what_the_provider_counts_more_is_one_of_the_numbers(store: ContextStore) -> None:
    session = store.start(model="m")
    session.message("word " * 500)
    context = session.context(8_000)
    session.model_called(context, "m", {"prompt_tokens": context.tokens * 2, "completion_tokens": 1})
    with pytest.raises(BudgetTooSmall, match=r"what the provider counts more \d+") as refused:
        session.context(700)
    numbers = [
        int(number) for number in re.findall(r" (\d+)(?:,|\.$)", str(refused.value).partition("are: ")[2])
    ]
    assert sum(numbers) == refused.value.needed
