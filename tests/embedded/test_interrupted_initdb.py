import pytest

from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.embedded import cluster as embedded_cluster
from backstory.infrastructure.embedded.server import start_or_join, stop
from tests.waiting import until


def test_a_launcher_killed_during_initdb_leaves_nothing_half_made(empty_home, start_in_process):
    base = empty_home / "postgres-18"
    launcher = start_in_process(empty_home)
    until(lambda: list(base.glob("initdb-*/PG_VERSION")))
    launcher.kill()
    launcher.wait()
    assert not (base / "data").exists()
    assert start_or_join(empty_home).started
    # The killed launcher's initdb runs on for a moment; what it still writes goes with a later start.
    until(lambda: stop(empty_home) and start_or_join(empty_home) and not list(base.glob("initdb-*")))


def test_a_failed_initdb_says_why_and_leaves_nothing(empty_home, monkeypatch):
    monkeypatch.setitem(embedded_cluster.SETTINGS, "shared_buffers", "a lot")
    with pytest.raises(ServerUnavailable, match=r"initdb failed(.|\n)*shared_buffers"):
        start_or_join(empty_home)
    assert [path.name for path in (empty_home / "postgres-18").iterdir()] == ["lock"]
    monkeypatch.undo()
    assert start_or_join(empty_home).started
