"""A query of a context is a search in everything that was recorded, in the window or not, and its context can be made
again."""

from pathlib import Path

import pytest

from backstory import ContextStore, InvalidInput, audit_export
from backstory.application.context.result import Context
from backstory.application.session import Session
from backstory.domain.events import ContextAssembled
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.search.ranking import BY_MEANING, BY_WORDS, RANKERS
from tests.compact.conversations import a_session, live, talk

SAID = "My sister Wilhelmina keeps bees behind the mill."
ASKED = "what does Wilhelmina keep?"
RESULT = "hive 7: the queen is marked blue"


def a_window_that_forgot(store: ContextStore) -> tuple[Session, int, int]:
    """A message and a tool exchange that were compacted long ago."""
    session = a_session(store)
    said = session.by("ana").message(SAID)
    call = session.tool_call("inspect", {"hive": 7}, call_id="c1")
    session.tool_result("c1", RESULT)
    talk(session, 30)
    session.window.compact("everything")
    assert not live(session) & {said, call}
    talk(session, 10, start=30)
    return session, said, call


def ask(session: Session, query: str = ASKED, budget: int = 2_000) -> Context:
    return session.context(budget, query=query, summary=None)


def body_of(session: Session, context: Context) -> ContextAssembled:
    body = next(event.body for event in session.events() if event.version == context.version)
    assert isinstance(body, ContextAssembled)
    return body


def test_what_was_compacted_is_found_with_its_speaker_and_day(store: ContextStore) -> None:
    session, said, _ = a_window_that_forgot(store)
    context = ask(session)
    assert said in context.items("older")
    text = str(context.messages[-1]["content"])
    assert f"- ana: {SAID}" in text
    assert f"\n{next(session.events()).occurred_at:%Y-%m-%d}\n" in text
    # That it was read changes nothing: it is not live.
    assert session.verify().ok


def test_an_exchange_that_left_has_its_result(store: ContextStore, tmp_path: Path) -> None:
    session, _, call = a_window_that_forgot(store)
    context = ask(session, "which queen is marked blue?")
    assert call in context.items("older")
    assert RESULT in context.data.decode()
    talk(session, 5, start=60)
    again = session.reproduce(context.version or 0)
    assert again.ok
    assert again.context is not None
    assert again.context.data == context.data
    store.export(session.id, tmp_path / "x.jsonl")
    assert audit_export(tmp_path / "x.jsonl").contexts == 1
    session.erase(call, "asked to")
    assert [one.item for one in session.reproduce(context.version or 0).missing] == [call]
    assert call not in ask(session, "which queen is marked blue?").items("older")


def test_forks_and_backtracks_find_what_is_on_their_branch(store: ContextStore) -> None:
    session, said, _ = a_window_that_forgot(store)
    at = session.version
    fork = session.fork()
    other = session.message("Wilhelmina also keeps goats.")
    session.window.undo_compaction()
    session.items.remove(said)
    context = ask(fork)
    assert said in context.items("older")
    assert fork.reproduce(context.version or 0).ok
    assert said not in ask(session).items("older")
    session.backtrack(at, "another way")
    context = ask(session)
    assert said in context.items("older")
    assert other not in {item for section in context.sections for item in context.items(section.name)}
    assert session.reproduce(context.version or 0).ok


@pytest.mark.parametrize("how", ["removed", "returned and removed", "cleared"])
def test_what_was_taken_out_by_hand_stays_out(store: ContextStore, how: str) -> None:
    session = a_session(store)
    said = session.message(SAID)
    talk(session, 20)
    if how == "cleared":
        session.window.clear()
    else:
        if how == "returned and removed":
            session.window.compact("everything")
            session.window.undo_compaction()
        session.items.remove(said)
    assert said not in ask(session).items("older")


def test_private_items_that_left_are_for_their_agent_only(store: ContextStore) -> None:
    session = a_session(store)
    note = session.by("ana").items.save("note", "Wilhelmina keeps a secret.", importance=0.3)
    talk(session, 30)
    session.window.compact("everything")
    assert note not in live(session)
    assert note in ask(session.by("ana")).items("older")
    assert b"secret" not in ask(session.by("bob")).data


def test_the_recorded_context_names_the_ranking(store: ContextStore) -> None:
    session, *_ = a_window_that_forgot(store)
    body = body_of(session, ask(session))
    assert (body.ranker, body.implied) == (BY_WORDS, None)
    assert body.query is not None


@pytest.mark.parametrize("older", sorted(RANKERS.keys() - {BY_WORDS, BY_MEANING}))
def test_what_an_older_ranking_chose_is_made_again(
    store: ContextStore, monkeypatch: pytest.MonkeyPatch, older: int
) -> None:
    session, *_ = a_window_that_forgot(store)
    with monkeypatch.context() as then:
        then.setitem(RANKERS, BY_WORDS, RANKERS[older])  # type: ignore[arg-type]
        then.setattr("backstory.application.search.meaning.BY_WORDS", older)
        context = ask(session)
    assert body_of(session, context).ranker == older
    again = session.reproduce(context.version or 0)
    assert again.ok
    assert again.context is not None
    assert again.context.data == context.data


def test_a_query_gets_most_of_the_budget(store: ContextStore) -> None:
    session = store.start()
    for number in range(200):
        session.message(f"The {number}th hive has {number} frames. " + "word " * 60)
    for budget in (1_000, 4_000):
        context = session.context(budget, query="how many frames?", reserve=0, summary=None)
        tokens = {section.name: section.tokens for section in context.sections}
        assert tokens["older"] >= 0.68 * budget
        assert budget - 100 <= context.tokens <= budget


def test_a_long_answer_does_not_take_the_room_of_a_query(store: ContextStore) -> None:
    session = store.start()
    for number in range(60):
        session.message(f"The {number}th hive has {number} frames. " + "word " * 20)
    asked = session.message("Tell me about bees.")
    answer = session.message("Bees are insects. " + "word " * 600, role="agent")
    context = session.context(1_000, query="how many frames?", reserve=0, summary=None)
    assert asked in context.items("history")
    assert answer not in context.items("history")
    assert answer in session.context(1_000, reserve=0, summary=None).items("history")


def test_a_tenth_is_reserved_and_small_prompts_hold_no_pins(store: ContextStore) -> None:
    session = store.start()
    pin = session.message("Never feed the bees honey.")
    session.items.pin(pin)
    for number in range(200):
        session.message(f"The {number}th hive has {number} frames. " + "word " * 60)
    small = session.context(2_000, query="how many frames?", summary=None)
    assert small.reserve == 200
    assert not small.items("pins")
    assert pin in session.context(8_000, query="how many frames?", summary=None).items("pins")


@pytest.mark.parametrize(
    "numbers", [{"query_shares": {"older": 2}}, {"query_least": -1}, {"query_reserve_share": 1}]
)
def test_numbers_that_make_no_sense_are_refused(numbers: dict) -> None:
    with pytest.raises(InvalidInput, match=f"policy.{next(iter(numbers))}"):
        AssemblyPolicy(**numbers)
