"""A context is made of cached states and contents; whatever others did meanwhile is in it all the same."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import psycopg
import pytest

from backstory import ContextStore
from backstory.application.session import Session
from backstory.domain.errors import BranchMoved, BudgetTooSmall, InvalidInput, NoLiveCall
from backstory.domain.policies.assembly import AssemblyPolicy
from tests.context.golden_session import tell
from tests.restored import say_instead

SAID = (
    "We store sessions in Redis, see src/cache.py, and `load_session()` reads them.",
    "Remember this: the staging key rotates on Mondays.",
    "I decided to use Postgres for the ledger because we need transactions.",
    "OK.",
    "HTTP 503 from https://api.example.com when @maria runs deploy.sh; TimeoutError again.",
    "Ünïcödé, “quotes”, \\ and \t tabs\nand lines.",
)


@pytest.fixture
def other(url: str):
    with ContextStore.open(url) as store:
        yield store


def talk(session: Session, turns: int) -> None:
    for number in range(turns):
        session.message(f"{number}: {SAID[number % len(SAID)]}", role="agent" if number % 3 else "user")
        session.context(4_000)


def shown(session: Session) -> str:
    return session.context(4_000).data.decode()


def test_what_another_process_said_is_shown(store, other):
    session = store.start()
    talk(session, 3)
    other.session(session.id).message("The other one was here.")
    context = session.context(4_000)
    assert "The other one was here." in context.data.decode()
    assert (context.at, context.version) == (session.version - 1, session.version)


def test_a_tool_is_called_and_answers_without_a_read_where_nobody_else_wrote(store, monkeypatch):
    session = store.start()
    talk(session, 3)
    read = session._runtime.database.read
    monkeypatch.setattr(session._runtime.database, "read", None)
    session.tool_call("read", {"path": "a.py"}, call_id="call")
    session.tool_result("call", "class Ledger: pass")
    session.decide("Keep the ledger.")
    goal = session.work.set_goal("Ship it.")
    session.work.complete_goal(goal)
    monkeypatch.setattr(session._runtime.database, "read", read)
    context = session.context(4_000)
    assert "class Ledger: pass" in context.data.decode()
    assert "Keep the ledger." in context.data.decode()
    assert session.verify().ok
    assert session.reproduce(context.version).ok


def test_what_the_cached_state_refuses_is_asked_of_the_log(store, other):
    """The call is another process's, and the state that is cached here knows nothing of it."""
    session = store.start()
    talk(session, 3)
    elsewhere = other.session(session.id)
    elsewhere.tool_call("read", {"path": "a.py"}, call_id="theirs")
    session.tool_result("theirs", "found")
    with pytest.raises(NoLiveCall):
        session.tool_result("theirs", "found again")
    with pytest.raises(NoLiveCall):
        elsewhere.tool_result("theirs", "found there too")
    assert session.verify().ok


def test_what_the_cached_state_allows_is_refused_where_the_log_says_otherwise(store, other):
    """The cached state knows the call as open; another process has answered it."""
    session = store.start()
    talk(session, 3)
    session.tool_call("read", {"path": "a.py"}, call_id="call")
    other.session(session.id).tool_result("call", "theirs")
    with pytest.raises(NoLiveCall):
        session.tool_result("call", "mine")
    other.session(session.id).tool_call("read", {}, call_id="twice")
    with pytest.raises(InvalidInput, match="still open"):
        session.tool_call("read", {}, call_id="twice")
    assert "theirs" in shown(session)
    assert "mine" not in shown(session)


def test_a_change_of_items_goes_through_among_messages_of_others(store, other, monkeypatch):
    """Decided once: its guard is on the items, and what came between has nothing to do with them."""
    session = store.start()
    item = session.message("To be removed.")
    talk(session, 2)
    other.session(session.id).message("Unrelated.")
    monkeypatch.setattr(session._runtime.log, "rows_at", None)
    session.items.remove(item)
    assert "To be removed." not in shown(session)
    assert "Unrelated." in shown(session)


