"""A Patroni cluster on loopback, in a folder of its own: one etcd and three Postgres 15, and every commit that was
acknowledged is on two of them. Needs Debian's packages patroni, etcd-server and postgresql-15.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from tests.waiting import until

BINARIES = Path("/usr/lib/postgresql/15/bin")
PROGRAMS = {"patroni": "patroni", "etcd": "etcd-server", str(BINARIES / "postgres"): "postgresql-15"}
NAMES = ("anna", "bert", "carl")
PATIENCE = 180.0


def missing() -> list[str]:
    """The Debian packages that are not installed."""
    return [package for program, package in PROGRAMS.items() if shutil.which(program) is None]


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


class Node:
    """One Postgres and the Patroni that looks after it."""

    def __init__(self, name: str, folder: Path, etcd: int) -> None:
        self.name = name
        self.port, self.api = free_ports(2)
        self._folder = folder / name
        self._folder.mkdir()
        self._data = self._folder / "data"
        self._settings = self._folder / "patroni.json"
        self._settings.write_text(json.dumps(self._configuration(etcd), indent=2))
        self._patroni: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self._folder / "patroni.log").open("ab") as log:
            self._patroni = spawn(["patroni", str(self._settings)], self._folder, log)

    def revive(self) -> None:
        """Starts its Patroni again, where that does not run."""
        if self._patroni is None or self._patroni.poll() is not None:
            self.start()

    def kill(self, *, patroni: bool = True) -> None:
        """Kills every process of Postgres, as if the machine had lost its power; without `patroni`, as if Postgres had
        crashed."""
        if patroni and self._patroni is not None:
            self._patroni.kill()
            self._patroni.wait()
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def processes(self) -> list[int]:
        """The postmaster of this node's data directory, if it runs, and its children."""
        with suppress(OSError, ValueError, IndexError):
            pid = int((self._data / "postmaster.pid").read_text().splitlines()[0])
            if os.path.realpath(f"/proc/{pid}/cwd") == os.path.realpath(self._data):
                children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
                return [pid, *map(int, children)]
        return []

    def takes_writes(self) -> bool:
        try:
            with psycopg.connect(
                f"postgresql://postgres@127.0.0.1:{self.port}/postgres", connect_timeout=5
            ) as connection:
                return connection.execute("select pg_is_in_recovery()").fetchone() == (False,)
        except psycopg.OperationalError:
            return False

    def ask(self, path: str) -> dict[str, Any]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.api}/{path}", timeout=5) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def _configuration(self, etcd: int) -> dict[str, Any]:
        settings = {
            "fsync": "on",
            "max_connections": 60,
            "shared_buffers": "64MB",
            "synchronous_commit": "on",
            "unix_socket_directories": str(self._folder),
            "wal_keep_size": "256MB",
            "wal_log_hints": "on",
        }
        return {
            "scope": "backstory",
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.api}", "connect_address": f"127.0.0.1:{self.api}"},
            "etcd3": {"hosts": [f"127.0.0.1:{etcd}"]},
            "bootstrap": {
                "dcs": {
                    "ttl": 20,
                    "loop_wait": 2,
                    "retry_timeout": 5,
                    "synchronous_mode": True,
                    "synchronous_mode_strict": True,
                    "primary_start_timeout": 0,
                    "postgresql": {"use_pg_rewind": True, "use_slots": True},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, {"auth": "trust"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}",
                "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": str(self._data),
                "bin_dir": str(BINARIES),
                "pgpass": str(self._folder / "pgpass"),
                "authentication": {
                    "superuser": {"username": "postgres"},
                    "replication": {"username": "replicator"},
                    "rewind": {"username": "rewinder"},
                },
                "parameters": settings,
                "pg_hba": [
                    "local all all trust",
                    "host all all 127.0.0.1/32 trust",
                    "host replication all 127.0.0.1/32 trust",
                ],
                "remove_data_directory_on_rewind_failure": True,
                "remove_data_directory_on_diverged_timelines": True,
            },
        }


class Cluster:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._etcd: subprocess.Popen[bytes] | None = None
        client, self._peer = free_ports(2)
        self._client = client
        self.nodes = {name: Node(name, folder, client) for name in NAMES}
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes.values())
        self.url = f"postgresql://postgres@{hosts}/backstory?target_session_attrs=read-write"

    def start(self) -> None:
        client, peer = (f"http://127.0.0.1:{port}" for port in (self._client, self._peer))
        (self._folder / "etcd").mkdir(mode=0o700)
        own(self._folder)
        with (self._folder / "etcd.log").open("ab") as log:
            self._etcd = spawn(
                [
                    *("etcd", "--name", "etcd", "--data-dir", str(self._folder / "etcd")),
                    *("--listen-client-urls", client, "--advertise-client-urls", client),
                    *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
                    *("--initial-cluster", f"etcd={peer}"),
                ],
                self._folder,
                log,
            )
        first, *others = self.nodes.values()
        first.start()
        until(lambda: self.primary() == first.name, PATIENCE)
        for node in others:
            node.start()
        self.wait_until_whole()
        with psycopg.connect(self.url.replace("/backstory?", "/postgres?"), autocommit=True) as connection:
            connection.execute("create database backstory")

    def members(self) -> dict[str, dict[str, Any]]:
        """What the cluster says of its members, as any that answers tells it."""
        for node in self.nodes.values():
            with suppress(OSError, ValueError):
                return {member["name"]: member for member in node.ask("cluster")["members"]}
        return {}

    def primary(self) -> str | None:
        for name, member in self.members().items():
            if member["role"] == "leader" and member["state"] == "running":
                return name
        return None

    def synchronous(self) -> str | None:
        for name, member in self.members().items():
            if member["role"] == "sync_standby":
                return name
        return None

    def wait_until_whole(self) -> None:
        """Until there are a primary and two standbys that stream from it, one of them the synchronous one."""

        def whole() -> bool:
            members = self.members()
            timelines = {member.get("timeline") for member in members.values()}
            roles = sorted(
                member["role"] for member in members.values() if member["state"] in ("running", "streaming")
            )
            return roles == ["leader", "replica", "sync_standby"] and len(timelines) == 1

        until(whole, PATIENCE)

    def switch_over(self) -> None:
        """Asks the primary to hand over to the synchronous standby, as for maintenance."""
        leader, candidate = self.primary(), self.synchronous()
        assert leader is not None
        body = json.dumps({"leader": leader, "candidate": candidate}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.nodes[leader].api}/switchover",
            body,
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()

    def stop(self) -> None:
        for node in self.nodes.values():
            node.kill()
        if self._etcd is not None:
            self._etcd.kill()
            self._etcd.wait()


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A cluster that is gone when the block ends, with its folder."""
    folder = Path(tempfile.mkdtemp(prefix="backstory-patroni-"))
    made = Cluster(folder)
    try:
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


def own(folder: Path) -> None:
    """Gives the folder to the account that the servers run as: Postgres refuses to be root."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, "postgres", "postgres")


def spawn(command: list[str], folder: Path, log: Any) -> "subprocess.Popen[bytes]":
    account: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "PYTHON"))}
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**environment, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        **account,
    )
