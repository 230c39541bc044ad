"""What was mentioned lately and often comes first; the order is the same every time."""

from collections import Counter
from math import log

import pytest
from hypothesis import given, strategies as st

from backstory.domain.entities.entities import (
    HALF_LIFE,
    KINDS,
    PLURALS,
    Entity,
    Mention,
    by_kind,
    rank,
    weighed,
)

REDIS, KAFKA = Mention("technology", "Redis"), Mention("technology", "Kafka")

mentions = st.lists(
    st.tuples(
        st.integers(1, 30),
        st.lists(st.builds(Mention, st.sampled_from(KINDS), st.sampled_from("abcd")), max_size=4),
    ),
    max_size=20,
)


def ranked(said, limit: int) -> tuple[Entity, ...]:
    """The ranking of mentions that are given one by one, several lists of one item together."""
    by_item: dict[int, Counter[Mention]] = {}
    for item, mentioned in said:
        by_item[item] = by_item.get(item, Counter()) + Counter(mentioned)
    return rank([(item, weighed(counted)) for item, counted in by_item.items()], limit)


def test_the_newer_of_two_comes_first() -> None:
    assert [entity.name for entity in ranked([(1, [REDIS]), (2, [KAFKA])], 5)] == ["Kafka", "Redis"]


def test_what_keeps_coming_back_outranks_what_was_named_once() -> None:
    said = [(1, [REDIS]), (2, [REDIS]), (3, [KAFKA])]
    assert [entity.name for entity in ranked(said, 5)] == ["Redis", "Kafka"]


@pytest.mark.parametrize(("newer", "first"), [(HALF_LIFE - 1, "Redis"), (HALF_LIFE + 1, "Kafka")])
def test_two_mentions_a_half_life_old_weigh_as_much_as_a_new_one(newer: int, first: str) -> None:
    """One of them is as many items old as the half-life, the other one item less or more."""
    said = (
        dict.fromkeys(range(100), ()) | {99: (KAFKA,)} | dict.fromkeys((99 - HALF_LIFE, 99 - newer), (REDIS,))
    )
    assert ranked(said.items(), 1)[0].name == first


def test_an_entity_knows_its_items_and_mentions() -> None:
    (entity,) = ranked([(7, [REDIS]), (3, [REDIS, REDIS])], 5)
    assert entity == Entity("technology", "Redis", 3, 7, (3, 7))


def test_equal_weights_are_ordered_by_kind_and_name() -> None:
    said = [(1, [Mention("url", "a"), Mention("file", "b"), Mention("file", "a")])]
    assert [(entity.kind, entity.name) for entity in ranked(said, 5)] == [
        ("file", "a"),
        ("file", "b"),
        ("url", "a"),
    ]


def test_no_more_than_the_limit() -> None:
    assert len(ranked([(1, [REDIS, KAFKA])], 1)) == 1
    assert ranked([(1, [REDIS])], 0) == ()


@given(mentions, st.randoms(use_true_random=False))
def test_the_order_of_the_items_does_not_matter(said, random) -> None:
    shuffled = list(said)
    random.shuffle(shuffled)
    merged = {entity.name: entity.count for entity in ranked(shuffled, 100)}
    assert ranked(shuffled, 100) == ranked(said, 100)
    assert sum(entity.count for entity in ranked(said, 100)) == sum(len(of_item) for _, of_item in said)
    assert set(merged) == {mention.name for _, of_item in said for mention in of_item}


def test_by_kind_has_every_kind_and_keeps_the_order() -> None:
    names = by_kind(ranked([(1, [REDIS]), (2, [KAFKA])], 5))
    assert names == {**dict.fromkeys(PLURALS.values(), ()), "technologies": ("Kafka", "Redis")}
    assert list(names) == [
        "files", "functions", "classes", "technologies", "people", "urls", "errors", "concepts",
    ]  # fmt: skip


def plainly_ranked(said: list[tuple[int, list[Mention]]], limit: int) -> tuple[Entity, ...]:
    """The documented formula, step by step."""
    by_item: dict[int, Counter[Mention]] = {}
    for item, found in said:
        by_item[item] = by_item.get(item, Counter()) + Counter(found)
    items = sorted(by_item)
    weights: dict[Mention, float] = {}
    for place, item in enumerate(items):
        for mention, count in by_item[item].items():
            share = 0.5 ** ((len(items) - 1 - place) / HALF_LIFE)
            weights[mention] = weights.get(mention, 0.0) + (1 + log(count)) * share
    order = sorted(weights, key=lambda mention: (-round(weights[mention], 9), mention))
    where = {mention: tuple(item for item in items if mention in by_item[item]) for mention in order}
    return tuple(
        Entity(
            *mention,
            sum(by_item[item][mention] for item in where[mention]),
            max(where[mention]),
            where[mention],
        )
        for mention in order[:limit]
    )


@given(mentions, st.integers(0, 12))
def test_the_quick_way_gives_what_the_formula_says(said: list[tuple[int, list[Mention]]], limit: int) -> None:
    assert ranked(said, limit) == plainly_ranked(said, limit)
