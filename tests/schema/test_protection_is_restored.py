"""`upgrade` restores triggers and grants that somebody took away, and `verify` warns while they are off."""

import logging

import psycopg
import pytest

from backstory import ContextStore
from backstory.application.operations.administration import database_status, upgrade_database

DISARMED = {
    "a trigger that was switched off": (
        "alter table backstory.events disable trigger append_only",
        (("events",), ()),
    ),
    "one that a replica would not fire": (
        "alter table backstory.contents enable trigger append_only",
        (("contents",), ()),
    ),
    "a trigger that was dropped": ("drop trigger append_only on backstory.streams", (("streams",), ())),
    "a right to change a table": (
        "grant update, delete on backstory.events to backstory_service",
        ((), ("events",)),
    ),
    "a right for everybody": ("grant truncate on backstory.contents to public", ((), ("contents",))),
    "a right to read": ("revoke select on backstory.items from backstory_service", ((), ("items",))),
}


@pytest.mark.parametrize("name", DISARMED)
def test_the_tables_are_named(database: str, name: str) -> None:
    statement, gaps = DISARMED[name]
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(statement.encode())
    done = upgrade_database(database)
    assert done.restored == gaps
    assert not done.replaced_objects
    protection = database_status(database).protection
    assert protection is not None
    assert protection.by_grants
    assert protection.by_triggers
    assert upgrade_database(database).restored == ((), ())


def test_a_call_that_was_taken_from_the_service(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("revoke execute on function backstory.purge from backstory_service")
    upgrade_database(database)
    with psycopg.connect(database) as connection:
        allowed = "select has_function_privilege('backstory_service', 'backstory.purge'::regproc, 'execute')"
        assert connection.execute(allowed).fetchone() == (True,)


def test_a_database_in_order_is_left_alone(database: str) -> None:
    assert upgrade_database(database) == ((), False, ((), ()))


def test_verify_warns_while_it_is_off(database: str, caplog: pytest.LogCaptureFixture) -> None:
    with ContextStore.open(database) as store:
        session = store.start()
        assert session.verify().unprotected == ()
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("alter table backstory.events disable trigger append_only")
            connection.execute("grant insert on backstory.contents to backstory_service")
        with caplog.at_level(logging.WARNING, "backstory"):
            found = session.verify()
        assert found.ok
        assert found.unprotected == ("contents", "events")
        assert "triggers are off on events" in caplog.text
        caplog.clear()
        assert [one.unprotected for one in store.verify_all().sessions] == [("contents", "events")]
        assert caplog.text.count("not protected") == 1
        upgrade_database(database)
        assert session.verify().unprotected == ()
