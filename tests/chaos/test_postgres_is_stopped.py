"""A server that somebody else looks after is away for a while."""

import os
import signal
import threading
from contextlib import suppress

import pytest

from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.embedded.postmaster import is_server_of
from tests.chaos.form import form
from tests.program import children

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]

SECONDS = form(0.5, 20.0)


def away():
    """The fault itself takes this long."""
    threading.Event().wait(SECONDS)


def test_writers_wait_for_a_server_that_is_down(trial, home, server, report):
    stopping = trial(f"Postgres stopped for {SECONDS:g} s", server.url())

    def stop():
        assert embedded.stop(home)
        away()
        embedded.start_or_join(home)

    for _ in range(form(1, 5)):
        stopping.round(stop)
    report(stopping.finish())


def test_writers_wait_for_a_server_that_hangs(trial, home, server, report):
    """Its processes stand still, as on a machine that swaps or is being moved."""
    freezing = trial(f"Postgres frozen for {SECONDS:g} s", server.url())

    def freeze():
        postmaster = embedded.start_or_join(home)
        assert is_server_of(postmaster.pid, postmaster.data_directory)
        family = [postmaster.pid, *children(postmaster.pid)]
        for pid in family:
            send(pid, signal.SIGSTOP)
        away()
        for pid in family:
            send(pid, signal.SIGCONT)

    for _ in range(form(1, 3)):
        freezing.round(freeze)
    report(freezing.finish())


def send(pid, what):
    """One that was about to end when it was listed may be gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, what)
