"""The protection that keeps the log append-only: triggers on its tables, and a service role without the right to change
them. Whoever owns the tables can switch both off; here it is found and put back."""

import re
from typing import NamedTuple

import psycopg

from backstory.infrastructure.postgres.queries import query, query_on

SERVICE_ROLE = "backstory_service"
PROTECTED = ("appends", "calls", "contents", "events", "retention_rules", "streams", "tombstones")
"""The tables that only grow."""


class Gaps(NamedTuple):
    """The tables whose protection is off."""

    triggers: tuple[str, ...] = ()
    """Those without a trigger that refuses changes by any role."""
    grants: tuple[str, ...] = ()
    """Those that the service role may change, or may not read."""

    def __str__(self) -> str:
        off = [f"triggers are off on {', '.join(self.triggers)}"] if self.triggers else []
        off += [f"grants of {SERVICE_ROLE} are not as they should be on {', '.join(self.grants)}"] * bool(
            self.grants
        )
        return "; ".join(off)


def find_gaps(connection: psycopg.Connection) -> Gaps:
    """The tables whose protection is off. Without a service role there are no grants to check."""
    triggers = connection.execute(query("unguarded_tables"), (list(PROTECTED),)).fetchall()
    grants = connection.execute(query("tables_with_other_grants")).fetchall()
    return Gaps(tuple(name for (name,) in triggers), tuple(name for (name,) in grants))


def lacks_functions(connection: psycopg.Connection, grants: str) -> bool:
    """Whether the service role may not call a function that the grants name."""
    names = re.findall(r"backstory\.(\w+)", grants)
    return connection.execute(query("functions_without_grant"), (names,)).fetchone() is not None


def revoke_changes(connection: psycopg.Connection, tables: tuple[str, ...]) -> None:
    """Takes the right to change these tables from the service role and from everybody."""
    for table in tables:
        connection.execute(query_on("revoke_changes", table))
