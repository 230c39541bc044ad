"""The contents of a data directory's `postmaster.pid` and `postmaster.opts`, and whether the process named there is
really that server."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PostmasterFile:
    """The lines of `postmaster.pid` that matter here; None where one is missing or makes no sense."""

    pid: int | None
    socket_directory: Path | None
    port: int | None
    ready: bool

    @property
    def socket(self) -> Path | None:
        if self.socket_directory is None or self.port is None:
            return None
        return self.socket_directory / f".s.PGSQL.{self.port}"


def read_postmaster_file(data_directory: Path) -> PostmasterFile | None:
    """The file's contents, or None if there is no file. A torn file gives fewer fields."""
    try:
        lines = (data_directory / "postmaster.pid").read_bytes().decode(errors="replace").splitlines()
    except OSError:
        return None
    lines = [line.strip() for line in lines] + [""] * 8
    pid, port, socket_directory = _number(lines[0]), _number(lines[3]), lines[4]
    return PostmasterFile(
        pid=abs(pid) if pid else None,  # single-user mode writes its pid as a negative number
        socket_directory=Path(socket_directory) if socket_directory.startswith("/") else None,
        port=port,
        ready=lines[7] == "ready",
    )


def started_from(data_directory: Path) -> Path | None:
    """The program that the newest server of this directory was started with, as `postmaster.opts` says: its path, then
    each argument in quotes."""
    try:
        said = (data_directory / "postmaster.opts").read_bytes().decode(errors="surrogateescape")
    except OSError:
        return None
    program = said.partition(' "')[0].strip()
    return Path(program) if program.startswith("/") else None


def is_server_of(pid: int, data_directory: Path) -> bool | None:
    """Whether the process is a Postgres that works in this data directory; None where nobody can tell.

    A pid alone proves nothing: after a crash or a reboot the number may belong to anybody. A postmaster's
    working directory is its data directory, which no other program's is by accident.
    """
    process = Path("/proc") / str(pid)
    if not Path("/proc/self/stat").exists():
        return _is_server_by_name(pid)
    try:
        # "pid (name) state …": the name may itself hold parentheses.
        name, _, rest = process.joinpath("stat").read_text(errors="replace").rpartition(")")
        if rest.split()[0] in "ZX":
            return (
                False  # dead, only not yet waited for, which under some containers' first process is for ever
            )
        if "(postgres" not in name and "(postmaster" not in name:
            return False
        return os.readlink(process / "cwd") == os.path.realpath(data_directory)
    except PermissionError:
        # Another user's process. The server of this directory could only run as the directory's owner.
        try:
            return False if process.stat().st_uid != data_directory.stat().st_uid else None
        except OSError:
            return None
    except OSError:
        return False


def _is_server_by_name(pid: int) -> bool | None:
    try:
        answer = subprocess.run(
            ["ps", "-o", "comm=", "-p", str(pid)], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return None if "postgres" in answer.stdout else False


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
