import os
import signal
import subprocess

import pytest

from backstory.infrastructure.embedded.postmaster import is_server_of, read_postmaster_file
from backstory.infrastructure.embedded.server import start_or_join, status, stop
from tests.waiting import until


def killed(data_home):
    """A data home whose server was killed and left its pid file and its socket."""
    server = start_or_join(data_home)
    os.kill(server.pid, signal.SIGKILL)
    until(lambda: is_server_of(server.pid, server.data_directory) is False)
    return server


def test_a_foreign_process_that_got_the_pid_stays_alive(data_home, foreign_process):
    server = killed(data_home)
    for path in (
        server.data_directory / "postmaster.pid",
        server.socket_directory / f".s.PGSQL.{server.port}.lock",
    ):
        lines = path.read_text().splitlines()
        path.write_text("\n".join([str(foreign_process.pid), *lines[1:]]) + "\n")
    assert status(data_home) is None
    again = start_or_join(data_home)
    assert again.started
    assert again.pid != foreign_process.pid
    assert foreign_process.poll() is None


@pytest.mark.parametrize("content", [b"", b"\x00\x00\x00", b"not a pid\n"], ids=["empty", "zeros", "words"])
def test_torn_files_do_not_stop_a_start(data_home, content):
    server = killed(data_home)
    (server.data_directory / "postmaster.pid").write_bytes(content)
    (server.socket_directory / f".s.PGSQL.{server.port}.lock").write_bytes(content)
    assert start_or_join(data_home).started


def test_a_dead_process_nobody_waited_for_counts_as_dead(data_home):
    server = killed(data_home)
    with subprocess.Popen(["true"]) as dead:
        until(lambda: is_server_of(dead.pid, server.data_directory) is False)
        path = server.data_directory / "postmaster.pid"
        path.write_text("\n".join([str(dead.pid), *path.read_text().splitlines()[1:]]) + "\n")
        assert start_or_join(data_home).started


def test_another_data_homes_server_is_not_taken_for_this_one(data_home, tmp_path):
    other = start_or_join(tmp_path / "other")
    try:
        mine = start_or_join(data_home)
        assert stop(data_home)
        copied = (other.data_directory / "postmaster.pid").read_bytes()
        (mine.data_directory / "postmaster.pid").write_bytes(copied)
        assert status(data_home) is None
        assert not stop(data_home)
        again = start_or_join(data_home)
        assert again.started
        assert again.pid != other.pid
        assert status(tmp_path / "other").pid == other.pid
    finally:
        stop(tmp_path / "other")


def test_the_process_is_told_by_its_directory(data_home, foreign_process):
    server = start_or_join(data_home)
    assert is_server_of(server.pid, server.data_directory) is not False
    assert is_server_of(server.pid, data_home) is not True
    assert is_server_of(foreign_process.pid, server.data_directory) is False
    assert read_postmaster_file(data_home) is None
