import psycopg
import pytest

from backstory.infrastructure.embedded.server import start_or_join, status, stop


def test_nothing_to_stop(empty_home):
    assert not stop(empty_home)
    assert not empty_home.exists()


def test_a_running_server_is_stopped_once(data_home):
    server = start_or_join(data_home)
    assert stop(data_home)
    assert not stop(data_home)
    assert status(data_home) is None
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.url())


def test_what_was_committed_is_there_after_the_next_start(data_home):
    with psycopg.connect(start_or_join(data_home).url()) as connection:
        connection.execute("create table kept as select 42 as answer")
    stop(data_home)
    again = start_or_join(data_home)
    assert again.started
    with psycopg.connect(again.url()) as connection:
        assert connection.execute("select answer from kept").fetchone() == (42,)


def test_open_connections_do_not_hold_a_stop_back(data_home):
    connection = psycopg.connect(start_or_join(data_home).url())
    connection.execute("select 1")
    assert stop(data_home)
    connection.close()


def test_a_foreign_process_with_the_recorded_pid_is_left_alone(data_home, foreign_process):
    server = start_or_join(data_home)
    pid_file = server.data_directory / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    stop(data_home)
    pid_file.write_text("\n".join([str(foreign_process.pid), *lines[1:]]) + "\n")
    assert not stop(data_home)
    assert foreign_process.poll() is None
