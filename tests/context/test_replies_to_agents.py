"""What a user decides in answer to an agent is noticed in words that decide nothing between people."""

import pytest

CHOICE = "I think option 2 is the right one, it needs no migration."
DAILY = "Let's do the second version then."


def candidates(session):
    session.context(4_000)
    return [candidate.text for candidate in session.decisions.candidates()]


@pytest.mark.parametrize("text", [CHOICE, DAILY])
def test_a_choice_that_answers_an_agent(store, text):
    session = store.start()
    session.by("coder").message("Would you prefer 1 or 2?", role="agent")
    session.by("ana").message(text)
    assert len(candidates(session)) == 1


@pytest.mark.parametrize("text", [CHOICE, DAILY])
def test_the_same_words_between_people(store, text):
    session = store.start()
    session.by("coder").message("Would you prefer 1 or 2?", role="agent")
    session.by("bob").message("What do you think?")
    session.by("ana").message(text)
    assert candidates(session) == []


def test_an_agent_answers_with_tool_calls_too(store):
    session = store.start()
    session.message("Look at the store, please.")
    session.tool_call("read", {"path": "store.py"}, call_id="1")
    session.tool_result("1", "ok")
    session.message("Don't fall back to the old format, if it has no version.")
    assert candidates(session) == ["Don't fall back to the old format, if it has no version"]


def test_of_several_messages_in_a_row_each_answers(store):
    session = store.start()
    session.by("coder").message("Would you prefer 1 or 2?", role="agent")
    session.context(4_000)
    session.by("ana").message("Hm.")
    session.context(4_000)
    session.by("ana").message(DAILY)
    assert candidates(session) == ["do the second version then"]
