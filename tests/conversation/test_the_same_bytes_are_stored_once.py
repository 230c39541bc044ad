"""Contents over 1 KB that stand in a session already are not stored again, and are what was said all the same."""

import psycopg
import pytest


@pytest.fixture
def stored(url):
    def rows(session):
        with psycopg.connect(url) as connection:
            return connection.execute(
                "select version, octet_length(bytes), shared_version from backstory.contents where stream_id = %s "
                "order by version, part",
                (session.id,),
            ).fetchall()

    return rows


def test_a_long_text_is_stored_once(store, stored):
    session = store.start()
    text = "the same \0 thing " * 100
    items = [session.message(text), session.items.save("log", text), session.decide(text, rationale=text)]
    assert stored(session) == [(2, 1700, None), (3, None, 2), (4, None, 2), (4, None, 2)]
    assert [session.text(item) for item in items] == [text, text, f"{text}\n{text}"]
    assert session.verify().ok


def test_a_short_text_is_stored_each_time(store, stored):
    session = store.start()
    for _ in range(2):
        session.message("x" * 1024)
    assert stored(session) == [(2, 1024, None), (3, 1024, None)]


def test_one_message_that_says_it_twice(store, stored):
    session = store.start()
    part = {"type": "text", "text": "again " * 500}
    session.message({"role": "user", "content": [part, part]}, format="openai")
    assert [row[1] for row in stored(session)][:2] == [3000, None]
    assert session.messages(format="openai") == [{"role": "user", "content": [part, part]}]
    assert session.verify().ok


def test_several_of_one_commit(store, stored):
    session = store.start()
    text = "x" * 2000
    with session.atomic() as tx:
        for _ in range(3):
            tx.message(text)
    assert stored(session) == [(2, 2000, None), (3, None, 2), (4, None, 2)]
    assert session.verify().ok


def test_another_media_type_is_another_content_of_the_same_bytes(store):
    session = store.start()
    data = b"<p>" * 1000
    one = session.items.save("page", data, media_type="text/html")
    two = session.items.save("page", data, media_type="text/plain")
    assert [session.items.parts(item)[0].media_type for item in (one, two)] == ["text/html", "text/plain"]
    assert session.verify().ok


def test_sessions_do_not_share_bytes(store, stored):
    text = "x" * 2000
    one, two = store.start(), store.start()
    one.message(text)
    two.message(text)
    assert stored(one) == stored(two) == [(2, 2000, None)]


def test_a_fork_does_not_share_bytes_with_its_parent(store, stored):
    text = "x" * 2000
    session = store.start()
    session.message(text)
    fork = session.fork()
    fork.message(text)
    assert stored(fork) == [(4, 2000, None)]
    assert [message.parts[0].data.decode() for message in fork.messages()] == [text, text]
    assert fork.verify().ok
