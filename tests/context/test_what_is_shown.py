"""What comes into a context, where it stands, and what does not."""

import json
import threading

import pytest

from backstory.domain.errors import IdempotencyConflict, InvalidInput
from backstory.domain.policies.assembly import AssemblyPolicy
from tests.context.prompts import calls_and_results, texts


def said(context) -> str:
    return "\n".join(texts(context))


def test_the_parts_stand_in_order(any_store):
    session = any_store.start(limit=8_000)
    session.message("a message of the conversation")
    session.work.add_constraint("a constraint")
    session.decide("a decision", rationale="a reason")
    session.work.set_goal("a goal")
    session.set_system_prompt("the system prompt")
    session.items.save("note", "an older note")
    context = session.context()
    order = [
        said(context).index(text)
        for text in (
            "the system prompt",
            "a constraint",
            "a decision",
            "a reason",
            "a message of",
            "a goal",
            "an older note",
        )
    ]
    assert order == sorted(order)
    assert [message["role"] for message in context.messages] == ["system", "user", "user"]
    assert context.budget == 8_000


def test_anthropics_system_prompt_stands_apart(any_store):
    session = any_store.start()
    session.set_system_prompt("the system prompt")
    session.work.add_constraint("a constraint")
    session.message("an answer that came first", role="agent")
    context = session.context(4_000, format="anthropic")
    assert context.system.startswith("the system prompt\n\n## Constraints")
    assert [message["role"] for message in context.messages] == ["user", "assistant"]


def test_the_newest_system_prompt_holds(any_store):
    session = any_store.start()
    session.set_system_prompt("the first prompt")
    session.set_system_prompt("the second prompt")
    session.message("hello")
    assert "the second prompt" in said(session.context(4_000))
    assert "the first prompt" not in said(session.context(4_000))


def test_messages_are_as_they_were_sent(store):
    """A system prompt of parts, and a message with extras, stay what they are."""
    session = store.start()
    system = {"role": "system", "content": [{"type": "text", "text": "Be brief."}], "name": "boss"}
    hello = {"role": "user", "content": "hello", "name": "ana"}
    session.message(system, format="openai")
    session.message(hello, format="openai")
    assert session.context(4_000).messages[:2] == [system, hello]


def test_a_call_without_its_result_is_not_shown(any_store):
    session = any_store.start()
    session.message("go")
    session.tool_call("grep", {"q": 1}, call_id="done")
    session.tool_result("done", "found it")
    session.tool_call("grep", {"q": 2}, call_id="waiting")
    for format in ("openai", "anthropic"):
        context = session.context(4_000, format=format)
        assert calls_and_results(context) == (["done"], ["done"])
        assert context.left_out["open_call"] == 1
    session.tool_result("waiting", "found that too")
    assert calls_and_results(session.context(4_000)) == (["done", "waiting"], ["done", "waiting"])


def test_private_items_are_for_their_agent_only(any_store):
    session = any_store.start()
    session.message("hello")
    secret = session.by("coder").items.save("note", "the coder's own note")
    session.by("coder").items.pin(secret)
    for format in ("openai", "anthropic", "markdown", "parts"):
        assert "coder's own" not in said(session.context(4_000, format=format))
        assert "coder's own" not in said(session.context(4_000, format=format, agent="reviewer"))
        assert "coder's own" not in said(
            session.by("reviewer").context(4_000, query="coder note", format=format)
        )
        assert "coder's own" in said(session.by("coder").context(4_000, format=format))


def test_unimportant_messages_are_left_out_but_not_the_last_ten(store):
    session = store.start()
    for number in range(100):
        session.message(f"message {number}. " + "word " * 40, importance=0.2 if number % 2 else 0.9)
    context = session.context(4_000, policy=AssemblyPolicy(older_candidates=0), summary=None)
    shown = said(context)
    assert all(f"message {number}." in shown for number in range(90, 100))
    assert "message 82." in shown
    assert "message 83." not in shown
    assert context.left_out["unimportant"] > 0


def test_where_there_is_room_for_all_nothing_is_unimportant(store):
    session = store.start()
    for number in range(30):
        session.message(f"message {number}", importance=0.2)
    for query in (None, "message"):
        context = session.context(8_000, query=query, summary=None)
        assert len(context.items("history")) == 30
        assert not context.left_out


def test_a_query_finds_older_items_and_counts_as_an_access(store):
    session = store.start()
    about = session.message("The Kafka consumer lags behind in staging.", importance=0.1)
    for number in range(4):
        session.message(f"Line {number} between them. " + "word " * 30, importance=0.1)
    other = session.message("Lunch is at noon. " + "word " * 40, importance=0.7)
    for number in range(40):
        session.message(f"Something else, number {number}. " + "word " * 30)
    context = session.context(600, query="why does kafka lag?")
    assert about in context.items("older")
    assert other not in context.items("older")
    assert session.state.items[about].accesses == 1
    session.context(2_000)
    assert session.state.items[about].accesses == 1


def test_without_a_query_importance_and_age_decide(store):
    session = store.start()
    old = session.message("old and important", importance=0.9)
    for number in range(80):
        session.message(f"Something else, number {number}. " + "word " * 20, importance=0.3)
    context = session.context(2_000)
    assert old in context.items("older")
    assert context.left_out["older"] > 0


