"""Every SQL file of the schema makes one object and is named for it; a table's file also has its indexes."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(
    file
    for folder in ("infrastructure/schema/sql", "projections/sql")
    for file in (ROOT / folder).glob("*/*.sql")
    if file.parent.name != "queries"
)
CREATE = re.compile(
    r"^create (?:or replace )?(?:unique )?(\w+) (?:if not exists )?(?:backstory\.)?(\w+)", re.MULTILINE
)
KINDS = {
    "tables": {"table", "sequence"},
    "functions": {"function"},
    "views": {"view"},
    "triggers": {"trigger"},
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_one_object_named_like_its_file(file: Path) -> None:
    text = file.read_text()
    ((kind, name),) = [found for found in CREATE.findall(text) if found[0] != "index"]
    assert kind in KINDS[file.parent.name]
    if kind == "trigger":
        (table,) = set(re.findall(r" on backstory\.(\w+)", text))
        name = f"{table}_{name}"
    assert file.stem == name


def test_there_are_files() -> None:
    assert {file.parent.name for file in FILES} == {*KINDS}
