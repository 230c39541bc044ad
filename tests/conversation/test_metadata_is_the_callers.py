"""Messages carry fields of the caller's own, which no model is shown."""

import pytest

from backstory.domain.errors import InvalidInput

OWN = {"ticket": 12, "tags": ["login", "ü"], "nested": {"x": None}}


def test_metadata_comes_back(any_store):
    session = any_store.start(limit=8_000)
    plain = session.message("Hello", metadata=OWN)
    session.message({"role": "user", "content": "From a provider"}, format="openai", metadata={"n": 1})
    assert [message.metadata for message in session.messages()] == [OWN, {"n": 1}]
    assert session.items.metadata(plain) == OWN
    assert session.items.metadata(session.message("without")) == {}
    assert session.verify().ok


def test_metadata_of_an_exchange_is_that_of_its_messages(store):
    session = store.start()
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    exchange = session.message(message, format="openai", metadata={"asked": 1})
    answer = {"role": "tool", "tool_call_id": "c1", "content": "ok"}
    session.message(answer, format="openai", metadata={"took": 2})
    assert session.items.metadata(exchange) == {"asked": 1, "took": 2}


def test_an_answer_has_metadata(store):
    session = store.start(limit=8_000)
    session.message("Hello")
    answer = session.answered(session.context(), "Hi", model="m", metadata=OWN)
    assert session.items.metadata(answer) == OWN


@pytest.mark.parametrize("format", ["openai", "anthropic", "markdown", "parts"])
def test_no_model_is_shown_metadata(store, format):
    session = store.start(limit=8_000)
    session.message("Hello", metadata={"secret-key": "hidden-value"})
    context = session.context(format=format)
    assert b"hidden-value" not in context.data
    assert b"secret-key" not in context.data
    assert session.reproduce(context.version).ok


def test_metadata_is_erased_with_its_message(store):
    session = store.start()
    said = session.message("Hello", metadata={"phone": "555-0100"})
    session.erase(said, "asked for")
    rows = session._runtime.database.read(
        lambda c: c.execute(
            "select bytes from backstory.contents where stream_id = %s", [session.id]
        ).fetchall()
    )
    assert not any(b"555-0100" in bytes(data or b"") for (data,) in rows)
    assert session.verify().ok


@pytest.mark.parametrize("metadata", ["x", [1], 3, {"at": object()}, {"n": float("nan")}, {1: "key"}])
def test_metadata_that_is_no_json_object_is_refused(store, metadata):
    session = store.start()
    with pytest.raises(InvalidInput, match="metadata"):
        session.message("Hello", metadata=metadata)
    assert session.version == 1
