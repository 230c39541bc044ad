"""In a reply to an agent a choice, a refusal or a requirement is a decision; a wish about the talk itself is none."""

import pytest

from backstory.domain.decisions.statements import stated_decisions

DECIDED = {
    "let's go with option 1. I also wonder about the name": "go with option 1",
    "I think 2 is the right approach.": "2 is the right approach",
    "yeah let's do  B": "do  B",
    "ok, let's leave this for a later exercise": "leave this for a later exercise",
    "Let's not leave it all for the end...": "not leave it all for the end",
    "I think I'll stick with the tools I know.": "stick with the tools I know",
    "I've decided to publish twice a week, but I'm wondering if that is enough?": "publish twice a week",
    "Don't fall back, if the field is missing": "Don't fall back, if the field is missing",
    "This should not be changed by the flag": "This should not be changed by the flag",
    "I chose clarity over length, can you check the draft?": "I chose clarity over length",
    "Defer locking for now": "Defer locking for now",
}


@pytest.mark.parametrize("text", DECIDED)
def test_in_many_words(text: str) -> None:
    assert [found.text for found in stated_decisions(text, "user", reply=True)] == [
        " ".join(DECIDED[text].split())
    ]


@pytest.mark.parametrize("text", DECIDED)
def test_between_people_they_are_daily_life(text: str) -> None:
    assert stated_decisions(text, "user") == ()


@pytest.mark.parametrize(
    "text",
    [
        "Let's continue.",
        "Let's do a review first.",
        "Let's set up a meeting.",
        "Let's go with this!",
        "Should we go with option 1?",
        "I'll use these tips when I write.",
        "I'll keep that in mind.",
        "I agreed to see my parents more often.",
        "I went with the flow.",
        "Don't worry about it.",
        "What if option 2 is the right one?",
        "2",
        "Maybe let's not do it.",
        "Can you add a certificate by Let's Encrypt and headers for the API?",
        "Always use lists when I ask about options for the API.",
    ],
)
def test_no_decision_even_so(text: str) -> None:
    assert stated_decisions(text, "user", reply=True) == ()


def test_an_agent_replies_to_nobody() -> None:
    assert stated_decisions("Let's do B.", "agent", reply=True) == ()
