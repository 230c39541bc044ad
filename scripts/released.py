"""Writes a database as this release leaves it, for the tests of later ones: `python scripts/released.py FOLDER`."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg

from backstory.application.store import ContextStore
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.embedded.binaries import find_binaries
from backstory.infrastructure.schema import migrate as schema

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.verify.rich_session import write_fork, write_session  # noqa: E402


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="backstory-released-") as home:
        server = embedded.start_or_join(Path(home))
        try:
            write(server.url())
            dump = [
                find_binaries().directory / "pg_dump",
                "--no-owner",
                "--no-acl",
                "--inserts",
                "--rows-per-insert=50",
            ]
            text = subprocess.run(
                [*dump, "--schema=backstory", server.url()], check=True, capture_output=True, text=True
            ).stdout
        finally:
            embedded.stop(Path(home))
    file = folder / f"{schema.migrations()[-1].number:04}.sql"
    file.write_text(f"{plain(text)}\n{schema.object_files()[-1]}")
    print(f"wrote {file}")


def write(url: str) -> None:
    """What a release's code may have left behind."""
    with ContextStore.open(url) as store:
        write_fork(write_session(store))
        ended = store.start(title="Ended")
        ended.message("one", importance=0.9)
        ended.end()
        many = store.start(limit=100_000)
        for number in range(12):
            many.message(f"message {number}", importance=0.1 * (number % 11))
        gone = store.start()
        assert store.verify_all().ok
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("select backstory.purge(%s)", (gone.id,))
        connection.execute("select backstory.track('a consumer', 3)")


def plain(dump: str) -> str:
    """A dump without what only psql understands, and without settings that another server may not have."""
    skipped = ("\\", "SET ", "SELECT pg_catalog.set_config", "--")
    lines = [line for line in dump.splitlines() if not line.startswith(skipped)]
    return re.sub(r"\n{2,}", "\n\n", "\n".join(lines)).strip() + "\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
