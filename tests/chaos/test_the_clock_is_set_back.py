"""Times never go backwards in a stream, whatever the database's clock does."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.schema import migrate as schema
from tests.chaos.form import WHOLE, form

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]

TRIGGERS = "select tgname from pg_trigger where tgrelid = 'backstory.streams'::regclass and not tgisinternal"
LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))


def test_a_stream_whose_newest_event_is_from_the_future(server):
    """As after a clock that was an hour ahead for a while."""
    with ContextStore.open(server.url(), migrate=False) as store:
        session = store.start()
        session.message("now")
        with psycopg.connect(server.url()) as connection:
            guards = connection.execute(TRIGGERS).fetchall()
            for (trigger,) in guards:
                connection.execute(f"alter table backstory.streams disable trigger {trigger}")
            connection.execute(
                "update backstory.streams set recorded_at = recorded_at + interval '1 hour' where stream_id = %s",
                (session.id,),
            )
            for (trigger,) in guards:
                connection.execute(f"alter table backstory.streams enable always trigger {trigger}")
        for number in range(3):
            session.once(f"{number}").message("from an hour ahead")
        with session.atomic() as tx:
            tx.message("one")
            tx.message("two")
        session.backtrack(3, "as it was")
        times = [event.recorded_at for event in session.events()]
        assert times == sorted(times)
        assert times[-1] - datetime.now(UTC) > timedelta(minutes=50)
        assert session.verify().ok
        assert session.state == session.at(session.version)


@pytest.fixture
def movable(tmp_path, monkeypatch):
    """An embedded server whose clock is as far off as a file says."""
    if not LIBRARIES:
        pytest.skip("needs a clock that can be moved: apt-get install libfaketime")
    clock = tmp_path / "clock"
    clock.write_text("+0")
    home = tmp_path / "home"
    with monkeypatch.context() as patched:
        patched.setenv("LD_PRELOAD", str(LIBRARIES[0]))
        patched.setenv("FAKETIME_TIMESTAMP_FILE", str(clock))
        patched.setenv("FAKETIME_NO_CACHE", "1")
        patched.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        server = embedded.start_or_join(home)
    schema.upgrade(server.url())
    yield server, clock
    embedded.stop(home)


@pytest.mark.skipif(not WHOLE, reason="is run by make chaos")
def test_a_clock_that_jumps(trial, movable, report):
    server, clock = movable
    jumping = trial("clock set back an hour", server.url())

    def jump(offset):
        clock.write_text(offset)
        with psycopg.connect(server.url()) as connection:
            (now,) = connection.execute("select clock_timestamp()").fetchone()
        assert abs(now - datetime.now(UTC) - timedelta(seconds=int(offset))) < timedelta(minutes=1)

    for _ in range(form(1, 10)):
        jump("+3600")
        jumping.get_on()
        jumping.round(lambda: jump("-3600"))
        jump("+0")
    report(jumping.finish())
