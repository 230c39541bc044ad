"""A compaction under a key is made once; what may append several times, or needs no key, refuses one."""

from collections.abc import Callable

import pytest

from backstory import ContextStore, Session
from backstory.application.window.results import Compacted
from backstory.domain.errors import IdempotencyConflict, InvalidInput
from backstory.domain.summaries.offline import SummarySource
from backstory.infrastructure.llm.summarizers import OfflineSummarizer, Summarized
from tests.compact.conversations import a_session, talk, use_tools


class Meanwhile(OfflineSummarizer):
    """While it sums up, the same is asked for elsewhere."""

    def __init__(self, session: Session) -> None:
        self._session, self.answers = session, list[Compacted]()

    def summarize(
        self, source: SummarySource, *, most_tokens: int, count: Callable[[str], int]
    ) -> Summarized:
        self.answers.append(self._session.once("k").window.compact("everything"))
        return super().summarize(source, most_tokens=most_tokens, count=count)


@pytest.mark.parametrize("algorithm", ["preserve_summarize_discard", "everything", "stubs"])
def test_asked_again_it_answers_with_the_first_result(store: ContextStore, algorithm: str) -> None:
    session = a_session(store, limit=100_000)
    use_tools(session, 3)
    talk(session, 15)
    options = {"threshold": 0.0} if algorithm == "preserve_summarize_discard" else {}
    first = session.once("k").window.compact(algorithm, **options)
    assert first.events
    talk(session, 12, start=15)
    version = session.version
    again = session.once("k").window.compact(algorithm, **options)
    assert session.version == version
    assert again == first


def test_another_compaction_under_the_same_key_is_refused(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    use_tools(session, 3)
    talk(session, 15)
    session.once("k").window.compact("stubs")
    version = session.version
    with pytest.raises(IdempotencyConflict):
        session.once("k").window.compact("everything")
    with pytest.raises(IdempotencyConflict):
        session.once("k").message("hello")
    assert session.version == version


def test_one_that_did_nothing_may_do_something_the_next_time(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    assert session.once("k").window.compact("everything").events == ()
    talk(session, 40)
    assert session.once("k").window.compact("everything").events


def test_of_two_at_the_same_time_one_compacts(store: ContextStore) -> None:
    """The other one finds the key taken when it comes to append, and answers with what was done."""
    session = a_session(store, limit=100_000)
    talk(session, 40)
    other = Meanwhile(store.session(session.id))
    late = session.once("k").window.compact("everything", summarizer=other)
    assert other.answers == [late]
    assert late.events
    assert len(list(session.events(types=("items.compacted",)))) == 1


@pytest.mark.parametrize("algorithm", ["adaptive", "cluster"])
def test_what_may_append_several_times_takes_no_key(store: ContextStore, algorithm: str) -> None:
    session = a_session(store)
    with pytest.raises(InvalidInput, match="key: stands for one append"):
        session.once("k").window.compact(algorithm)
    # Nothing is written, so that the key has nothing to stand for.
    assert session.once("k").window.compact(algorithm, dry_run=True).events == ()


def test_checks_and_recoveries_take_no_key(store: ContextStore) -> None:
    session = a_session(store)
    version = session.version
    with pytest.raises(InvalidInput, match="key: means nothing to a check"):
        session.once("k").before_call()
    with pytest.raises(InvalidInput, match="key: means nothing to a recovery"):
        session.once("k").window.recover()
    assert session.version == version
