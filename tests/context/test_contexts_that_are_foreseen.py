"""In a chat the next context is made while the message before it is written. It has the bytes of one that is made from
nothing, and where something else is asked for than was foreseen, that is what comes."""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory import ContextStore
from backstory.application.context.foreseeing import FORESEEN, Foreseen
from backstory.application.context.newest_messages import NEWEST
from backstory.application.session import Session
from backstory.domain.errors import Refused
from tests.context.test_contexts_that_go_on import DEEDS, SMALL, WORDS, _without_memory

ASKED: dict[str, Any] = {"policy": SMALL, "summary": None}
BUDGET = 1_600


def foreseen_in(session: Session) -> Foreseen | None:
    with session._runtime.reader.lent(session.id) as held:
        return None if held is None else held[1].get(FORESEEN)


def chat(session: Session, turns: int = 3, **asked: Any) -> None:
    """Turns after which the next message's context is foreseen."""
    for number in range(turns):
        session.message(f"{number}: {WORDS[number % 5]}")
        session.context(BUDGET, **ASKED | asked)
        session.message(f"Done, {number}.", role="agent")


@pytest.fixture
def session(store: ContextStore) -> Iterator[Session]:
    session = store.start()
    chat(session)
    session.message("And now src/ledger.py?")
    assert foreseen_in(session) is not None
    return session


@pytest.mark.parametrize("record", [True, "with_answer", False])
@pytest.mark.parametrize("seed", range(6))
def test_they_are_those_that_are_made_from_nothing(store: ContextStore, seed: int, record: Any) -> None:
    chance = random.Random(seed)
    session = store.start()
    used = 0
    for number in range(40):
        if number and chance.random() < 0.2:
            with suppress(Refused):
                chance.choice(DEEDS)(session, chance)
            # While a call waits for its result nothing is foreseen.
            for call in list(session.state.open_calls):
                session.tool_result(call, "Nothing there.")
        session.message(f"{number}: {chance.choice(WORDS)}")
        if chance.random() < 0.1:
            with suppress(Refused):
                chance.choice(DEEDS)(session, chance)
        known = foreseen_in(session)
        asked = {"as_of": datetime.now(UTC), **ASKED}
        anew = _without_memory(session).context(BUDGET, record=False, **asked)
        made = session.context(BUDGET, record=record, **asked)
        used += known is not None and known.at == made.at
        assert made.data == anew.data
        assert made.messages == anew.messages
        assert (made.sections, made.left_out) == (anew.sections, anew.left_out)
        said = chance.choice(WORDS)
        if record == "with_answer":
            made = replace(made, version=session.answered(made, said) - 1)
        else:
            session.message(said, role="agent")
        if made.version is not None and chance.random() < 0.2:
            assert session.reproduce(made.version).ok
    assert used >= 15


@pytest.mark.parametrize(
    "otherwise",
    [
        {"budget": 900},
        {"reserve": 10},
        {"query": "read replica"},
        {"agent": "ada"},
        {"format": "anthropic"},
        {"policy": replace(SMALL, decisions=0)},
        {"as_of": datetime.now(UTC) - timedelta(days=1)},
    ],
    ids=lambda given: next(iter(given)),
)
def test_what_is_asked_for_otherwise_is_made_as_it_is_asked_for(session, otherwise):
    session.by("ada").save("note", "For Ada alone.", private=True)
    chat(session, 1)
    session.message("Which one?")
    known = foreseen_in(session)
    assert known is not None
    asked = {"budget": BUDGET, "as_of": datetime.now(UTC), **ASKED, **otherwise}
    anew = _without_memory(session).context(record=False, **asked)
    made = session.context(record=False, **asked)
    assert made.data == anew.data
    assert made.reserve == anew.reserve
    # Nobody has taken what was foreseen.
    assert foreseen_in(session) is known


def test_previews_are_foreseen_and_a_context_that_is_recorded_looks_through_what_they_did_not(store):
    session = store.start()
    noticing = replace(SMALL, notice=True)
    chat(session, record=False, policy=noticing)
    session.message("We decided to keep the ledger in Postgres. Which table?")
    known = foreseen_in(session)
    assert known is not None
    recorded = session.context(BUDGET, policy=noticing, summary=None)
    assert recorded.data != known.assembled.composed.data
    assert session.decisions()
    assert "keep the ledger in Postgres" in recorded.messages[0]["content"]


