import os
import pwd
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.embedded import binaries as embedded_binaries, enter_user_namespace
from backstory.infrastructure.embedded.server import start_or_join, stop

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="is about root")


def modes(path):
    return {folder: stat.S_IMODE(folder.stat().st_mode) for folder in [path, *path.parents]}


def test_folders_that_were_there_keep_their_permissions(tmp_path):
    home = tmp_path / "closed" / "home"
    home.mkdir(parents=True)
    home.parent.chmod(0o700)
    before = modes(home) | modes(embedded_binaries.find_binaries().directory)
    try:
        start_or_join(home)
        assert modes(home) | modes(embedded_binaries.find_binaries().directory) == before
    finally:
        stop(home)


def test_what_is_made_is_closed_to_others(empty_home):
    server = start_or_join(empty_home)
    base = empty_home / "postgres-18"
    for folder in (empty_home, base, base / "data", server.socket_directory):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((base / "lock").stat().st_mode) == 0o600


@pytest.fixture
def reachable_home():
    """A data home that any account can reach."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        yield Path(folder) / "home"
        stop(Path(folder) / "home")


@as_root
def test_root_without_namespaces_runs_the_server_as_another_account(reachable_home, monkeypatch):
    monkeypatch.setattr(embedded_binaries, "namespace_prefix", tuple)
    account = embedded_binaries.account_for(reachable_home / "postgres-18" / "data")
    postgres = embedded_binaries.find_binaries().directory / "postgres"
    try:
        subprocess.run([postgres, "--version"], user=account.uid, capture_output=True, check=True)
    except (PermissionError, subprocess.CalledProcessError):
        pytest.skip(f"the account {account.name} cannot reach the programs here")
    server = start_or_join(reachable_home)
    assert server.started
    assert server.data_directory.stat().st_uid == account.uid != 0
    assert stop(reachable_home)
    monkeypatch.undo()
    assert start_or_join(reachable_home).started


@as_root
def test_root_without_namespaces_says_what_it_cannot_reach(tmp_path, monkeypatch):
    monkeypatch.setattr(embedded_binaries, "namespace_prefix", tuple)
    tmp_path.chmod(0o700)
    with pytest.raises(ServerUnavailable, match=r"as the account|cannot run"):
        start_or_join(tmp_path / "home")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


@as_root
def test_root_joins_the_server_of_an_ordinary_user(reachable_home):
    """The user is played by a process in a user namespace, where root itself goes by another number."""
    prefix = embedded_binaries.namespace_prefix()
    if not prefix:
        pytest.skip("no user namespaces here")
    daemon = pwd.getpwnam("daemon")
    program = (
        "import os, sys; from pathlib import Path\n"
        "from backstory.infrastructure.embedded.server import start_or_join\n"
        "assert os.geteuid() != 0\n"
        "print(start_or_join(Path(sys.argv[1])).pid)"
    )
    script = Path(enter_user_namespace.__file__)
    command = [sys.executable, script, str(daemon.pw_uid), str(daemon.pw_gid)]
    answer = subprocess.run(
        [*command, sys.executable, "-c", program, reachable_home],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    joined = start_or_join(reachable_home)
    assert not joined.started
    assert joined.pid == int(answer.stdout)
    psycopg.connect(joined.url()).close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_another_users_data_is_refused(monkeypatch):
    with pytest.raises(ServerUnavailable, match="another user"):
        embedded_binaries.account_for(Path("/"))
