"""The page on coverage names files and tests that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "coverage.md"
ROWS = [line for line in PAGE.read_text().splitlines() if re.match(r"\| (?!feature|---)", line)]
FILE = re.compile(
    r"\b(?:application|dashboard/src|domain|infrastructure|interfaces|projections|tests|docs)/[\w./-]*\w"
)
TEST = re.compile(r"(tests/[\w/]+\.py)?((?:::\w+)+)")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split(" | ")[0][2:60])
def test_a_row_names_what_exists(row: str) -> None:
    _, where, tests = row.strip("| ").rsplit(" | ", 2)
    named = FILE.findall(f"{where} {tests}")
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert FILE.search(tests), "names no test"
    file = ""
    for path, names in TEST.findall(tests):
        file = (ROOT / path).read_text() if path else file
        for name in names.strip(":").split("::"):
            assert re.search(rf"(?:def|class) {name}\b", file), f"{name} is not in {path}"
