"""The disk that the database is on has no space left for a while."""

import os
import subprocess
import time

import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import StorageFull
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.schema import migrate as schema
from tests.chaos.form import form
from tests.conftest import skip_or_fail
from tests.waiting import until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]

MEGABYTES = 256


class Disk:
    """A small disk in memory."""

    def __init__(self, folder):
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self):
        """Takes all the space there is, to the last block."""
        with self._filler.open("wb", buffering=0) as file:
            for size in (1 << 20, 1 << 12):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue

    def clear(self):
        self._filler.unlink()


@pytest.fixture
def disk(tmp_path):
    if os.geteuid() != 0:
        skip_or_fail("a small disk can only be mounted by root")
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", folder]
    mounting = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounting.returncode:
        pytest.skip(f"no small disk can be mounted here: {mounting.stderr.strip()}")
    yield Disk(folder)
    embedded.stop(folder / "home")
    subprocess.run(["umount", folder], check=True)


def test_writers_are_told_and_go_on_when_there_is_space(trial, disk, report):
    home = disk.folder / "home"
    schema.upgrade(embedded.start_or_join(home).url())
    filling = trial("disk full", home, patience=5)

    def fill():
        since = time.time()
        disk.fill()
        for writer in filling.writers:
            until(lambda writer=writer: troubled(writer, since))
        disk.clear()

    for _ in range(form(1, 8)):
        filling.round(fill)
    report(filling.finish())
    reasons = {
        note["why"].split(":")[0] for writer in filling.writers for note in writer.notes() if "why" in note
    }
    assert "StorageFull" in reasons
    assert reasons <= {"StorageFull", "ServerUnavailable"}


def troubled(writer, since):
    return any(note["outcome"] in ("not done", "unknown") and note["at"] > since for note in writer.notes())


def test_the_error_says_what_is_wrong_and_nothing_was_written(disk):
    home = disk.folder / "home"
    with ContextStore.open(data_dir=home) as store:
        session = store.start()
        session.message("there is space")
        disk.fill()
        with pytest.raises(StorageFull, match="no space left, so nothing was written") as caught:
            session.message("x" * 1_000_000 + os.urandom(500_000).hex())
        assert caught.value.exit_code == 6
        assert session.version == 2
        disk.clear()
        assert session.message("there is space again") == 3
        assert store.verify_all().ok
