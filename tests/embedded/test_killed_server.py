import os
import signal

import psycopg
import pytest

from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.embedded.server import start_or_join, status
from tests.waiting import until

pytestmark = pytest.mark.chaos


def test_a_killed_server_is_started_again_with_all_it_had_committed(data_home):
    server = start_or_join(data_home)
    with psycopg.connect(server.url()) as connection:
        connection.execute("create table kept as select 42 as answer")
    for _ in range(3):
        os.kill(server.pid, signal.SIGKILL)
        again = start_or_join(data_home)
        assert again.started
        assert again.pid != server.pid
        with psycopg.connect(again.url()) as connection:
            assert connection.execute("select answer from kept").fetchone() == (42,)
        server = again


def test_no_second_server_starts_while_a_process_of_the_first_lingers(data_home, monkeypatch):
    server = start_or_join(data_home)
    connection = psycopg.connect(server.url())
    lingering = connection.info.backend_pid
    os.kill(lingering, signal.SIGSTOP)
    try:
        os.kill(server.pid, signal.SIGKILL)
        monkeypatch.setattr(embedded, "START_PATIENCE", 0.5)
        with pytest.raises(ServerUnavailable, match=r"holds .* but does not answer"):
            start_or_join(data_home)
        monkeypatch.undo()
        assert status(data_home) is None
    finally:
        os.kill(lingering, signal.SIGCONT)
    assert start_or_join(data_home).started
    connection.close()


def test_a_server_whose_socket_was_swept_away_is_replaced(data_home):
    server = start_or_join(data_home)
    (server.socket_directory / f".s.PGSQL.{server.port}").unlink()
    again = start_or_join(data_home)
    assert again.started
    assert again.pid != server.pid


def test_a_launcher_killed_while_starting_does_no_harm(data_home, start_in_process):
    start_or_join(data_home)
    assert embedded.stop(data_home)
    launcher = start_in_process(data_home)
    until((data_home / "postgres-18" / "data" / "postmaster.pid").exists)
    launcher.kill()
    server = start_or_join(data_home)
    assert start_or_join(data_home).pid == server.pid
