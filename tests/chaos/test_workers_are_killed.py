"""A worker dies in the middle of its jobs, and another one does what is left of them, once."""

import time
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from tests.chaos.command import running
from tests.chaos.form import form
from tests.waiting import until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]


MOVES = """
    select stream_id, count(*) from backstory.events where stream_id = any(%s) and type = 'tiers.reassigned' group by 1
"""


WORKER = ("worker", "--json", "--tiers-every", "0.1", "--checkpoints-every", "0.1")


def test_what_it_left_undone_is_done_once_by_the_next(trial, server, tmp_path, report):
    killing = trial("kill -9 of a worker", server.url(), writers=form(1, 3))
    long_ago = datetime.now(UTC) - timedelta(days=30)
    due = form(10, 200)
    made = []

    def cool():
        made.append(killing.store.start())
        made[-1].occurred(long_ago).message("it has been lying here for long")

    with psycopg.connect(server.url(), autocommit=True) as watching:

        def moved():
            """How often the items of each session were moved to another tier."""
            ids = [session.id for session in made]
            return [row[1] for row in watching.execute(MOVES, (ids,)).fetchall()]

        for _ in range(form(1, 15)):
            killing.get_on()
            done = len(made) + killing.chance.randint(1, due)
            for _ in range(due):
                cool()
            with running(server.url(), *WORKER, log=tmp_path / "log") as first:
                until(lambda done=done, first=first: len(moved()) >= done or first.poll() is not None)
                assert first.poll() is None, (tmp_path / "log").read_text()
                cool()
                first.kill()
                killed_at = time.time()
            with running(server.url(), *WORKER, log=tmp_path / "log"):
                until(lambda: len(moved()) == len(made))
                killing.recovered.append(time.time() - killed_at)
            killing.rounds += 1
        report(killing.finish())
        assert moved() == [1] * len(made)
