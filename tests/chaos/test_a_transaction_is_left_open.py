"""Somebody's transaction stays open for long: writers do not notice, the feed waits and says for whom."""

import psycopg
import pytest

from tests.chaos.form import form
from tests.waiting import until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]


def test_writers_go_on_and_the_feed_says_who_holds_it_up(trial, server, report):
    leaving = trial("a transaction left open", server.url())
    for _ in range(form(1, 20)):
        with psycopg.connect(server.url()) as other:
            other.execute("select pg_current_xact_id()")
            leaving.get_on()
            before = leaving.store.feed_status()
            leaving.round(lambda: None)
            held = leaving.store.feed_status()
            assert held.stalled_by == other.info.backend_pid
            assert held.position == before.position < held.newest
            assert held.seconds > 0
        until(lambda held=held: leaving.store.feed_status().position >= held.newest)
    report(leaving.finish())