def test_a_preview_shows_what_others_wrote_and_writes_nothing(store, other):
    session = store.start()
    talk(session, 3)
    other.session(session.id).message("The other one was here.")
    before = session.version
    for _ in range(2):
        preview = session.context(4_000, record=False)
        assert (preview.version, preview.at) == (None, before)
        assert "The other one was here." in preview.data.decode()
    assert session.version == before


def test_a_chat_of_previews_is_what_a_stranger_sees(store, url):
    session = store.start()
    for number in range(0, 30, 2):
        session.message(f"{number}: {SAID[number % len(SAID)]}")
        now = datetime.now(UTC)
        with ContextStore.open(url) as stranger:
            new = stranger.session(session.id).context(2_500, as_of=now, record=False)
        assert session.context(2_500, as_of=now, record=False).data == new.data
        session.message(f"{number + 1}: {SAID[(number + 1) % len(SAID)]}", role="agent")


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_whoever_changes_a_context_changes_no_other(store, format):
    session = store.start()
    session.tool_call("read", {"path": "a.py"}, call_id="call", text="Let me look.")
    session.tool_result("call", "class Ledger: pass")
    now = datetime.now(UTC)
    first = session.context(4_000, format=format, as_of=now, record=False)
    expected = json.dumps(first.messages)

    def spoil(value):
        if isinstance(value, dict):
            for held in value.values():
                spoil(held)
            value["spoiled"] = True
        elif isinstance(value, list):
            for held in value:
                spoil(held)
            value.append("spoiled")

    spoil(first.messages)
    again = session.context(4_000, format=format, as_of=now, record=False)
    assert json.dumps(again.messages) == expected


def test_a_backtrack_elsewhere_is_not_passed_over(store, other):
    session = store.start()
    talk(session, 4)
    other.session(session.id).backtrack(2, "wrong way")
    before = other.session(session.id).version
    with pytest.raises(BranchMoved):
        session.context(4_000)
    assert other.session(session.id).version == before
    assert "1: " not in shown(session.refresh())


def test_what_was_erased_elsewhere_is_not_shown(store, other):
    session = store.start()
    item = session.message("The password is hunter2.")
    talk(session, 2)
    assert "hunter2" in shown(session)
    other.session(session.id).erase(item, "a secret")
    assert "hunter2" not in shown(session)


@pytest.mark.parametrize("cached", [True, False], ids=["the session is open", "the store is new"])
def test_what_was_erased_is_not_shown_after_a_backtrack(store, other, cached):
    """The state that is resumed is from before the erasure, and so is what was cached of it."""
    session = store.start()
    item = session.message("The password is hunter2, in src/keys.py.")
    talk(session, 3)
    before = session.version
    assert "hunter2" in shown(session)
    session.erase(item, "a secret")
    session.backtrack(before, "once more")
    reader = session if cached else other.session(session.id)
    for record in (False, "with_answer", True):
        made = reader.context(4_000, record=record)
        assert b"hunter2" not in made.data
        assert b"src/keys.py" not in made.data
    assert "hunter2" not in str(reader.messages(format="openai"))
    reader.message("Go on.")
    assert "hunter2" not in shown(reader)


@pytest.mark.parametrize("record", [True, "with_answer"])
def test_looking_for_decisions_in_what_was_erased_changes_nothing(store, record):
    """Also where the erased message stands far back among the older ones."""
    session = store.start()
    policy = AssemblyPolicy(name="small", history_step=3, history_kept=2, older_candidates=40)
    for number in range(30):
        session.message(f"{number}.")
    session.erase(4, "asked for")
    for number in range(4):
        session.message(f"{number}: yes.")
        now = datetime.now(UTC)
        preview = session.context(1_600, record=False, policy=policy, summary=None, as_of=now)
        made = session.context(1_600, record=record, policy=policy, summary=None, as_of=now)
        assert made.data == preview.data
        assert (made.sections, made.left_out) == (preview.sections, preview.left_out)


