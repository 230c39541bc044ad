"""The embedded Postgres: one real server per data home, started on demand, shared by a user's processes.

Several processes may ask at once and exactly one starts the server; it goes on running when they end. A
server counts as ours when it answers, over the socket its data directory names, that it works in that
directory; a pid is never enough. Nothing is remembered in files besides what Postgres keeps itself and an
empty lock file, so there is nothing that could be torn.
"""

import os
import re
import time
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import psycopg

from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.embedded.binaries import Account, Binaries, account_for, find_binaries
from backstory.infrastructure.embedded.cluster import (
    PORT,
    clear_remains,
    discard_socket_directory,
    initialize,
    log_since,
    log_size,
    make_folders,
    socket_directory_for,
    trim_log,
)
from backstory.infrastructure.embedded.locks import POLL_INTERVAL, alone, claim
from backstory.infrastructure.embedded.postmaster import is_server_of, read_postmaster_file, started_from
from backstory.infrastructure.postgres.queries import query

DATABASE = "backstory"

# Seconds. Starting includes crash recovery, which after a hard kill rewrites up to a gigabyte of log.
START_PATIENCE = 90.0
STOP_PATIENCE = 60.0
ANSWER_PATIENCE = 5


@dataclass(frozen=True, slots=True)
class EmbeddedServer:
    """A running embedded server. `started` says whether the call that returned this started it."""

    data_directory: Path
    socket_directory: Path
    port: int
    started: bool
    pid: int | None = None

    def url(self, user: str = "postgres", database: str = DATABASE) -> str:
        """A libpq URL for this server."""
        host = quote(str(self.socket_directory), safe="")
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?host={host}&port={self.port}"


def start_or_join(data_home: Path | None = None) -> EmbeddedServer:
    """The server of this data home, started if it is not running, with the database `backstory` in it.

    Raises ServerUnavailable, with the end of the server's log where there is one. On Windows it always does:
    the server is only ever reached over a Unix socket in a folder that nobody else may enter.
    """
    cluster = _cluster(data_home)
    status = _ask(cluster)
    if status is not None and status.has_database and not _uprooted(cluster, status.server.pid):
        return status.server
    deadline = time.monotonic() + START_PATIENCE
    try:
        account = account_for(cluster.data)
        make_folders(cluster.base, account)
        with alone(cluster.base, deadline):
            initialize(cluster.binaries, cluster.base, account)
            return _bring_up(cluster, account, deadline)
    except OSError as error:
        raise ServerUnavailable(f"cannot use {error.filename or cluster.base}: {error.strerror}") from error


def status(data_home: Path | None = None) -> EmbeddedServer | None:
    """The server of this data home if it runs and answers, else None. Starts and changes nothing."""
    answer = _ask(_cluster(data_home))
    return answer.server if answer else None