def test_a_second_message_is_in_the_context(session):
    session.message("I mean src/journal.py.")
    made = session.context(BUDGET, **ASKED)
    assert [one["content"] for one in made.messages[-3:-1]] == [
        "And now src/ledger.py?",
        "I mean src/journal.py.",
    ]


def test_where_no_context_follows_only_the_first_one_is_foreseen(session):
    first = foreseen_in(session)
    for number in range(5):
        session.message(f"And src/part_{number}.py.")
    assert foreseen_in(session) is first
    assert FORESEEN not in first.memory
    session.context(BUDGET, **ASKED)
    assert foreseen_in(session) is None
    session.message("Go on.")
    assert foreseen_in(session).at == session.version


@pytest.mark.parametrize("record", [True, "with_answer", False])
def test_looking_for_decisions_in_what_was_erased_changes_nothing(store, record):
    """Also where the erased message stands far back among the older ones."""
    session = store.start()
    asked = {"policy": replace(SMALL, notice=True, older_candidates=40), "summary": None}
    for number in range(30):
        session.message(f"{number}.")
    session.erase(4, "asked for")
    for number in range(4):
        session.message(f"{number}: yes.")
        asked["as_of"] = datetime.now(UTC)
        anew = _without_memory(session).context(BUDGET, record=False, **asked)
        made = session.context(BUDGET, record=record if number % 2 else False, **asked)
        assert made.data == anew.data
        assert (made.sections, made.left_out) == (anew.sections, anew.left_out)


def test_what_somebody_else_says_meanwhile_is_in_the_context(session, url):
    with ContextStore.open(url) as other:
        other.session(session.id).message("Look at src/journal.py first.")
    made = session.context(BUDGET, **ASKED)
    assert b"Look at src/journal.py first." in made.data
    assert session.reproduce(made.version).ok


def test_what_is_changed_in_its_messages_changes_no_other_context(session):
    made = session.context(BUDGET, **ASKED)
    for one in made.messages:
        one["content"] = "changed"
    assert b"changed" not in session.context(BUDGET, **ASKED).data


def test_what_is_remembered_is_what_the_log_has(session):
    """When the message is recorded the server alone knows, and it was foreseen before."""
    for _ in range(2):
        session.context(BUDGET, **ASKED)
        with session._runtime.reader.lent(session.id) as held:
            newest, items = held[1][NEWEST], held[0].items
        log = {event.version: event for event in session.events()}
        assert newest.events.items() <= log.items()
        assert all(one.item == items[one.item.id] for one in newest.found)
        session.message("Done.", role="agent")
        session.message("And src/journal.py?")
        assert foreseen_in(session) is not None


def test_while_older_items_are_of_a_time_to_come_nothing_is_foreseen(session):
    """Which of them matter most depends on the moment at which the context is asked for."""
    session.occurred(datetime.now(UTC) + timedelta(days=1)).message("Tomorrow.")
    chat(session, 6)
    session.message("Go on.")
    assert foreseen_in(session) is None


def test_no_second_connection_is_waited_for(url):
    """Where what the context needs is not in memory, it is read when it is asked for."""
    with ContextStore.open(url, pool_size=1, patience=3) as narrow:
        session = narrow.start()
        chat(session)
        narrow._runtime.recent.forget(session.id)
        with narrow._runtime.reader.lent(session.id) as held:
            for key in set(held[1]) - {"usual"}:
                del held[1][key]
        waited = narrow._runtime.database._pool.get_stats().get("requests_queued", 0)
        session.message("And now src/ledger.py?")
        assert narrow._runtime.database._pool.get_stats().get("requests_queued", 0) == waited
        assert foreseen_in(session) is None
        assert b"src/ledger.py" in session.context(BUDGET, **ASKED).data


def test_of_large_contexts_nothing_is_foreseen(store):
    """They take longer than the write that is waited for."""
    session = store.start()
    for number in range(120):
        session.message(f"{number}.")
    chat(session, policy=replace(SMALL, history_messages=200))
    session.message("Go on.")
    assert foreseen_in(session) is None


def test_while_a_call_waits_for_its_result_nothing_is_foreseen(session):
    session.tool_call("read", {"path": "src/ledger.py"}, call_id="c1")
    session.context(BUDGET, **ASKED)
    session.message("Hurry.")
    session.context(BUDGET, **ASKED)
    session.message("Please.")
    assert foreseen_in(session) is None


def test_of_forks_nothing_is_foreseen(session):
    """What they have inherited can be erased without their log telling."""
    fork = session.fork()
    chat(fork)
    fork.message("Go on.")
    assert foreseen_in(fork) is None
