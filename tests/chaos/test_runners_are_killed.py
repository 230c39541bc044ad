"""A runner of feed projections dies between two batches or in one, while sessions are purged and come back, and every
event is counted once all the same."""

import time
from contextlib import ExitStack

import psycopg
import pytest

from tests.chaos.command import running
from tests.chaos.form import form
from tests.waiting import until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]

COUNTED = "select coalesce(sum(events), 0)::bigint from backstory.activity"
THERE = "select count(*) from backstory.events"
MISCOUNTED = """
    with counted as (
        select a.* from (select max(position) as upto from backstory.tracking where consumer = 'activity') t,
             backstory.activity_in(0, t.upto, null) a)
    select count(*) from ((table counted except all table backstory.activity)
                          union all (table backstory.activity except all table counted)) d
"""
RUN = ("projections", "run", "--json")


def test_every_event_counts_once(trial, server, tmp_path, report):
    killing = trial("kill -9 of a projection runner", server.url())
    url, log = server.url(), tmp_path / "log"
    with psycopg.connect(url, autocommit=True) as watching, ExitStack() as alive:

        def number(statement):
            return watching.execute(statement).fetchone()[0]

        # One leads, and the other one stands by.
        runners = [alive.enter_context(running(url, *RUN, log=log)) for _ in range(form(1, 2))]
        for _ in range(form(1, 15)):
            killing.get_on()
            before = number(COUNTED)
            until(
                lambda before=before, leader=runners[0]: (
                    number(COUNTED) > before or leader.poll() is not None
                ),
                120,
            )
            assert runners[0].poll() is None, log.read_text()
            passing = killing.store.start(project="passing")
            passing.message("hello")
            file = tmp_path / f"{passing.id}.jsonl"
            killing.store.purge(passing.id, file)
            killing.get_on()
            runners[0].kill()
            killing.store.import_file(file)
            killed_at = time.time()
            newest = number(THERE)
            runners = [*runners[1:], alive.enter_context(running(url, *RUN, log=log))]
            until(lambda newest=newest: number(COUNTED) >= newest, 120)
            killing.recovered.append(time.time() - killed_at)
            killing.rounds += 1
        report(killing.finish())
        until(lambda: number(COUNTED) >= number(THERE), 120)
        assert number(COUNTED) == number(THERE)
        assert number(MISCOUNTED) == 0
