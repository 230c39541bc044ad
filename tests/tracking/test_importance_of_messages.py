"""A message's first importance: its role's base, raised by what it contains, within its role's range."""

import pytest

from backstory.application.store import ContextStore
from backstory.domain.commands import facts
from backstory.domain.messages.signals import Signals, signals
from backstory.domain.policies.importance import DEFAULT_IMPORTANCE, ImportancePolicy

LONG = "I went through the whole module and it does what the description says it should do, line by line."
WEIGHED = [
    ("user", "hello", 0.7),
    ("user", "Use RS256", 0.9),
    ("user", "look at auth/jwt.py", 0.8),
    ("user", "it crashed with an error", 0.85),
    ("user", "remember this: never on Fridays", 1.0),
    ("user", "Let's use `RS256`, the error is gone. Remember this.", 1.0),
    ("agent", "OK, done.", 0.4),
    ("agent", LONG, 0.5),
    ("agent", "I've chosen httpx because it is async too.", 0.6),
    ("agent", LONG + " I changed `parse()`. The error is gone, so we decided to use it with httpx.", 0.8),
    ("system", "Session resumed.", 0.4),
    ("system", "Warning: 82 % used.", 0.55),
    ("system", "Error in `fetch`.", 0.6),
]


@pytest.mark.parametrize(("role", "text", "importance"), WEIGHED)
def test_by_role_and_content(role: str, text: str, importance: float) -> None:
    assert DEFAULT_IMPORTANCE.first_importance("message", role, text) == importance


def test_an_acknowledgement_falls_below_what_history_keeps_and_substance_does_not() -> None:
    assert DEFAULT_IMPORTANCE.first_importance("message", "agent", "OK, done.") < 0.5
    assert DEFAULT_IMPORTANCE.first_importance("message", "agent", LONG) >= 0.5


def test_without_its_text_a_message_has_the_base_of_its_role() -> None:
    weights = [DEFAULT_IMPORTANCE.first_importance("message", role) for role in ("user", "agent", "system")]
    assert weights == [0.7, 0.5, 0.4]


def test_other_types_are_not_weighed_by_their_text() -> None:
    text = "We decided to use RS256. Remember this."
    assert DEFAULT_IMPORTANCE.first_importance("code", None, text) == 0.7
    assert DEFAULT_IMPORTANCE.first_importance("decision", None, text) == 0.9


def test_a_tool_exchange_is_weighed_by_what_the_agent_says_with_it() -> None:
    assert DEFAULT_IMPORTANCE.first_importance("tool_exchange", "agent", "") == 0.5
    assert DEFAULT_IMPORTANCE.first_importance("tool_exchange", "agent", "I've chosen httpx.") == 0.7


def test_the_numbers_are_the_policys_own() -> None:
    policy = ImportancePolicy(decision=0.05, ranges={"user": (0.0, 0.72)})
    assert policy.first_importance("message", "user", "Let's use RS256.") == 0.72


def test_no_error_is_no_trouble() -> None:
    assert signals("All green, no errors.", "agent") == Signals(False, False, False, False)
    assert signals("It ended with a TypeError.", "agent").trouble
    assert signals("No errors here, but a failure there.", "agent").trouble


def test_only_a_user_is_heard_when_asking_to_remember() -> None:
    assert signals("Remember this.", "user").remember
    assert not signals("Remember this.", "agent").remember


def test_a_written_message_has_the_importance_of_its_text(store: ContextStore) -> None:
    session = store.start()
    plain = session.message("hello")
    decided = session.message("Use RS256")
    given = session.message("Use RS256", importance=0.3)
    done = session.message("OK, done.", role="agent")
    weights = {item.id: (item.importance, str(item.tier)) for item in session.items.list()}
    assert weights[plain] == (0.7, "WARM")
    assert weights[decided] == (0.9, "HOT")
    assert weights[given] == (0.3, "COLD")
    assert weights[done] == (0.4, "WARM")


def test_a_written_tool_exchange_too(store: ContextStore) -> None:
    session = store.start()
    silent = session.tool_call("read", {"path": "a.py"}, call_id="1")
    spoken = session.tool_call("read", {"path": "a.py"}, call_id="2", text="We decided to use httpx.")
    weights = {item.id: item.importance for item in session.items.list()}
    assert weights[silent] == 0.5
    assert weights[spoken] == 0.7


def test_only_the_beginning_of_a_long_message_is_weighed() -> None:
    far = "x" * DEFAULT_IMPORTANCE.read + " Let's use RS256."
    assert facts.new_item("message", tokens=1, role="user", text=far).importance == 0.7


def test_a_message_cut_within_a_character_is_weighed(store: ContextStore) -> None:
    session = store.start()
    session.message("a" + "漢" * 20_000)
    (item,) = session.items.list()
    assert item.importance == 0.7
