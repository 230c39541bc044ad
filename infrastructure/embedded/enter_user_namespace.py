"""Runs a program in a user namespace where root goes by another number: `UID GID PROGRAM ARGUMENT…`.

Run by path in an interpreter of its own, never imported: a namespace can only be entered by a process with a
single thread, and the caller may have many. Hence also ctypes: `os.unshare` is younger than Python 3.11.
"""

import ctypes
import os
import sys

CLONE_NEWUSER = 0x10000000


def enter(uid: int, gid: int) -> None:
    outside_uid, outside_gid = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    # The kernel takes a group map only from a process that can no longer drop groups.
    for name, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {outside_uid} 1"),
        ("gid_map", f"{gid} {outside_gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)


if __name__ == "__main__":
    try:
        enter(int(sys.argv[1]), int(sys.argv[2]))
        os.execv(sys.argv[3], sys.argv[3:])
    except OSError as error:
        sys.exit(f"cannot run {sys.argv[3]} in a user namespace: {error}")
