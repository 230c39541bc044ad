"""The files that a task is about come first: by their words, their paths, and what earlier commits tell."""

from collections.abc import Callable
from pathlib import Path

from backstory.application.code.code_base import CodeBase
from backstory.domain.code.bag import bag_of
from backstory.domain.code.ranking import Change, RankedFile, query_of, score_files
from tests.code.conftest import commit, write

Read = Callable[[Path], CodeBase]


def ranked(base: CodeBase, task: str) -> list[str]:
    return [one.path for one in base.rank(task)]


def test_by_their_words(folder: Path, read: Read) -> None:
    assert ranked(read(folder), "vouchers are worth too little")[0] == "shop/discounts.py"


def test_by_the_parts_of_names(folder: Path, read: Read) -> None:
    assert ranked(read(folder), "the receipt is not sent")[0] == "shop/mail.py"


def test_by_their_paths(folder: Path, read: Read) -> None:
    write(folder, "shop/stock.py", "def count():\n    return 1\n")
    assert ranked(read(folder), "stock")[0] == "shop/stock.py"


def test_only_code_is_ranked(folder: Path, read: Read) -> None:
    assert "README.md" not in ranked(read(folder), "shop")


def test_an_earlier_commit_tells_what_its_words_are_about(repository: Path, read: Read) -> None:
    write(repository, "shop/basket.py", "class Basket:\n    pass\n")
    commit(repository, "Stop the gnomes from stealing")
    assert ranked(read(repository), "gnomes steal again")[0] == "shop/basket.py"


def test_what_was_changed_lately_comes_first_among_equals(repository: Path, read: Read) -> None:
    for name in ("b", "a"):
        write(repository, f"{name}.py", "def same():\n    return 1\n")
        commit(repository, f"Add {name}")
    assert ranked(read(repository), "same")[:2] == ["a.py", "b.py"]


def test_a_commit_of_many_files_tells_less_of_each() -> None:
    files = [RankedFile(path, bag_of(""), bag_of("")) for path in ("wide", "narrow")]
    changes = [
        Change(bag_of("mend the printer"), ("wide", *map(str, range(50)))),
        Change(bag_of("mend the printer"), ("narrow",)),
        Change(bag_of("something else"), ()),
    ]
    wide, narrow = score_files(query_of("the printer fails"), files, changes)
    assert narrow > wide > 0


def test_a_task_without_words_ranks_nothing_above_the_newest(repository: Path, read: Read) -> None:
    write(repository, "shop/new.py", "x = 1\n")
    commit(repository, "Add something")
    assert ranked(read(repository), "")[0] == "shop/new.py"
