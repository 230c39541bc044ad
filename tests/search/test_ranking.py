"""What a query finds first."""

import random
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from backstory.domain.errors import InvalidInput
from backstory.domain.search.corpus import Corpus
from backstory.domain.search.ranking import RANKERS, Hit, rank, select
from backstory.domain.values import microseconds
from tests.search.corpora import corpus_of, order


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


def test_where_there_is_room_the_newest_that_do_not_match_come_last() -> None:
    corpus = corpus_of("Lisbon", [(n, text) for n, text in enumerate(["Lisbon", "rain", "snow", "hail"])])
    assert [hit.position for hit in rank("Lisbon", corpus, most=3, unmatched=True)] == [0, 3, 2]


def test_the_person_who_is_named_comes_before_another() -> None:
    texts = [(1, "I bought a bicycle.", "Ann"), (2, "I bought a bicycle.", "Bo"), (3, "Rain again.", "Bo")]
    assert order("What did Ann buy? A bicycle?", texts)[0] == 0
    assert order("What did Bo buy? A bicycle?", texts)[0] == 1


def test_a_name_alone_is_looked_for_in_the_texts() -> None:
    texts = [(1, "Rain again.", "Ann"), (2, "Have you seen Ann?", "Bo"), (3, "Snow.", "Bo")]
    assert order("Ann", texts) == [1]


def test_who_speaks_and_asks_does_not_matter_where_one_agent_works() -> None:
    """Features for two persons in conversation must not act on runs of an agent."""
    texts = ["Which retry limit?", "Retry limit is 5.", "The coder set the retry limit."]
    named = [(n, text, "coder") for n, text in enumerate(texts)]
    unnamed = list(enumerate(texts))
    query = "What retry limit did the coder set?"
    assert rank(query, corpus_of(query, named)) == rank(query, corpus_of(query, unnamed))


def test_a_month_that_is_named_is_looked_for_in_the_dates() -> None:
    query = "Where did we camp in July 2023?"
    corpus = corpus_of(query, [(n, "We went camping at the lake.") for n in range(3)])
    dates = [
        datetime(2023, 6, 1, tzinfo=UTC),
        datetime(2023, 7, 9, tzinfo=UTC),
        datetime(2024, 7, 1, tzinfo=UTC),
    ]
    documents = {n: one._replace(time=microseconds(dates[n])) for n, one in corpus.documents.items()}
    assert rank(query, replace(corpus, documents=documents))[0].position == 1


def test_may_is_a_month_only_in_its_place() -> None:
    for query, dated in (
        ("What may we cook?", False),
        ("May we cook?", False),
        ("What did we cook in May?", True),
    ):
        corpus = corpus_of(query, [(n, "We cook soup.") for n in range(2)])
        may = microseconds(datetime(2023, 5, 1, tzinfo=UTC))
        documents = corpus.documents | {0: corpus.documents[0]._replace(time=may)}
        # Of equals, the newer one comes first.
        assert (rank(query, replace(corpus, documents=documents))[0].position == 0) is dated, query


def test_more_documents_than_are_ranked_leave_the_best_as_they_are() -> None:
    texts = [(n, "retry limit of the gateway" if n % 7 == 0 else f"note {n}") for n in range(200)]
    texts[140] = (140, "The retry limit of the payment gateway is 5.")
    query = "payment gateway retry limit"
    corpus = corpus_of(query, texts)
    assert [hit.position for hit in rank(query, corpus, most=5)] == [
        hit.position for hit in rank(query, corpus)
    ][:5]


def test_only_some_are_ranked_when_only_they_are_asked_for() -> None:
    """They come in the order that they have among all, however many others are better."""
    texts = [(n, f"retry limit {'of the gateway' if n % 3 else ''}") for n in range(60)]
    corpus = corpus_of("gateway retry limit", texts)
    every = [hit.position for hit in rank("gateway retry limit", corpus)]
    asked = {3, 6, 9, 10, 57}
    found = [hit.position for hit in rank("gateway retry limit", corpus, most=5, among=asked)]
    assert found == [position for position in every if position in asked]
    assert rank("gateway", corpus, among=set()) == []


