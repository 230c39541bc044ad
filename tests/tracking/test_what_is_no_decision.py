"""A question, a supposition, a proposal, a report and a quotation decide nothing."""

import pytest

from backstory.domain.decisions.statements import stated_decisions

NOTHING = [
    "Should we use RS256?",
    "Did we decide to use RS256?",
    "What if we used RS256?",
    "If we decided to use Kafka, who would run it?",
    "We'll use Kafka if the traffic doubles.",
    "We could use Kafka.",
    "Maybe we'll go with Kafka.",
    "I would go with Kafka.",
    "I think we should use Kafka.",
    "We haven't decided on a database yet.",
    "We never agreed to use Kafka.",
    "No decision yet.",
    "The decision is still open.",
    "They decided to use Kafka.",
    "Jonas said we'll go with Kafka.",
    "In 2019 we decided on Angular.",
    'The page says "we decided to use Kafka" and nobody knows why.',
    "> We decided to use Kafka",
    "```\n# we decided to use Kafka\n```",
    "~~~ text\nLet's use Kafka.\n~~~",
    "```\nLet's use Kafka.",
    "Once we've decided on the schema, go on.",
    "Let's see what it says.",
    "Let's talk tomorrow.",
    "I'll use grep to find it.",
    "I'll keep you posted.",
    "Use the search tool to find it.",
    "The linter decided that the line is too long.",
    "",
]


@pytest.mark.parametrize("text", NOTHING)
@pytest.mark.parametrize("role", ["user", "agent"])
def test_nothing_is_stated_decisions(text: str, role: str) -> None:
    assert stated_decisions(text, role) == ()


def test_an_order_is_a_decision_of_a_user_alone() -> None:
    assert stated_decisions("Go with Postgres.", "user")
    assert not stated_decisions("Go with Postgres.", "agent")


@pytest.mark.parametrize(
    "text",
    [
        "I took my kids to a park because they love it.",
        "I chose the red one because it's bold, just like me!",
        "We decided to go camping, which was awesome.",
        "I'll keep these tips in mind and stick to the plan.",
        "Just keep the area clean and feed them properly.",
        "I'll use Postgres to gather the numbers.",
    ],
)
def test_daily_life_decides_nothing(text: str) -> None:
    assert stated_decisions(text, "user") == ()


@pytest.mark.parametrize(
    "text",
    [
        "Let's use Redis, it keeps things simple.",
        "I'll use a subagent with Postgres.",
        "1. **Use Visual Aids**: draw the API.\n2. **Keep a Journal** of every SQL query.",
    ],
)
def test_what_an_agent_advises_or_does_next_decides_nothing(text: str) -> None:
    assert stated_decisions(text, "agent") == ()


def test_a_list_or_a_document_gives_no_orders() -> None:
    rule = "Use Postgres instead of Redis."
    assert stated_decisions(rule, "user")
    assert stated_decisions(f"- {rule}", "user") == ()
    assert stated_decisions(f"# A skill\n\n{rule}", "user") == ()
    assert stated_decisions(f"{rule} " + "It goes on. " * 200, "user") == ()


def test_a_fragment_is_none() -> None:
    assert stated_decisions("We've chosen `fmt.Fprintf(os.Stderr because it is there.", "user") == ()


def test_what_stands_after_a_fence_counts_again() -> None:
    (found,) = stated_decisions("```\nlet's use Kafka\n```\nLet's use NATS.", "user")
    assert found.text == "use NATS"
