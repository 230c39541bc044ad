"""Whatever happened, and however much of it is indexed, a query finds what a scan of the log finds."""

import zlib
from contextlib import suppress

from hypothesis import given, strategies as st

from backstory import ContextStore, Session
from backstory.domain.errors import BackstoryError, SummaryRefused
from tests.properties import examples
from tests.replay.histories import Step, World, histories
from tests.search.indexing import index, index_rows
from tests.search.scan import quarantined_items, scan

QUERIES = (
    "RS256 jwt",
    "short",
    "unicode 漢字 words",
    "the same long text",
    "because agent-1 this",
    "grep nul inside",
)


@examples(12)
@given(history=histories(40), indexed=st.lists(st.integers(0, 40), max_size=4), cut=st.integers(0, 1_000))
def test_any_history(store: ContextStore, history: list[Step], indexed: list[int], cut: int) -> None:
    world = World(store)
    for number, step in enumerate(history):
        world.happen(step)
        if number in indexed:
            for told in world.told:
                index(told.session)
    for told in world.told:
        session = told.session
        newest = session.version
        _assert_equal(session, newest)
        index(session)
        _assert_equal(session, newest)
        # As of then is what a copy finds that was cut off there.
        then = 1 + cut % newest
        _assert_equal(session, then)
        with suppress(BackstoryError):
            copy = session.fork(then)
            if quarantined_items(copy) != quarantined_items(session):
                continue  # A search as of then leaves out what is in quarantine now.
            for query in QUERIES:
                found, at_the_time = (
                    copy.search(query, limit=1_000),
                    session.search(query, at=then, limit=1_000),
                )
                assert [hit._replace(session=session.id) for hit in found.hits] == list(at_the_time.hits)
    assert store.check_projections([told.session.id for told in world.told]).ok


def test_a_revised_text_is_not_found_by_its_older_words_in_an_older_segment(store: ContextStore) -> None:
    session = store.start()
    goal = session.work.set_goal("Paint the fence")
    index(session)
    session.work.update_goal(goal, text="Paint the shed")
    for _ in range(2):
        assert session.search("fence").hits == ()
        assert [hit.item for hit in session.search("shed").hits] == [goal]
        index(session)


def _assert_equal(session: Session, version: int) -> None:
    for query in QUERIES:
        for agent in (None, "agent-0", "someone"):
            page = session.search(query, at=version, agent=agent, limit=1_000)
            assert [(hit.item, hit.score) for hit in page.hits] == scan(session, version, query, agent)


WORDS = ("xylophone", "quagmire", "zeppelin", "jackdaw")


@examples(8)
@given(
    said=st.lists(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(" ".join), min_size=1, max_size=12
    ),
    at=st.integers(0, 11),
    upto=st.integers(1, 14),
)
def test_after_an_erasure_nothing_of_the_text_is_left(
    store: ContextStore, said: list[str], at: int, upto: int
) -> None:
    """In the index, in snippets, in summaries; here, and in forks."""
    session = store.start()
    items = [session.message(text) for text in said]
    secret = f"Please mend the nightingale in src/song.py, it fails with an error. {said[at % len(said)]}"
    erased = session.message(secret)
    session.context(3_000)
    with suppress(SummaryRefused):  # a few words are not worth one
        session.summarize()
    fork = session.fork()
    index(session, min(upto, session.version))
    assert {hit.type for hit in session.search("nightingale").hits} == {"message", "summary"}
    session.erase(erased, "law")
    for one in (session, fork):
        for _ in range(2):
            assert not any(b"nighting" in zlib.decompress(row) for row in index_rows(store, one))
            assert one.search("nightingale", abandoned=True).hits == ()
            found = [hit for word in (*WORDS, "error song") for hit in one.search(word, limit=1_000).hits]
            assert not any("nightingale" in hit.snippet for hit in found)
            assert set(items) <= {hit.item for hit in found}
            index(one)
            assert store.check_projections([one.id]).ok
