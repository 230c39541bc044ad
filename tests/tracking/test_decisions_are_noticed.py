"""A decision that is only said is noticed: what was decided, without the words that frame it, and why."""

import pytest

from backstory.domain.decisions.statements import decides, stated_decisions
from backstory.domain.text.markdown import READ, own_words

NOTICED = {
    "Let's use RS256.": ("use RS256", None),
    "Okay, we'll go with Postgres because we run it already.": ("go with Postgres", "we run it already"),
    "We decided to drop Python 3.9 so that we can use match.": ("drop Python 3.9", "we can use match"),
    "I've chosen Redis, as it has a TTL for keys.": ("I've chosen Redis", "it has a TTL for keys"),
    "use RS256 instead of HS256": ("use RS256 instead of HS256", None),
    "Agreed: one release a week.": ("one release a week", None),
    "The decision is to keep the old storage.": ("keep the old storage", None),
    "**Decision:** tokens live one hour": ("tokens live one hour", None),
    "Since it is internal, let's drop rate limits.": ("drop rate limits", "it is internal"),
    "The library is dead, so we'll drop the adapter.": ("drop the adapter", "The library is dead"),
    "We settled on Kafka. The reason is throughput.": ("We settled on Kafka", "throughput"),
    "We decided not to encrypt the index.": ("not to encrypt the index", None),
    "For the cache, let's use Valkey.": ("For the cache, let's use Valkey", None),
    "As you suggested, let's use a queue.": ("use a queue", None),
    "Postgres it is.": ("Postgres it is", None),
    "From now on all times are UTC.": ("all times are UTC", None),
    "Let’s use “strict” mode.": ("use “strict” mode", None),
}


@pytest.mark.parametrize("text", NOTICED)
def test_in_many_words(text: str) -> None:
    assert [(found.text, found.rationale) for found in stated_decisions(text, "user")] == [NOTICED[text]]


def test_each_of_several_in_their_order() -> None:
    text = "Let's use Postgres. The rest is open. We'll go with Redis for the cache."
    assert [found.text for found in stated_decisions(text, "user")] == [
        "use Postgres",
        "go with Redis for the cache",
    ]


def test_where_it_stands_although_its_lines_are_wrapped() -> None:
    text = "After long talks with both of the teams that run the thing we have decided to use\nthe  old format for now."
    (found,) = stated_decisions(text, "user")
    assert found.text == "use the old format for now"
    assert " ".join(text[found.start : found.end].split()) == found.text


def test_its_place_holds_when_a_letter_grows_in_lower_case() -> None:
    text = "İİİ. Let's use RS256."
    (found,) = stated_decisions(text, "user")
    assert text[found.start : found.end] == "use RS256"


def test_of_users_and_agents_only() -> None:
    text = "We decided to use RS256."
    assert stated_decisions(text, "agent")
    assert not stated_decisions(text, "system")
    assert not stated_decisions(text, "tool")


def test_only_in_the_part_that_is_read() -> None:
    assert not stated_decisions("x" * READ + "\n\nLet's use RS256.", "user")


@pytest.mark.parametrize("text", [*NOTICED, "Should we use RS256?", ""])
def test_whether_there_is_one_is_known_without_reading_on(text: str) -> None:
    assert decides(text, own_words(text), "user") == bool(stated_decisions(text, "user"))