def stop(data_home: Path | None = None) -> bool:
    """Stop the server of this data home and say whether there was one to stop.

    Only a server that has answered as ours is told to stop. Raises ServerUnavailable when one lives but
    cannot be verified, or does not end in time.
    """
    cluster = _cluster(data_home)
    if not cluster.data.is_dir():
        return False
    deadline = time.monotonic() + STOP_PATIENCE
    try:
        with alone(cluster.base, deadline):
            while (found := _ask(cluster)) is None:
                with claim(cluster.data) as held:
                    if held is not None:
                        return False
                if time.monotonic() > deadline:
                    raise _unanswered(cluster)
                time.sleep(POLL_INTERVAL)
            _stop_verified(cluster, account_for(cluster.data), found.server.pid, deadline)
            discard_socket_directory(found.server.socket_directory)
            return True
    except OSError as error:
        raise ServerUnavailable(f"cannot use {error.filename or cluster.base}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class _Cluster:
    binaries: Binaries
    base: Path

    @property
    def data(self) -> Path:
        return self.base / "data"


@dataclass(frozen=True, slots=True)
class _Answer:
    server: EmbeddedServer
    has_database: bool


def _cluster(data_home: Path | None) -> _Cluster:
    if os.name != "posix":
        raise ServerUnavailable(
            "the embedded Postgres needs Unix sockets, which this system lacks: set BACKSTORY_DATABASE_URL"
        )
    binaries = find_binaries()
    chosen = data_home if data_home is not None else default_data_home()
    try:
        home = chosen.expanduser().resolve()
    except (OSError, RuntimeError) as error:
        raise ServerUnavailable(f"cannot use {chosen}: {error}") from error
    if re.search(r"[\x00-\x1f\ud800-\udfff]", str(home)):
        raise ServerUnavailable(f"the data home {str(home)!r} has characters that Postgres cannot keep apart")
    return _Cluster(binaries, home / f"postgres-{binaries.major}")


def default_data_home() -> Path:
    """`BACKSTORY_DATA_DIR`, else `backstory` in the user's data directory."""
    chosen = os.environ.get("BACKSTORY_DATA_DIR")
    if chosen:
        return Path(chosen)
    shared = os.environ.get("XDG_DATA_HOME", "")
    if shared.startswith("/"):  # the XDG specification tells programs to ignore a relative one
        return Path(shared) / "backstory"
    try:
        return Path.home() / ".local" / "share" / "backstory"
    except RuntimeError:
        raise ServerUnavailable("no home directory is known: set BACKSTORY_DATA_DIR") from None


class _Silence(Exception):
    """The reason that no server of ours answered."""


def _ask(cluster: _Cluster) -> _Answer | None:
    try:
        return _answer(cluster)
    except _Silence:
        return None


def _answer(cluster: _Cluster) -> _Answer:
    """The server on the socket that the data directory names, if it belongs to that directory."""
    file = read_postmaster_file(cluster.data)
    if file is None or file.socket_directory is None or file.port is None:
        raise _Silence("its postmaster.pid names no socket")
    server = EmbeddedServer(cluster.data, file.socket_directory, file.port, started=False, pid=file.pid)
    url = server.url(database="postgres")
    try:
        with psycopg.connect(url, connect_timeout=ANSWER_PATIENCE, autocommit=True) as connection:
            row = connection.execute(query("data_directory"), [DATABASE]).fetchone()
    except psycopg.Error as error:
        raise _Silence(str(error).strip()) from error
    if row is None or os.path.realpath(row[0]) != os.path.realpath(cluster.data):
        raise _Silence(f"the server at {server.socket_directory} works in another directory")
    return _Answer(server, bool(row[1]))


def _bring_up(cluster: _Cluster, account: Account, deadline: float) -> EmbeddedServer:
    started = False
    while True:
        found = _ask(cluster)
        if found is not None and _uprooted(cluster, found.server.pid):
            _stop_verified(cluster, account, found.server.pid, deadline)
            continue
        if found is not None:
            if not found.has_database:
                _create_database(found.server)
            return replace(found.server, started=started)
        with claim(cluster.data) as held:
            if held is not None and started:
                raise ServerUnavailable(
                    f"Postgres ended at once in {cluster.data}:\n{log_since(cluster.base, 0)}"
                )
            if held is not None:
                _start(cluster, account, held, deadline)
                started = True
                continue
        if _cut_off(cluster):
            _stop_verified(cluster, account, None, deadline)
            continue
        if time.monotonic() > deadline:
            raise _unanswered(cluster)
        time.sleep(POLL_INTERVAL)


def _unanswered(cluster: _Cluster) -> ServerUnavailable:
    try:
        _answer(cluster)
        reason = "it answered too late"
    except _Silence as silence:
        reason = str(silence)
    return ServerUnavailable(
        f"a Postgres process holds {cluster.data} but does not answer ({reason}); "
        f"its log is {cluster.base / 'server.log'}"
    )


def _cut_off(cluster: _Cluster) -> bool:
    """Whether our server lives but its socket was deleted, as by a sweep of the temporary directory."""
    file = read_postmaster_file(cluster.data)
    return (
        file is not None
        and file.ready
        and file.pid is not None
        and file.socket is not None
        and not file.socket.exists()
        and is_server_of(file.pid, cluster.data) is True
    )


def _uprooted(cluster: _Cluster, pid: int | None) -> bool:
    """Whether our server lives but the environment that it was started from was deleted. It still answers, and fails as
    soon as it needs a file of its own: so it is started anew from this one."""
    program = started_from(cluster.data)
    return (
        program is not None
        and not os.path.lexists(program)
        and pid is not None
        # Where it runs in another container, its files are there and not here.
        and is_server_of(pid, cluster.data) is True
    )


def _start(cluster: _Cluster, account: Account, held: int, deadline: float) -> None:
    socket_directory = socket_directory_for(cluster.base, account)
    clear_remains(cluster.data, socket_directory)
    trim_log(cluster.base)
    options = f"-p {PORT} -k {socket_directory} -c listen_addresses= -c unix_socket_permissions=0700"
    while True:
        patience = max(1, round(deadline - time.monotonic()))
        size = log_size(cluster.base)
        # pg_ctl puts its arguments into a shell command unquoted: paths go by environment and working
        # directory.
        outcome = cluster.binaries.run(
            "pg_ctl",
            ["start", "--wait", "--timeout", str(patience), "--log", "server.log", "--options", options],
            account=account,
            folder=cluster.base,
            environment={"PGDATA": str(cluster.data)},
            timeout=patience + 10,
            inherit=[held],
        )
        if outcome.code == 0:
            return
        log = log_since(cluster.base, size)
        # Only when the server before was not started from here, and its last processes are still ending.
        if "pre-existing shared memory block" in log and time.monotonic() < deadline:
            time.sleep(0.2)
            continue
        reached = f" (it runs as the account {account.name}, which must reach it)" if account.switched else ""
        raise ServerUnavailable(
            f"Postgres did not start in {cluster.data}{reached}:\n{log or outcome.output}"
        )


def _stop_verified(cluster: _Cluster, account: Account, pid: int | None, deadline: float) -> None:
    """Tell a server to stop that has just been verified, and wait until the last of its processes is gone."""
    if pid is not None and is_server_of(pid, cluster.data) is False:
        raise ServerUnavailable(
            f"process {pid} is not the server of {cluster.data}, so nothing was stopped: "
            "the server may run in another container or its postmaster.pid was changed"
        )
    patience = max(1, round(deadline - time.monotonic()))
    outcome = cluster.binaries.run(
        "pg_ctl",
        ["stop", "--mode", "fast", "--wait", "--timeout", str(patience)],
        account=account,
        folder=cluster.base,
        environment={"PGDATA": str(cluster.data)},
        timeout=patience + 10,
    )
    if outcome.code != 0:
        raise ServerUnavailable(f"Postgres did not stop in {cluster.data}: {outcome.output}")
    while time.monotonic() < deadline:
        with claim(cluster.data) as held:
            if held is not None:
                return
        time.sleep(POLL_INTERVAL)


def _create_database(server: EmbeddedServer) -> None:
    try:
        with psycopg.connect(
            server.url(database="postgres"), connect_timeout=30, autocommit=True
        ) as connection:
            connection.execute(query("create_database"))
    except psycopg.Error as error:
        raise ServerUnavailable(f"cannot create the database {DATABASE}: {error}") from error
