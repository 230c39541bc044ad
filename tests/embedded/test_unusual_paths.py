import stat
import tempfile
from pathlib import Path

import psycopg
import pytest

from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.embedded import cluster as embedded_cluster
from backstory.infrastructure.embedded.binaries import account_for
from backstory.infrastructure.embedded.server import default_data_home, start_or_join, stop


@pytest.fixture
def long_home(tmp_path):
    home = tmp_path / ("a" * 120) / ("b" * 120)
    yield home
    stop(home)


def test_a_path_too_long_for_a_socket(long_home):
    server = start_or_join(long_home)
    assert len(str(server.socket_directory)) < 90
    assert stat.S_IMODE(server.socket_directory.stat().st_mode) == 0o700
    psycopg.connect(server.url()).close()
    assert start_or_join(long_home).pid == server.pid
    assert stop(long_home)
    assert not server.socket_directory.exists()


def test_a_temporary_name_that_is_taken_is_not_used(long_home, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    base = long_home / "postgres-18"
    account = account_for(base / "data")
    expected = embedded_cluster.socket_directory_for(base, account)
    expected.rmdir()
    expected.symlink_to(tmp_path / "elsewhere")
    try:
        server = start_or_join(long_home)
        assert server.socket_directory != expected
        assert not any((tmp_path / "elsewhere").iterdir())
    finally:
        expected.unlink()


def test_characters_that_a_shell_would_read(tmp_path):
    home = tmp_path / """it's a "$HOME" `dir`, é\\"""
    try:
        server = start_or_join(home)
        psycopg.connect(server.url()).close()
        assert start_or_join(home).pid == server.pid
    finally:
        stop(home)


def test_a_line_break_in_the_path_is_refused(tmp_path):
    with pytest.raises(ServerUnavailable, match="characters"):
        start_or_join(tmp_path / "two\nlines")


def test_where_the_data_home_is_when_nobody_says(monkeypatch, tmp_path):
    monkeypatch.delenv("BACKSTORY_DATA_DIR", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_data_home() == tmp_path / ".local" / "share" / "backstory"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_data_home() == tmp_path / ".local" / "share" / "backstory"
    monkeypatch.setenv("XDG_DATA_HOME", "/shared")
    assert default_data_home() == Path("/shared/backstory")
    monkeypatch.setenv("BACKSTORY_DATA_DIR", "/chosen")
    assert default_data_home() == Path("/chosen")
