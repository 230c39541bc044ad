"""A connection keeps the plan of a statement. One that it made while a table had a page must be right for thousands."""

import json
from typing import Any

import psycopg
import pytest

from backstory import ContextStore
from backstory.domain.log.guards import Guard
from backstory.infrastructure.postgres.append import PendingEvent, append
from backstory.infrastructure.postgres.queries import query

READS = {
    "events_with_contents": ("uuid", "int[]"),
    "events_at": ("uuid", "int[]"),
}


@pytest.mark.parametrize("name", READS)
def test_a_read_by_key_stays_one(new_database, name):
    url = new_database()
    with ContextStore.open(url) as store:
        store.start().message("so far there is one")
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("analyze")
        plan = store._runtime.database.read(lambda connection: kept_plan(connection, name))
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


ITEMS = 600
FEW = (3, 5, 8)
VERBS: dict[str, Any] = {
    "nothing": {},
    "extends": {"item": 3, "tokens": 2},
    "revises": {"item": 3, "tokens": 2, "encoding": "o200k_base"},
    "removes": [{"items": FEW, "disposition": "pruned", "window": "main"}],
    "returns": [{"items": FEW, "window": "main"}],
    "touches": FEW,
    "tiers": {"COLD": FEW[:1], "WARM": FEW[1:]},
    "counts": {"encoding": "o200k_base", "tokens": dict.fromkeys(FEW, 1)},
}


@pytest.mark.parametrize("counted", [False, True])
def test_an_append_reads_the_items_that_it_names(new_database, counted):
    """However many its session has, and whether or not the planner has counted them."""
    url = new_database()
    with ContextStore.open(url) as store:
        session = store.start()
        with session.atomic() as together:
            for number in range(ITEMS):
                together.message(f"message {number}")
        if counted:
            # Among short sessions the planner takes every session for one of these.
            for _ in range(20):
                store.start().message("short")
            with psycopg.connect(url, autocommit=True) as owner:
                owner.execute("analyze")
        with store._runtime.database.connection() as connection, connection.transaction():
            for verb, asked in VERBS.items():
                # The plan that a connection keeps is that of its sixth call.
                for _ in range(7):
                    before = rows_read(connection)
                    event = PendingEvent("item.accessed", 1, b"{}", json.dumps({verb: asked}))
                    append(connection, session.id, [event], guard=Guard(items=FEW))
                    if verb == "removes":
                        put_back = json.dumps({"returns": VERBS["returns"]})
                        append(connection, session.id, [PendingEvent("item.accessed", 1, b"{}", put_back)])
                    read = rows_read(connection) - before
                    assert read <= 10 * len(FEW), f"{verb} read {read} rows"


def rows_read(connection: psycopg.Connection) -> int:
    """Of items, in this transaction."""
    row = connection.execute(
        "select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) from pg_stat_xact_all_tables"
        " where schemaname = 'backstory' and relname = 'items'"
    ).fetchone()
    assert row is not None
    return int(row[0])
