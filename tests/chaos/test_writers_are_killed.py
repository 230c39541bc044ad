import pytest

from tests.chaos.form import form

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]


def test_what_a_killed_writer_had_acknowledged_is_there_once(trial, server, report):
    killing = trial("kill -9 of a writer", server.url())
    for turn in range(form(3, 40)):
        writer = killing.writers[turn % len(killing.writers)]
        killing.round(writer.kill, whom=writer)
    report(killing.finish())
