"""A command asked again under its idempotency key answers with its first result."""

import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import IdempotencyConflict

ONCE = {
    "/set_goal Ship it": "",
    "/complete_goal write": "",
    "/remember the port": "",
    "/log_decision Use RS256 because safer": "",
    "/answer 8080": "",
    "/context clear": "",
    "/context archive --title=Done": "",
    "facilitator clarify Why?": "",
    "facilitator update idea new": "",
    "facilitator end session": "",
}


@pytest.mark.parametrize("said", ONCE)
def test_it_is_done_once(said: str, store: ContextStore) -> None:
    session = store.start()
    session.work.set_goal("Write tests")
    session.work.ask("Which port?")
    session.details.set_project("P", current_idea="I")
    session.items.save("idea", "old", artifact="I")
    session.message("hello")
    first = session.once("k").command(said)
    version = session.version
    again = session.once("k").command(said)
    assert first.ok
    assert again.ok
    # A summary that was made on the way belongs to no key.
    assert again.events == first.events[-len(again.events) :]
    assert session.version == version


def test_another_command_under_the_key_is_refused(store: ContextStore) -> None:
    session = store.start()
    session.once("k").command("/set_goal one")
    with pytest.raises(IdempotencyConflict):
        session.once("k").command("/set_goal two")
