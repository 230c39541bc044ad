"""A connection keeps the plan of a statement. One that it made while a table had a page must be right for thousands."""

import psycopg
import pytest

from backstory import ContextStore
from backstory.infrastructure.queries import query

READS = {
    "events_with_contents": ("uuid", "int[]"),
    "contents_at": ("int[]", "smallint[]", "uuid"),
    "contents_of_events": ("uuid", "int[]"),
    "events_at": ("uuid", "int[]"),
}


@pytest.mark.parametrize("name", READS)
def test_a_read_by_key_stays_one(new_database, name):
    url = new_database()
    with ContextStore.open(url) as store:
        store.start().message("so far there is one")
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("analyze")
        plan = store._core.database.read(lambda connection: kept_plan(connection, name))
    assert "Seq Scan" not in plan
    assert "Join Filter" not in plan
    by_stream_alone = "Index Cond: (stream_id = $1)"
    assert by_stream_alone not in plan


def kept_plan(connection: psycopg.Connection, name: str) -> str:
    """The plan that a connection keeps for any parameters."""
    text = query(name).decode()
    for number in range(1, len(READS[name]) + 1):
        text = text.replace("%s", f"${number}", 1)
    cursor = psycopg.ClientCursor(connection)
    cursor.execute("set plan_cache_mode = force_generic_plan")
    cursor.execute(f"prepare asked ({', '.join(READS[name])}) as {text}")
    nothing = ", ".join(f"null::{type}" for type in READS[name])
    plan = cursor.execute(f"explain execute asked ({nothing})").fetchall()
    cursor.execute("deallocate asked")
    cursor.execute("reset plan_cache_mode")
    return "\n".join(line for (line,) in plan)
