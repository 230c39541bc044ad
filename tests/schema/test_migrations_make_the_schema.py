"""Replaying all migrations gives the tables that the schema files show."""

from typing import Any

import psycopg

from backstory.infrastructure.schema import migrate as schema
from backstory.infrastructure.schema.upgrade_steps import build_indexes
from tests.conftest import create_database

CATALOG = {
    "columns": (
        "select c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, "
        "a.attstorage, a.attcompression, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid) "
        "from pg_class c join pg_attribute a on a.attrelid = c.oid "
        "left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum "
        "where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 "
        "and not a.attisdropped order by 1, 2"
    ),
    "tables": (
        "select relname, relkind, relpersistence, reloptions, relreplident from pg_class "
        "where relnamespace = 'backstory'::regnamespace and relkind in ('r', 'p', 'S', 'i') order by 1"
    ),
    "constraints": (
        "select conrelid::regclass::text, conname, contype, pg_get_constraintdef(oid) from pg_constraint "
        "where connamespace = 'backstory'::regnamespace order by 1, 2"
    ),
    "indexes": "select indexname, indexdef from pg_indexes where schemaname = 'backstory' order by 1",
    "sequences": (
        "select sequencename, data_type::text, start_value, min_value, max_value, increment_by, cycle, "
        "cache_size from pg_sequences where schemaname = 'backstory' order by 1"
    ),
}


def test_replayed_migrations_equal_the_schema_files(server: str) -> None:
    steps = [step for migration in schema.migrations() for step in (migration.text, migration.indexes)]
    migrated = _made(server, [step for step in steps if step is not None])
    assert migrated == _made(server, schema.table_files())
    assert all(migrated.values())


def test_migrations_are_numbered_without_a_gap() -> None:
    numbers = [migration.number for migration in schema.migrations()]
    assert numbers == list(range(1, len(numbers) + 1))


def _made(server: str, texts: list[str]) -> dict[str, list[Any]]:
    """What the catalog says after these texts were run."""
    with psycopg.connect(create_database(server), autocommit=True) as connection:
        connection.execute("create schema backstory")
        for text in texts:
            if "concurrently" in text:
                build_indexes(connection, text)
            else:
                connection.execute(text.encode())
        return {name: connection.execute(query.encode()).fetchall() for name, query in CATALOG.items()}