@pytest.mark.parametrize("budget", [2_000, 8_000, 32_000, 128_000])
def test_the_history_grows_with_the_budget(budget, store):
    """At 8,000 tokens the conversation, whole and shortened, has Quaid's 3,000, with a query too; the same share of
    smaller and of larger budgets."""
    session = store.start()
    for number in range(budget // 200):
        session.message(f"message {number}: " + "word " * 200)
    context = session.context(budget, summary=None)
    said = ("history", "older", "earlier")
    tokens = sum(section.tokens for section in context.sections if section.name in said)
    assert tokens >= 3_000 * budget // 8_000


def test_a_preview_writes_nothing(store):
    session = store.start()
    session.message("We decided to use Postgres. Remember this.")
    before = session.version
    context = session.context(4_000, record=False)
    assert context.version is None
    assert session.version == before
    with pytest.raises(InvalidInput, match="preview"):
        session.model_called(context, "m")


def test_an_ended_session_can_still_be_shown(store):
    session = store.start()
    for number in range(20):
        session.message(f"We decided to use number {number}.")
    session.end()
    context = session.context(4_000)
    assert session.reproduce(context.version).ok
    assert session.state.summary is None


def test_without_a_limit_the_budget_is_the_usual_one(store):
    session = store.start()
    session.message("hello")
    assert session.context().budget == 8_000
    assert session.context(policy=AssemblyPolicy(usual_budget=4_000)).budget == 4_000
    with pytest.raises(InvalidInput, match="window: must be a window of the session"):
        session.context(4_000, window="none")


def test_the_bytes_are_those_of_the_messages(store):
    session = store.start()
    session.message("hello ✓")
    context = session.context(4_000)
    assert json.loads(context.data) == context.messages
    other = session.context(4_000, format="anthropic")
    assert json.loads(other.data) == {"system": other.system or "", "messages": other.messages}
    assert (
        session.context(4_000, format="markdown").data.decode()
        == session.context(4_000, format="markdown").text
    )


def test_what_a_caller_does_to_the_messages_is_not_shown_to_others(store):
    session = store.start()
    session.message({"role": "user", "content": [{"type": "text", "text": "hello"}]}, format="openai")
    context = session.context(4_000)
    context.messages[0]["content"][0]["text"] = "goodbye"
    assert "goodbye" not in said(session.context(4_000))
    assert session.reproduce(context.version).ok


def test_a_history_with_room_for_all_begins_with_the_first(store):
    """A system message, another window's messages and removed ones take numbers too, but no room."""
    session = store.start(limit=16_000)
    session.message("You are careful.", role="system")
    for number in range(18):
        session.message(f"step {number}")
    shown = session.context(summary=None)
    assert [message["content"] for message in shown.messages[1:19]] == [f"step {n}" for n in range(18)]

    session.window.configure("side", limit=16_000)
    asked = [session.message(f"aside {number}", windows=["side"]) for number in range(12)]
    assert session.context(window="side", summary=None).items("history") == tuple(asked)
    session.items.remove(*asked[2:5])
    assert session.context(window="side", summary=None).items("history") == (*asked[:2], *asked[5:])


@pytest.mark.parametrize("query", ["a lone \ud800 surrogate", "x" * (17 << 20)], ids=["surrogate", "large"])
def test_a_query_that_is_refused_leaves_nothing_behind(query, store):
    session = store.start(limit=8_000)
    session.message("Let's use RS256 because services only need the public key.")
    before = session.version
    with pytest.raises(InvalidInput, match="query"):
        session.context(query=query)
    assert session.version == before


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("shares", None),
        ("shares", {"history": "much"}),
        ("shares", {"history": float("nan")}),
        ("reserve_share", "much"),
        ("least_importance", float("nan")),
        ("tau_hours", float("inf")),
        ("notice", "yes"),
        ("calibrated", 1),
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(field, value):
    with pytest.raises(InvalidInput, match=f"policy.{field}"):
        AssemblyPolicy(**{field: value})


def test_asked_again_under_its_key_it_is_the_same_context(any_store):
    session = any_store.start()
    session.message("hello")
    first = session.once("turn-1").context(4_000)
    session.message("more")
    before = session.version
    again = session.once("turn-1").context(4_000)
    assert (again.version, again.data) == (first.version, first.data)
    assert session.version == before
    with pytest.raises(IdempotencyConflict):
        session.once("turn-1").context(5_000)


def test_asked_at_once_under_one_key_all_get_the_same_context(store):
    session = store.start()
    session.message("hello")
    barrier = threading.Barrier(6)
    found = []

    def ask():
        handle = store.session(session.id)
        barrier.wait(30)
        found.append(handle.once("turn-1").context(4_000))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 6
    assert len({(context.version, context.sha256) for context in found}) == 1
    assert sum(1 for _ in session.events(types=["context.assembled"])) == 1


def test_what_is_pinned_is_said_once(store):
    """As long as the history has it, it stands there; then among the rules."""
    session = store.start(limit=8_000)
    session.set_system_prompt("You are a careful engineer.")
    session.items.pin(session.message("Mend the parser of config files."))
    first = session.context()
    assert first.items("history") == (3,)
    assert first.items("pins") == ()
    for number in range(30):
        session.message(f"{number}: go on, please " + "word " * 300, role=("agent", "user")[number % 2])
    later = session.context()
    assert 3 not in later.items("history")
    assert later.items("pins") == (3,)
    assert first.data.count(b"Mend the parser") == 1
    assert all(session.reproduce(context.version).ok for context in (first, later))
