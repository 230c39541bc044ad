"""How an append's cost divides between the server's processor and the client's."""

import os
import time
from pathlib import Path

import psycopg

from benchmarks.contenders import APPENDERS


def _server_seconds() -> dict[int, float]:
    """Processor seconds of every Postgres backend on this machine, where /proc tells."""
    seconds = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if b"postgres" not in (folder / "cmdline").read_bytes():
                    continue
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            seconds[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


def shares(url: str, appends: int = 1500) -> dict[str, tuple[float, float]]:
    """Microseconds of processor time an append on the server and in the client, one thread, without waiting for the
    disk. Empty where the system does not tell."""
    if not Path("/proc/self/stat").exists():
        return {}
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("alter database " + str(connection.info.dbname) + " set synchronous_commit = off")
    found = {}
    for name, opened in APPENDERS.items():
        with opened(url) as contender:
            append, close = contender()
            for number in range(1, 50):
                append(number)
            before = _server_seconds()
            client = time.process_time()
            for number in range(50, 50 + appends):
                append(number)
            client = time.process_time() - client
            after = _server_seconds()
            server = sum(after[pid] - before[pid] for pid in after if pid in before)
            found[name] = (server / appends * 1e6, client / appends * 1e6)
            close()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("alter database " + str(connection.info.dbname) + " reset synchronous_commit")
    return found