def test_a_budget_that_was_too_small_only_in_the_past_is_no_error(store, other):
    session = store.start()
    prompt = session.set_system_prompt("Be brief. " * 300)
    session.message("Hello.")
    with pytest.raises(BudgetTooSmall):
        session.context(400)
    assert session.context(8_000).version is not None
    elsewhere = other.session(session.id)
    elsewhere.set_system_prompt("Be brief.")
    assert prompt != elsewhere.state.system_prompt
    assert "Be brief." in session.context(400).data.decode()


def test_a_log_that_was_restored_is_read_anew(new_database):
    """Its newest event has the same version as the cached one, and says something else."""
    url = new_database()
    with ContextStore.open(url) as store, ContextStore.open(url) as after:
        session = store.start()
        talk(session, 2)
        last = session.message("What will be lost.")
        with psycopg.connect(url) as connection:
            for table in ("events", "contents"):
                connection.execute(f"alter table backstory.{table} disable trigger all")
            for table in ("events", "streams"):
                of_last = "version = %(last)s and " if table == "events" else ""
                connection.execute(
                    f"update backstory.{table} set recorded_at = recorded_at - interval '1 hour' "
                    f"where {of_last} stream_id = %(stream)s",
                    {"stream": session.id, "last": last},
                )
            say_instead(connection, session.id, last, b"What was there before.")
        made = shown(session)
        assert "What was there before." in made
        assert "What will be lost." not in made
        assert after.session(session.id).context(4_000, record=False).data.decode() == shown(session)


def test_a_state_that_is_read_does_not_change_under_its_reader(store):
    session = store.start()
    talk(session, 2)
    with session._runtime.reader.borrow(session.id) as state:
        before = state.digest()
        session.message("Meanwhile.")
        assert state.digest() == before
        assert session.state.version == state.version + 1
    assert "Meanwhile." in shown(session)


def test_contexts_of_many_threads_can_be_made_again(store):
    session = store.start()
    talk(session, 2)

    def work(number: int) -> list[int]:
        made = []
        for turn in range(6):
            session.message(f"Thread {number}, turn {turn}: {SAID[turn % len(SAID)]}")
            version = session.context(3_000).version
            assert version is not None
            made.append(version)
        return made

    with ThreadPoolExecutor(4) as threads:
        made = [version for found in threads.map(work, range(4)) for version in found]
    assert len(set(made)) == 24
    for version in made:
        again = session.reproduce(version)
        assert again.ok, str(again)
    assert session.verify().ok


@pytest.mark.parametrize("format", ["openai", "anthropic", "markdown", "parts"])
def test_what_is_cached_is_what_a_stranger_reads(store, other, url, format):
    """The bytes are those that somebody with nothing but the log would make."""
    session = store.start()
    for number in range(18):
        session.message(f"{number}: {SAID[number % len(SAID)]}", role="agent" if number % 3 else "user")
        if number == 11:
            tell(session)
        now = datetime.now(UTC)
        session.context(2_500, format=format, as_of=now)
        with ContextStore.open(url) as stranger:
            new = stranger.session(session.id).context(2_500, format=format, as_of=now, record=False)
        made = session.context(2_500, format=format, as_of=now)
        assert new.data == made.data
        again = other.session(session.id).reproduce(made.version)
        assert again.ok, str(again)
        assert again.context.data == made.data
        assert again.context.messages == made.messages


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_the_bytes_are_the_json_of_the_messages(store, format):
    session = store.start()
    tell(session)
    talk(session, 8)
    context = session.context(6_000, format=format)
    document = (
        context.messages if format == "openai" else {"system": context.system, "messages": context.messages}
    )
    assert context.data == json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_messages_are_the_callers_to_change(store, format):
    session = store.start()
    tell(session)
    talk(session, 4)
    first = session.context(6_000, format=format, summary=None)
    for message in first.messages:
        content = message["content"]
        if isinstance(content, list):
            for block in content:
                block.clear()
        for call in message.get("tool_calls") or ():
            call.clear()
        message.clear()
    second = session.context(6_000, format=format, summary=None)
    assert second.data == first.data
    assert all(second.messages)
