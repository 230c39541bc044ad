"""The time of a query, in a session and over a project, and the size of the index beside its text."""

import random
import time
from collections.abc import Callable, Iterator
from itertools import accumulate
from statistics import median

import psycopg

from backstory import ContextStore, Session
from backstory.application.feed.projection_runner import ProjectionRunner
from benchmarks.goals import Row

BATCH = 500
QUERIES = 40
VOCABULARY = 30_000


class Talk:
    """Messages of some 25 words. Most words are rare, and the commonest stand in every tenth message, as in
    English without its stop words."""

    def __init__(self) -> None:
        self._dice = random.Random(17)
        syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
        self._words = [
            "".join(self._dice.choices(syllables, k=self._dice.randint(1, 4))) for _ in range(VOCABULARY)
        ]
        self._weights = [*accumulate(1 / (rank + 50) for rank in range(VOCABULARY))]

    def message(self) -> str:
        """A message that was not said before."""
        count = self._dice.randint(8, 42)
        return (
            " ".join(self._dice.choices(self._words, cum_weights=self._weights, k=count)).capitalize() + "."
        )

    def question(self, said: str) -> str:
        """A question about a message: eight of its words."""
        return "What about " + " ".join(self._dice.choices(said[:-1].split(), k=8)) + "?"


def search_rows(url: str, *, quick: bool) -> Iterator[Row]:
    talk = Talk()
    small, large, sessions = (1_000, 10_000, 100) if quick else (10_000, 100_000, 1_000)
    asked: list[str] = []
    with ContextStore.open(url) as store:
        alone = [_session(store, talk, small, asked), _session(store, talk, large, asked)]
        for _ in range(sessions):
            _session(store, talk, 100, asked, project="many")
        began = time.perf_counter()
        ProjectionRunner(store).catch_up()
        indexed = time.perf_counter() - began
        yield _size(url, small + large + 100 * sessions, indexed)
        for session, count, goal in ((alone[0], small, 100), (alone[1], large, 500)):
            yield _row(f"a query in a session of {count:,} messages", talk, asked, session.search, goal)
        what = f"a query over {sessions:,} sessions of 100 messages"
        yield _row(what, talk, asked, lambda query: store.search(query, project="many"), 1_000)


def _session(
    store: ContextStore, talk: Talk, messages: int, asked: list[str], project: str | None = None
) -> Session:
    session = store.start(project=project)
    for first in range(0, messages, BATCH):
        with session.atomic() as tx:
            for _ in range(min(BATCH, messages - first)):
                tx.message(talk.message())
    asked.append(talk.message())
    session.message(asked[-1])
    return session


def _row(what: str, talk: Talk, asked: list[str], search: Callable[[str], object], goal: int) -> Row:
    taken, worked = [], []
    for said in random.Random(5).choices(asked, k=QUERIES):
        query = talk.question(said)
        began, work = time.perf_counter(), time.process_time()
        search(query)
        taken.append(1_000 * (time.perf_counter() - began))
        worked.append(1_000 * (time.process_time() - work))
    middle, slow = median(taken), sorted(taken)[int(0.95 * QUERIES)]
    measured = f"p50 {middle:.0f} ms, p95 {slow:.0f} ms; processor time of the client {median(worked):.0f} ms"
    return Row(what, measured, f"p50 ≤ {goal:,} ms", middle <= goal)


def _size(url: str, messages: int, seconds: float) -> Row:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "vacuum full backstory.search_segments, backstory.search_postings, backstory.contents"
        )
        row = connection.execute(
            """
            select sum(octet_length(bytes)), pg_total_relation_size('backstory.contents'),
                   pg_total_relation_size('backstory.search_segments')
                   + pg_total_relation_size('backstory.search_postings')
            from backstory.contents
            """
        ).fetchone()
        assert row is not None
    text, stored, index = row
    measured = (
        f"{index / 2**20:.1f} MB, {index / float(text):.2f} × the text, {index / stored:.2f} × as it is stored; "
        f"{messages / seconds:,.0f} messages a second"
    )
    return Row(
        f"the search index of {messages:,} messages", measured, "≤ 2 × the text on disk", index <= 2 * text
    )