def test_the_order_depends_on_no_other_order() -> None:
    """Not on that of the query's words, of the documents, or of the postings."""
    shuffle = random.Random(1).shuffle
    words = ["red", "green", "blue", "black", "white"]
    texts = [" ".join(random.Random(n).choices(words, k=4)) for n in range(60)]
    corpus = corpus_of(" ".join(words), texts)
    expected = rank(" ".join(words), corpus)
    for _ in range(5):
        shuffle(words)
        documents = list(corpus.documents.items())
        shuffle(documents)
        postings = {}
        for word in sorted(corpus.postings, key=words.index):
            places = list(corpus.postings[word].items())
            shuffle(places)
            postings[word] = dict(places)
        again = replace(corpus, documents=dict(documents), postings=postings)
        assert rank(" ".join(words), again) == expected


def test_a_ranker_that_is_not_known_is_refused() -> None:
    with pytest.raises(InvalidInput, match="ranker"):
        rank("tea", corpus_of("tea", ["tea"]), ranker=99)


def test_a_budget_goes_to_what_is_worth_its_tokens_and_is_shown_in_order_of_time() -> None:
    hits = [Hit(5, 1.0), Hit(2, 0.9), Hit(9, 0.8)]
    assert select(hits, {5: 1000, 2: 10, 9: 10}, 1000) == [2, 9]
    assert select(hits, {5: 12, 2: 10, 9: 10}, 25) == [2, 5]
    assert select(hits, {5: 12, 2: 10, 9: 10}, 9) == []


def typed(corpus: Corpus, **types: str) -> Corpus:
    """The corpus with other types of some documents."""
    changed = {int(name[1:]): type_ for name, type_ in types.items()}
    documents = {n: one._replace(type=changed.get(n, one.type)) for n, one in corpus.documents.items()}
    return replace(corpus, documents=documents)


@pytest.mark.parametrize("echo", ["tool_exchange", "summary"])
def test_what_somebody_says_comes_before_a_tool_that_has_the_same_words(echo: str) -> None:
    query = "retry limit"
    texts = [
        (0, "The retry limit is 5."),
        (1, "The retry limit is 5: retry limit."),
        *((n, "x") for n in (2, 3)),
    ]
    corpus = corpus_of(query, texts)
    assert rank(query, corpus)[0].position == 1
    assert rank(query, typed(corpus, _1=echo))[0].position == 0


def test_a_tool_that_has_much_more_of_the_query_comes_before_what_is_said() -> None:
    query = "undefined variable harbour in moor.py"
    texts = [(0, "Look at the harbour."), (1, "undefined variable harbour in moor.py"), (2, "x"), (3, "x")]
    assert rank(query, typed(corpus_of(query, texts), _1="tool_exchange"))[0].position == 1


def test_where_no_tools_are_types_do_not_matter() -> None:
    query = "retry limit"
    corpus = corpus_of(query, [(n, f"The retry limit is {n}.") for n in range(5)])
    assert rank(query, corpus) == rank(query, typed(corpus, _1="decision", _2="note"))


def test_what_matches_comes_before_what_only_stands_between_two_matches() -> None:
    assert order("limit", [(1, "limit"), (1, "rain"), (1, "limit"), (2, "limit")])[2:] == [3, 1]


def test_the_weights_of_a_version_never_change() -> None:
    """What they are is recorded nowhere else. New weights are a new version."""
    digests = {
        number: sha256(
            repr({name: one for name, one in weights._asdict().items() if one}).encode()
        ).hexdigest()[:8]
        for number, weights in RANKERS.items()
    }
    assert digests == {1: "543ae2ba", 2: "4a8c0bde", 3: "65a2d2c4", 4: "20efb1fc"}
