"""In a shared session an agent sees its own messages as its answers, and those of others under their names."""

import json

import pytest
from anthropic.types import Message
from openai.types.chat import ChatCompletionMessageParam
from pydantic import ConfigDict, TypeAdapter

from tests.context.prompts import counted
from tests.formats.sdk_types import is_valid
from tests.formats.test_requests_hold_what_the_apis_accept import ANSWER

OPENAI_MESSAGE = TypeAdapter(ChatCompletionMessageParam, config=ConfigDict(extra="forbid"))


@pytest.fixture(scope="module")
def shared(module_database):
    """A session in which a person and two agents have said something."""
    from backstory import ContextStore

    with ContextStore.open(module_database) as store:
        session = store.start(limit=16_000)
        session.message("Nobody in particular says this.")
        session.by("ana").message("Please freeze the clock.")
        session.by("coder").message("I froze the clock.")
        session.by("reviewer").message("The tests are thin.", role="agent")
        session.by("QA agent").message("Staging is red.")
        session.by("reviewer").tool_call("grep", {"pattern": "sleep"}, call_id="call_1", text="Let me look.")
        session.tool_result("call_1", "tests/test_login.py: sleep(3601)")
        yield session


def heard(context, text):
    (message,) = [one for one in context.messages if text in json.dumps(one)]
    return message


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_an_agent_hears_itself_as_the_assistant(shared, format):
    assert heard(shared.by("coder").context(format=format), "I froze") == {
        "role": "assistant",
        "content": "I froze the clock.",
    }
    assert heard(shared.context(format=format, agent="reviewer"), "are thin")["role"] == "assistant"


def test_others_are_named_in_openais_field(shared):
    context = shared.by("coder").context(format="openai")
    for name, said in (("ana", "Please freeze the clock."), ("reviewer", "The tests are thin.")):
        assert heard(context, said) == {"role": "user", "name": name, "content": said}
    assert all(is_valid(OPENAI_MESSAGE, message) for message in context.messages)


def test_a_name_that_openai_refuses_stands_in_front(shared):
    assert heard(shared.by("coder").context(format="openai"), "Staging") == {
        "role": "user",
        "content": "QA agent: Staging is red.",
    }


def test_others_are_named_in_front_for_anthropic(shared):
    context = shared.by("coder").context(format="anthropic")
    for name, said in (("ana", "Please freeze the clock."), ("reviewer", "The tests are thin.")):
        assert heard(context, said) == {"role": "user", "content": f"{name}: {said}"}


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_a_message_of_nobody_who_is_named_stays_as_it_is(shared, format):
    said = "Nobody in particular says this."
    for agent in (None, "coder"):
        assert heard(shared.context(format=format, agent=agent), said) == {"role": "user", "content": said}


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_another_agents_calls_are_told_in_words(shared, format):
    context = shared.by("coder").context(format=format)
    said = heard(context, "Let me look.")
    assert said["role"] == "user"
    assert "reviewer" in json.dumps(said)
    assert "[call of grep]" in said["content"]
    assert "sleep(3601)" in said["content"]
    assert "tool_use" not in json.dumps(context.messages)
    assert "tool_calls" not in json.dumps(context.messages)


def test_ones_own_calls_stay_calls(shared):
    context = shared.by("reviewer").context(format="openai")
    assert [call["id"] for call in heard(context, "Let me look.")["tool_calls"]] == ["call_1"]


def test_a_context_for_no_agent_has_answers_as_answers(shared):
    context = shared.context(format="openai")
    assert heard(context, "are thin")["role"] == "assistant"
    assert heard(context, "I froze") == {"role": "user", "name": "coder", "content": "I froze the clock."}


def test_a_providers_message_of_ones_own_keeps_its_role(store):
    agent = store.start(limit=8_000).by("coder")
    agent.message({"role": "user", "content": "What next?"}, format="openai")
    assert heard(agent.context(), "What next?") == {"role": "user", "content": "What next?"}


def test_a_name_that_came_in_openais_field_reaches_anthropic(store):
    session = store.start(limit=8_000)
    session.message({"role": "user", "content": "Hello", "name": "ada"}, format="openai")
    assert heard(session.context(format="anthropic"), "Hello")["content"] == "ada: Hello"


def test_neutral_parts_name_the_speaker(shared):
    (entry,) = [one for one in shared.context(format="parts").messages if "are thin" in json.dumps(one)]
    assert (entry["role"], entry["speaker"]) == ("agent", "reviewer")


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_what_each_agent_heard_can_be_made_again(shared, format):
    for agent in ("coder", "reviewer", "ana"):
        context = shared.by(agent).context(format=format)
        again = shared.reproduce(context.version)
        assert again.ok
        assert again.context.messages == context.messages


@pytest.mark.parametrize("format", ["openai", "anthropic"])
def test_names_and_quotations_are_counted(shared, format):
    for agent in ("coder", "reviewer", "a-reader-with-a-long-name"):
        context = shared.context(format=format, agent=agent)
        assert counted(context) <= context.tokens


def test_a_context_after_an_answer_of_the_sdk_holds_only_what_anthropic_accepts(store):
    session = store.start(limit=8_000)
    session.message("Look.")
    session.message(Message.model_validate(ANSWER), format="anthropic")
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "seen"}
    session.message({"role": "user", "content": [result]}, format="anthropic")
    context = session.context(format="anthropic")
    assert all(set(message) == {"role", "content"} for message in context.messages)
    assert "usage" not in context.data.decode()
    assert "file_id" not in context.data.decode()
    assert [block["type"] for block in context.messages[1]["content"]] == ["thinking", "text", "tool_use"]
    # The record keeps what was sent.
    assert session.messages(format="anthropic")[1]["usage"] == ANSWER["usage"]
