"""The conversation of a past version, asked for again and again: kept in memory, and never out of date."""

import psycopg
import pytest

from backstory import ContextStore
from backstory.domain.errors import UnknownVersion
from tests.context.golden_session import tell
from tests.restored import say_instead

FORMATS = ("openai", "anthropic", None)


@pytest.fixture
def other(url: str):
    with ContextStore.open(url) as store:
        yield store


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_kept_is_what_a_stranger_reads(store, other, format):
    session = store.start()
    tell(session)
    stranger = other.session(session.id)
    for version in range(1, session.version + 1, 5):
        first = session.messages(at=version, format=format)
        assert session.messages(at=version, format=format) == first
        assert stranger.messages(at=version, format=format) == first


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_messages_are_the_callers_to_change(store, format):
    session = store.start()
    tell(session)
    first = session.messages(at=session.version, format=format)
    again = session.messages(at=session.version, format=format)
    for message in first:
        for block in message["content"] if isinstance(message["content"], list) else ():
            block.clear()
        message.clear()
    assert session.messages(at=session.version, format=format) == again


def test_what_was_erased_elsewhere_is_left_out(store, other):
    session = store.start()
    secret = session.message("The password is hunter2.")
    session.message("Noted.", role="agent")
    assert len(session.messages(at=3, format="openai")) == 2
    other.session(session.id).erase(secret, "a secret")
    assert session.messages(at=3, format="openai") == [{"role": "assistant", "content": "Noted."}]


def test_what_was_erased_in_the_parent_is_left_out_of_a_fork(store, other):
    """The fork's own log says nothing of it."""
    parent = store.start()
    secret = parent.message("The password is hunter2.")
    fork = parent.fork()
    fork.message("Go on.")
    assert len(fork.messages(at=fork.version, format="openai")) == 2
    other.session(parent.id).erase(secret, "a secret")
    assert fork.messages(at=fork.version, format="openai") == [{"role": "user", "content": "Go on."}]
    assert fork.messages(at=secret, format="openai") == []


def test_a_log_that_was_restored_is_read_anew(new_database):
    url = new_database()
    with ContextStore.open(url) as store:
        session = store.start()
        item = session.message("What will be lost.")
        session.message("And more.")
        assert session.messages(at=item, format="openai")[0]["content"] == "What will be lost."
        with psycopg.connect(url) as connection:
            for table in ("events", "contents"):
                connection.execute(f"alter table backstory.{table} disable trigger all")
            connection.execute("update backstory.events set recorded_at = recorded_at - interval '1 hour'")
            say_instead(connection, session.id, item, b"What was there before.")
        assert session.messages(at=item, format="openai")[0]["content"] == "What was there before."


def test_a_version_from_the_future_is_refused_until_it_is_there(store):
    session = store.start()
    session.message("Hello.")
    with pytest.raises(UnknownVersion):
        session.messages(at=session.version + 1)
    session.message("Again.")
    assert len(session.messages(at=session.version)) == 2
