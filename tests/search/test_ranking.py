"""What a query finds first."""

from backstory.domain.search.ranking import Hit, select
from tests.search.corpora import order


def test_the_text_with_the_rarer_word_comes_first() -> None:
    texts = [
        (n, text) for n, text in enumerate(["tea and milk", "tea and saffron", "tea", "tea leaves", "rain"])
    ]
    assert order("saffron tea", texts)[0] == 1


def test_what_stands_beside_a_match_is_found_too_within_its_session() -> None:
    texts = [(1, "Where did you go?"), (1, "We went to Lisbon."), (2, "Nothing here.")]
    assert order("Lisbon", texts) == [1, 0]


def test_without_a_match_nothing_is_found() -> None:
    assert order("Lisbon", ["rain", "snow"]) == order("the of", ["rain"]) == order("", ["rain"]) == []


def test_the_order_does_not_depend_on_the_order_of_the_query_s_words() -> None:
    texts = ["red green", "green blue", "blue red", "red", "green green", "blue"]
    assert order("red green blue", texts) == order("blue red green", texts)


def test_a_budget_goes_to_what_is_worth_its_tokens_and_is_shown_in_order_of_time() -> None:
    hits = [Hit(5, 1.0), Hit(2, 0.9), Hit(9, 0.8)]
    assert select(hits, {5: 1000, 2: 10, 9: 10}, 1000) == [2, 9]
    assert select(hits, {5: 12, 2: 10, 9: 10}, 25) == [2, 5]
    assert select(hits, {5: 12, 2: 10, 9: 10}, 9) == []
