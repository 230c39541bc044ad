"""An access is an event, one per call however many items it reads. Nobody who only looks writes."""

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from backstory import ContextStore
from backstory.domain.errors import InvalidInput
from backstory.domain.events import ItemsTouched
from tests.blocking import open_blocking


@pytest.fixture(scope="module", params=["sync", "async"])
def recording(request, module_database):
    """A store that records plain reads, too."""
    opened = ContextStore.open if request.param == "sync" else open_blocking
    with opened(module_database, record_reads=True) as store:
        yield store


def told(store):
    """A session with three items of an agent and a summary of what it said."""
    session = store.start(limit=8_000)
    saved = [
        session.by("coder").items.save("note", f"note {n} on {topic}", importance=0.95)
        for n, topic in enumerate(("redis", "tokens", "clocks"))
    ]
    said = [session.message(f"message {n}") for n in range(40)]
    return session, saved, said


def accesses(session, since):
    """The accesses after a version: actor, reason and items."""
    return [
        (event.actor, event.body.reason, event.body.items)
        for event in session.events(after=since, types=[ItemsTouched.type])
    ]


def test_loading_is_one_access_of_the_agent(any_store):
    session, saved, _ = told(any_store)
    before = session.version
    assert len(session.by("coder").items.load()) == 3
    assert accesses(session, before) == [("coder", "loaded", tuple(saved))]
    assert session.version == before + 1


def test_expanding_is_one_access_of_the_agent(any_store):
    session, _, _ = told(any_store)
    summary = session.window.compact("preserve_summarize_discard", threshold=0).summary
    before = session.version
    items = session.by("coder").window.expand(summary)
    assert accesses(session, before) == [("coder", "expanded", (summary, *(item.id for item in items)))]
    assert session.version == before + 1


def test_what_a_query_finds_is_accessed_by_the_context_itself(store):
    session, saved, _ = told(store)
    context = session.by("coder").context(4_000, query="tokens")
    (event,) = [event for event in session.events() if event.version == context.version]
    assert saved[1] in event.effects.touches
    assert session.state.items[saved[1]].accesses == 1


def test_what_an_agent_searches_and_finds_is_one_access(any_store):
    session, saved, _ = told(any_store)
    before = session.version
    coder = session.by("coder")
    (hit,) = coder.search("redis").hits
    assert accesses(session, before) == [("coder", "found", (hit.item,))]
    assert hit.item == saved[0]
    assert coder.search("nothing like it").hits == ()
    assert coder.search("redis", record=False).hits
    assert session.search("message").hits
    assert session.version == before + 1


def test_a_search_over_sessions_is_one_access_in_each(store):
    first, second = [store.start(project="accesses-shared") for _ in range(2)]
    notes = [one.by("coder").items.save("note", "on zanzibar", private=False) for one in (first, second)]
    page = store.search("zanzibar", project="accesses-shared", agent="coder")
    assert len(page.hits) == 2
    assert store.search("zanzibar", project="accesses-shared").hits
    for session, note in zip((first, second), notes, strict=True):
        assert accesses(session, note) == [("coder", "found", (note,))]
        assert session.version == note + 1


def test_what_is_read_in_an_ended_session_is_accessed(store):
    session, _, _ = told(store)
    session.end()
    before = session.version
    assert session.by("coder").search("redis").hits
    assert session.version == before + 1


def test_a_reference_is_an_access_in_the_same_event(any_store):
    session, saved, said = told(any_store)
    before = session.version
    session.by("coder").message("As said before.", role="agent", references=[said[0], said[1], said[0]])
    session.by("coder").items.save("note", "see there", references=[saved[2]])
    assert session.version == before + 2
    items = session.state.items
    assert [items[item].accesses for item in (said[0], said[1], saved[2], said[2])] == [1, 1, 1, 0]
    assert session.verify().ok


def test_a_citation_is_one_access(store):
    session, saved, _ = told(store)
    before = session.version
    session.by("coder").items.touch(*saved, reason="cited")
    assert accesses(session, before) == [("coder", "cited", tuple(saved))]


def test_a_look_writes_nothing(store):
    session, saved, said = told(store)
    summary = session.window.compact("preserve_summarize_discard", threshold=0).summary
    before = session.version
    assert session.by("coder").items.load(record=False)
    assert session.window.expand(summary, record=False)
    assert session.text(saved[0]) == "note 0 on redis"
    assert session.items.parts(said[0])
    assert session.messages()
    assert session.messages(at=5, format="openai")
    session.context(4_000, query="tokens", record=False)
    assert session.version == before


def test_plain_reads_are_recorded_where_the_store_says_so(recording):
    session, saved, said = told(recording)
    coder = session.by("coder")
    goal = session.work.set_goal("Freeze the clock")
    before = session.version
    assert coder.text(saved[0]) == "note 0 on redis"
    coder.items.parts(said[3])
    coder.items.metadata(said[4])
    coder.items.text_at(session.state.goals[goal].text)
    newest = coder.messages(last=2)
    assert [message.parts[0].data for message in newest] == [b"message 38", b"message 39"]
    assert accesses(session, before) == [
        ("coder", "read", (saved[0],)),
        ("coder", "read", (said[3],)),
        ("coder", "read", (said[4],)),
        ("coder", "read", (goal,)),
        ("coder", "read", (said[38], said[39])),
    ]
    assert session.state.items[saved[0]].accesses == 1
    assert session.verify().ok


def test_a_read_that_finds_nothing_is_no_access(recording):
    session = recording.start()
    assert session.messages() == []
    assert session.version == 1


def test_a_read_only_connection_reads_and_never_writes(module_database):
    with ContextStore.open(module_database) as store:
        session, saved, _ = told(store)
        summary = session.window.compact("preserve_summarize_discard", threshold=0).summary
        before = session.version
        url = make_conninfo(module_database, options="-c default_transaction_read_only=on")
        with ContextStore.open(url, migrate=False, record_reads=True) as reader:
            same = reader.session(session.id).by("coder")
            assert same.items.load()
            assert same.window.expand(summary)
            assert same.text(saved[0]) == "note 0 on redis"
            assert same.messages()
        assert session.version == before


def test_a_login_that_may_only_select_reads_and_never_writes(own_store, database):
    session, saved, _ = told(own_store)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("drop role if exists looks_only")
        connection.execute("create role looks_only login")
        connection.execute("grant usage on schema backstory to looks_only")
        connection.execute("grant select on all tables in schema backstory to looks_only")
    try:
        url = make_conninfo(database, user="looks_only")
        with ContextStore.open(url, migrate=False, record_reads=True) as reader:
            same = reader.session(session.id).by("coder")
            assert same.items.load()
            assert same.text(saved[0]) == "note 0 on redis"
        assert session.version == 44
    finally:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("drop owned by looks_only; drop role looks_only")


def test_the_option_is_true_or_false(database):
    with pytest.raises(InvalidInput, match="record_reads: must be true or false"):
        ContextStore.open(database, record_reads="yes")
