"""A service loses its database, or one of its processes, while clients write."""

import os
import signal

import httpx
import pytest

from backstory.infrastructure.embedded import server as embedded
from tests.chaos.form import form
from tests.chaos.test_postgres_is_stopped import SECONDS, away
from tests.program import serving
from tests.waiting import until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]

LITTLE_PATIENCE = "0.2"
"""Seconds that the service waits for its database: less than that is away for, so that clients hear of it."""


def test_its_database_is_away(trial, home, server, report):
    with serving(server.url(), BACKSTORY_PATIENCE=LITTLE_PATIENCE) as service:
        stopping = trial(
            f"Postgres stopped for {SECONDS:g} s under the service", service.url, url=server.url()
        )
        page = f"{service.url}/api/v1/sessions/{stopping.sessions[0].id}/message"

        def refused():
            answer = httpx.post(page, json={"content": "is anybody there?"}, timeout=30)
            return answer if answer.status_code == 503 else None

        def stop():
            assert embedded.stop(home)
            answer = until(refused)
            assert int(answer.headers["Retry-After"]) >= 1
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert answer.json()["code"] == "server-unavailable"
            assert httpx.get(f"{service.url}/livez").status_code == 200
            assert httpx.get(f"{service.url}/readyz").status_code == 503
            away()
            embedded.start_or_join(home)

        for _ in range(form(1, 3)):
            stopping.round(stop)
        report(stopping.finish())
        assert until(lambda: httpx.get(f"{service.url}/readyz").status_code == 200)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(60) == 0


def test_one_of_its_processes_is_killed(trial, server, report):
    with serving(server.url(), "--processes", "2") as service:
        until(lambda: len(service.answering()) == 2)
        killing = trial("kill -9 of one of two API processes", service.url, url=server.url())
        for _ in range(form(1, 20)):
            killing.round(lambda: os.kill(killing.chance.choice(service.answering()), signal.SIGKILL))
            until(lambda: len(service.answering()) == 2)
        report(killing.finish())
