"""Only the newest of a conversation are read."""

import pytest

from backstory import ContextStore
from backstory.domain.errors import InvalidInput


def test_the_last_messages_are_the_end_of_the_conversation(store: ContextStore) -> None:
    session = store.start()
    for number in range(7):
        session.message(f"{number}", role="agent" if number % 2 else "user")
    session.message("Aside.", windows=["side"])
    middle = session.version
    session.message("7")
    told = session.messages(format="openai")
    assert session.messages(format="openai", last=3) == told[-3:]
    assert session.messages(last=100) == session.messages()
    assert session.messages(format="openai", at=middle, last=2) == told[-3:-1]


def test_an_exchange_counts_once_and_is_whole(store: ContextStore) -> None:
    session = store.start()
    session.message("Read it.")
    session.tool_call("read", {"path": "a.py"}, call_id="c1")
    session.tool_result("c1", "import os")
    session.message("Done.", role="agent")
    roles = [message["role"] for message in session.messages(format="openai", last=2)]
    assert roles == ["assistant", "tool", "assistant"]


def test_what_another_process_said_is_read(store: ContextStore, url: str) -> None:
    session = store.start()
    session.message("One.")
    assert len(session.messages(last=5)) == 1
    with ContextStore.open(url) as other:
        other.session(session.id).message("Two.")
    assert [message["content"] for message in session.messages(format="openai", last=1)] == ["Two."]


@pytest.mark.parametrize("last", [0, -1, True, 1.5, "3"])
def test_a_bad_number_is_refused(store: ContextStore, last: object) -> None:
    with pytest.raises(InvalidInput, match="last"):
        store.start().messages(last=last)  # type: ignore[arg-type]
