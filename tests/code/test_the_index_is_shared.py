"""What one process read is not read again by another, and what changed is."""

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from backstory.application.code import code_index
from backstory.application.code.code_base import CodeBase
from backstory.application.code.code_index import CodeIndex
from backstory.infrastructure.code.extraction import extract
from backstory.infrastructure.postgres.database import Database
from tests.code.conftest import commit, write

Read = Callable[[Path], CodeBase]


def extracted(index: CodeIndex) -> int:
    """The number of files that a refresh reads."""
    with patch.object(code_index, "extract", wraps=extract) as counted:
        index.refresh()
    return counted.call_count


def test_another_process_reads_no_file_again(repository: Path, database: Database) -> None:
    write(repository, "only_here.py", f"x = {str(repository)!r}\n")
    assert extracted(CodeIndex(database, repository)) > 0
    assert extracted(CodeIndex(database, repository)) == 0


def test_only_a_changed_file_is_read(repository: Path, database: Database) -> None:
    index = CodeIndex(database, repository)
    index.refresh()
    write(repository, "shop/mail.py", f"x = {str(repository)!r}\n")
    assert extracted(index) == 1
    assert extracted(index) == 0


def test_a_new_commit_is_noted(repository: Path, database: Database) -> None:
    index = CodeIndex(database, repository)
    index.refresh()
    write(repository, "shop/mail.py", "def send():\n    pass\n")
    commit(repository, "Chase the dragon away")
    assert index.refresh().rank("dragon", 1)[0].path == "shop/mail.py"


def test_both_see_the_same(repository: Path, database: Database, read: Read) -> None:
    commit_of = CodeIndex(database, repository).refresh()
    assert read(repository).rank("basket total") == commit_of.rank("basket total")


def test_progress_is_told(folder: Path, database: Database) -> None:
    write(folder, "unseen.py", f"x = {str(folder)!r}\n")
    told: list[tuple[int, int]] = []
    CodeIndex(database, folder).refresh(lambda done, total: told.append((done, total)))
    assert told[-1] == (5, 5)
