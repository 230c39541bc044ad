"""A map shows the best files with signatures, and never has more tokens than it may."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from backstory.application.code.code_base import CodeBase
from backstory.domain.code.definitions import Definition
from backstory.domain.code.repo_map import MappedFile, draw_map
from backstory.infrastructure.llm.tokens import count_tokens

Read = Callable[[Path], CodeBase]


def test_it_shows_files_with_signatures_the_best_first(folder: Path, read: Read) -> None:
    text = read(folder).repo_map("vouchers lower the total", 400, count_tokens).text
    lines = text.splitlines()
    assert lines[0] == "4 code files; those that matter most, with signatures:"
    assert lines[1:3] == ["shop/discounts.py", "  def apply_discount(basket, code)"]
    assert "    def total(self)" in lines


def test_the_task_s_own_files_come_first(folder: Path, read: Read) -> None:
    drawn = read(folder).repo_map("vouchers", 400, count_tokens, first=["shop/mail.py"])
    assert drawn.files[:2] == ("shop/mail.py", "shop/discounts.py")


@pytest.mark.parametrize("budget", [0, 1, 5, 20, 25, 40, 80])
def test_a_small_budget_is_kept(folder: Path, read: Read, budget: int) -> None:
    drawn = read(folder).repo_map("basket total", budget, count_tokens)
    assert count_tokens(drawn.text) <= budget


names = st.text("abcdefgh_./é漢", min_size=1, max_size=30)


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(names, st.floats(0, 2), st.lists(names, max_size=5)),
        max_size=12,
        unique_by=lambda one: one[0],
    ),
    st.integers(0, 300),
)
def test_whatever_the_files_are(files: list[tuple[str, float, list[str]]], budget: int) -> None:
    mapped = [
        MappedFile(
            path,
            score,
            [Definition("function", name, name, n, n, n) for n, name in enumerate(signatures)],
            [0.5] * len(signatures),
        )
        for path, score, signatures in files
    ]
    drawn = draw_map(mapped, len(mapped), budget, count_tokens)
    assert count_tokens(drawn.text) <= budget
    assert [line for line in drawn.text.splitlines()[1:] if not line.startswith("  ")] == list(drawn.files)
    scores = [score for path, score, _ in files if path in drawn.files]
    assert (
        all(min(scores, default=9) >= score for path, score, _ in files if path not in drawn.files)
        or budget < 200
    )
