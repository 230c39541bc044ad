"""A search finds pieces of code with their place and their relevance."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backstory.application.code.code_base import CodeBase
from backstory.domain.errors import InvalidInput
from tests.code.conftest import write

Read = Callable[[Path], CodeBase]


def test_a_definition_is_found_with_its_comments(folder: Path, read: Read) -> None:
    best = read(folder).search("the total is rounded once", minimum=0)[0]
    assert (best.path, best.kind, best.name, best.first, best.last) == (
        "shop/basket.py",
        "function",
        "total",
        10,
        12,
    )
    assert best.text.startswith("    # Rounded once, at the end.\n    def total(self):")


def test_relevance_falls_and_is_a_share(folder: Path, read: Read) -> None:
    found = [one.relevance for one in read(folder).search("total of the basket", 10, minimum=0)]
    assert found == sorted(found, reverse=True)
    assert all(0 <= one <= 1 for one in found)


def test_nothing_below_the_minimum_is_found(folder: Path, read: Read) -> None:
    base = read(folder)
    everything = base.search("total of the basket", 10, minimum=0)
    middle = everything[1].relevance
    assert base.search("total of the basket", 10, minimum=middle) == [
        one for one in everything if one.relevance >= middle
    ]


def test_files_that_are_shown_elsewhere_are_not_repeated(folder: Path, read: Read) -> None:
    found = read(folder).search("total of the basket", 10, minimum=0, without=["shop/basket.py"])
    assert found
    assert "shop/basket.py" not in {one.path for one in found}


def test_a_file_that_was_changed_since_is_not_shown_as_it_was(folder: Path, read: Read) -> None:
    base = read(folder)
    write(folder, "shop/discounts.py", "def other():\n    pass\n")
    assert "shop/discounts.py" not in {one.path for one in base.search("apply discount voucher", minimum=0)}


@pytest.mark.parametrize("minimum", [-0.1, 1.1, float("nan"), "half"])
def test_a_minimum_that_is_no_share_is_refused(folder: Path, read: Read, minimum: float) -> None:
    with pytest.raises(InvalidInput, match="minimum: must be from 0 to 1"):
        read(folder).search("basket", minimum=minimum)
