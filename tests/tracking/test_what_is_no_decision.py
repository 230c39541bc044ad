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
    assert stated_decisions("Go with option B.", "user")
    assert not stated_decisions("Go with option B.", "agent")


def test_what_stands_after_a_fence_counts_again() -> None:
    (found,) = stated_decisions("```\nlet's use Kafka\n```\nLet's use NATS.", "user")
    assert found.text == "use NATS"
