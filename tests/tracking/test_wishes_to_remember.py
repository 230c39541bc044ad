"""Who asks that something be remembered is heard; who tells of remembering asks for nothing."""

import pytest

from backstory.domain.decisions.memory_requests import asks_to_remember

WISHES = [
    "Remember this: staging is wiped on Sundays.",
    "remember that the key is rotated every night",
    "Don't forget the umlauts.",
    "Please keep in mind that Maria is in Lisbon.",
    "Note that for later.",
    "Could you remember my name?",
    "Make sure you remember the rule about dates.",
    "For future reference, the year starts in April.",
]
NO_WISHES = [
    "I don't remember.",
    "Do you remember the name?",
    "I can't remember whether it works.",
    "As far as I remember it was green.",
    "Remember when the site went down?",
    "I'll keep that in mind.",
    "I'll always remember that day.",
    'The "remember me" box does nothing.',
    "> remember this",
    "```\n# remember this\n```",
    "Note that the port is taken.",
    "",
]


@pytest.mark.parametrize("text", WISHES)
def test_a_wish(text: str) -> None:
    assert asks_to_remember(text)


@pytest.mark.parametrize("text", NO_WISHES)
def test_no_wish(text: str) -> None:
    assert not asks_to_remember(text)
