"""All SQL of the package is in `.sql` files: statements by topic, each with a name that is used, and none in Python."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory.infrastructure.postgres.queries import query, query_on

ROOT = Path(__file__).parents[2]
LAYERS = ("application", "domain", "infrastructure", "interfaces", "projections")
LOADER = ROOT / "infrastructure" / "postgres" / "queries.py"
MODULES = sorted(file for layer in LAYERS for file in (ROOT / layer).rglob("*.py"))
SQL_FILES = sorted(file for layer in LAYERS for file in (ROOT / layer).rglob("*.sql"))
FILES = [file for file in SQL_FILES if file.parent.name == "queries"]
STATEMENTS = [
    (file.name, text)
    for file in FILES
    for text in re.split(r"^(?=-- name: )", file.read_text(), flags=re.MULTILINE)
]
NAMES = [name for _, text in STATEMENTS for name in re.findall(r"^-- name: (\w+)$", text, re.MULTILINE)]
BEGINS = re.compile(
    r"""\s*(
        select\b | insert\s+into\b | update\s+\S+\s+set\b | delete\s+from\b | with\s+\w+\s+as\b | truncate\s
        | (create|drop|alter)\s+(or\s+replace\s+)?(schema|table|index|function|view|trigger|role|database)\b
        | (grant|revoke)\s.*\s(to|from)\s | lock\s+table\b | (listen|notify)\s+\S*$ | copy\s+\S+\s+(to|from)\b
        | set\s+(local|session|role|transaction)\b
    )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
HOLDS = re.compile(
    r"\bbackstory\.\w+\s+(where|set|using)\b|\bfrom\s+(backstory\.|pg_|unnest\()|\bpg_\w+\(", re.IGNORECASE
)


def is_sql(text: str) -> bool:
    return BEGINS.match(text) is not None or HOLDS.search(text) is not None


def texts(module: ast.Module) -> Iterator[ast.Constant]:
    """Every string of a module that is no docstring, also those that others are put together from."""
    docstrings = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str | bytes)
            and id(node) not in docstrings
        ):
            yield node


def names_in(module: ast.Module) -> Iterator[ast.expr]:
    """The names under which a module asks for statements, as they are written."""
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Name(id="query" | "query_on" | "query_drafted"), args=[name, *_]):
                yield name


def test_no_module_holds_sql() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in MODULES
        for node in texts(ast.parse(file.read_text()))
        if is_sql(node.value if isinstance(node.value, str) else node.value.decode(errors="replace"))
    ]
    assert not found, "SQL belongs into a file in sql/queries"


@pytest.mark.parametrize(
    "text",
    [
        "select 1",
        " SELECT version from backstory.events",
        "with mine as (select 1) select * from mine",
        "insert into backstory.appends values (%s)",
        "update backstory.streams set version = 1",
        "delete from backstory.items",
        "drop function backstory.track",
        "set role backstory_service",
        "grant backstory_service to current_user",
        "listen backstory",
        "join backstory.contents using (version, part)",
    ],
)
def test_sql_is_recognized(text: str) -> None:
    assert is_sql(text)


def test_every_name_that_is_used_exists_and_every_name_is_used() -> None:
    used = set()
    for file in MODULES:
        if file != LOADER:
            for name in names_in(ast.parse(file.read_text())):
                assert isinstance(name, ast.Constant), f"{file}:{name.lineno}: the name is not written there"
                used.add(name.value)
    assert used == set(NAMES)


def test_no_two_statements_have_the_same_name() -> None:
    assert len(NAMES) == len(set(NAMES))


def test_files_are_topics() -> None:
    assert 12 <= len(FILES) <= 28
    assert len(NAMES) > 5 * len(FILES)


@pytest.mark.parametrize(
    "text",
    [text for _, text in STATEMENTS if text],
    ids=lambda text: text.split("\n")[0].removeprefix("-- name: "),
)
def test_a_statement_has_a_name_a_comment_and_one_end(text: str) -> None:
    assert re.fullmatch(r"-- name: \w+\n(?:-- .+\n)+(?:(?!--).+\n)+\n?", text)
    assert text.rstrip().endswith(";")
    statement = re.sub(r"^--.*\n", "", text, flags=re.MULTILINE)
    assert statement.count(";") == 1
    assert "--" not in statement


def test_comments_stay_in_the_file() -> None:
    assert query("streams") == b"select stream_id\nfrom backstory.streams\norder by 1;"


def test_a_statement_is_always_the_same_object() -> None:
    assert query("streams") is query("streams")
    assert query_on("headless_streams", "items") is query_on("headless_streams", "items")


def test_a_name_without_a_statement_is_an_error() -> None:
    with pytest.raises(LookupError, match="no_such_statement"):
        query("no_such_statement")


def test_a_table_is_named_as_an_identifier() -> None:
    assert b'from "backstory"."items; drop"' in query_on("stream_in_table", "items; drop")


@pytest.mark.parametrize(
    "names", [("items", "items_after", "items_by_id"), ("events", "first_events", "last_events", "events_at")]
)
def test_rows_that_become_the_same_value_have_the_same_columns(names: tuple[str, ...]) -> None:
    assert len({query(name).partition(b"\nfrom ")[0] for name in names}) == 1


def test_a_stream_has_one_lock() -> None:
    numbers = [
        number
        for file in SQL_FILES
        for number in re.findall(r"\(uuid_hash_extended\([^,]+, (\d+)\)", file.read_text())
    ]
    assert len(numbers) >= 4
    assert set(numbers) == {"20260"}
