"""A key from its making to its end."""

import re
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.domain.access import Action, Caller
from backstory.domain.errors import InvalidInput, KeyRequired, NotFound, Refused


def test_it_stands_for_its_caller(own_store: ContextStore) -> None:
    made = own_store.keys.create("bot", "append", projects=["orders"], agent="planner", by="ana")
    assert own_store.keys.caller(made.secret) == Caller(
        "bot", Action.APPEND, frozenset({"orders"}), "planner"
    )
    (listed,) = own_store.keys.list()
    assert (listed.name, listed.created_by, listed.valid) == ("bot", "ana", True)
    assert listed.last_used is not None


def test_the_secret_is_stored_nowhere(own_store: ContextStore, database: str) -> None:
    made = own_store.keys.create("bot", "read")
    secret = made.secret.removeprefix(made.key.prefix + "_")
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", secret)
    with psycopg.connect(database) as connection:
        for (text,) in connection.execute("select k::text from backstory.keys k"):
            assert secret not in text


def test_one_that_is_revoked_or_expired_or_wrong_is_refused(own_store: ContextStore) -> None:
    keys = own_store.keys
    revoked, kept = keys.create("gone", "read"), keys.create("kept", "read")
    keys.revoke("gone")
    expired = keys.create("old", "read", expires_at=datetime.now(UTC) - timedelta(seconds=1))
    mixed = kept.key.prefix + revoked.secret.removeprefix(revoked.key.prefix)
    for secret in (revoked.secret, expired.secret, mixed, "", "bsk_", kept.secret + "x"):
        with pytest.raises(KeyRequired) as refused:
            keys.caller(secret)
        assert not secret or secret not in str(refused.value)
    assert keys.caller(kept.secret).name == "kept"
    assert [key.valid for key in keys.list()] == [False, True, False]


def test_a_rotated_one_ends_at_once_or_after_its_grace(own_store: ContextStore) -> None:
    keys = own_store.keys
    first = keys.create("bot", "operate", projects=["a"])
    second = keys.rotate("bot", grace=timedelta(hours=1))
    assert keys.caller(first.secret) == keys.caller(second.secret)
    third = keys.rotate("bot")
    for ended in (first, second):
        with pytest.raises(KeyRequired):
            keys.caller(ended.secret)
    assert keys.caller(third.secret) == Caller("bot", Action.OPERATE, frozenset({"a"}))
    keys.revoke("bot")
    assert not keys.exist()
    with pytest.raises(NotFound):
        keys.rotate("bot")


def test_a_name_stands_for_one_holder(own_store: ContextStore) -> None:
    own_store.keys.create("bot", "read")
    own_store.keys.revoke("bot")
    with pytest.raises(Refused):
        own_store.keys.create("bot", "read")


def test_bad_input_is_named(own_store: ContextStore) -> None:
    keys = own_store.keys
    for field, made in {
        "name": lambda: keys.create("", "read"),
        "action": lambda: keys.create("bot", "write"),
        "projects": lambda: keys.create("bot", "read", projects=[]),
        "grace": lambda: keys.rotate("bot", grace=timedelta(days=-1)),
    }.items():
        with pytest.raises(InvalidInput) as refused:
            made()
        assert refused.value.field == field
    assert keys.list() == []
