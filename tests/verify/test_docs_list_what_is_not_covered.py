"""The page on tamper evidence names every table and everything that verification does not cover."""

from pathlib import Path

import pytest

from tests.verify.test_tampering_is_named import NOT_COVERED, TABLES

PAGE = (Path(__file__).parents[2] / "docs/explanation/tamper-evidence.md").read_text()
COVERED, LEFT_OUT = PAGE.split("## Limits")
SAID = {
    ("appends", "*", "delete"): "a deleted row of `appends`",
    ("snapshots", "*", "delete"): "a deleted row of `snapshots`",
    ("snapshots", "fold_version", "flip"): "a row of `snapshots` of another fold version",
}


@pytest.mark.parametrize("table", TABLES)
def test_every_table_is_on_one_side_or_the_other(table: str) -> None:
    if (table, "*", "*") in NOT_COVERED:
        assert f"`{table}`" in LEFT_OUT
    else:
        assert f"`{table}`" in COVERED


def test_everything_that_is_not_covered_is_said() -> None:
    partly = {spot for spot in NOT_COVERED if spot[1:] != ("*", "*")}
    assert partly == SAID.keys()
    for said in SAID.values():
        assert said in LEFT_OUT
