"""An append caches what a reader of the log would read: the state, and the events themselves."""

from collections.abc import Callable

import pytest

from backstory import ContextStore
from backstory.application.bootstrap import make_runtime
from backstory.application.session import Session
from backstory.domain.errors import InvalidInput

OPENAI = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "c2", "type": "function", "function": {"name": "read", "arguments": "{}"}}]}  # fmt: skip


def _several(session: Session) -> None:
    with session.atomic() as tx:
        tx.message("One of several.")
        tx.tool_call("read", {"path": "b.py"}, call_id="c3")
        tx.decide("Keep b.py.", rationale="It works.")


DEEDS: list[Callable[[Session], object]] = [
    lambda s: s.message("Hello, `load_session()` in src/cache.py."),
    lambda s: s.message("An answer.", role="agent", kind="plan"),
    lambda s: s.by("ada").message("From Ada.", importance=0.9, task="t-1", references=[2]),
    lambda s: s.message("Elsewhere.", windows=["side", "main"]),
    lambda s: s.tool_call("read", {"path": "a.py"}, call_id="c1", text="Let me look."),
    lambda s: s.tool_result("c1", "class Ledger: pass", is_error=True),
    lambda s: s.message(OPENAI, format="openai"),
    lambda s: s.message({"role": "tool", "tool_call_id": "c2", "content": "found"}, format="openai"),
    lambda s: s.set_system_prompt("Be careful."),
    lambda s: s.work.complete_goal(s.work.set_goal("Ship it.", priority="high")),
    lambda s: s.items.pin(3),
    lambda s: s.context(4_000),
    lambda s: s.context(4_000, query="ledger", format="anthropic"),
    lambda s: s.model_called(None, "gpt-5-mini", {"prompt_tokens": 5, "completion_tokens": 2}),
    _several,
    lambda s: s.items.remove(3),
    lambda s: s.items.bring_back(3),
]


def test_each_deed(store: ContextStore) -> None:
    session = store.start(limit=8_000)
    session.context(4_000, record=False)
    for deed in DEEDS:
        deed(session)
        anew = make_runtime(session._runtime.database)
        cached = session._runtime.reader.newest.copy(session.id)
        assert cached is not None
        assert cached.digest() == anew.reader.state(session.id, cached.version).digest()
        assert session.state.digest() == anew.reader.state(session.id).digest()
    erasure = session.state.last_erasure
    compared = 0
    for event in session.events():
        if (cached := session._runtime.contents.get(session.id, erasure, event.version)) is not None:
            known, contents = cached
            assert known == event
            assert known.body.encode() == event.body.encode()
            assert {
                part: session.items.text_at((event.version, part)).encode() for part in contents
            } == contents
            compared += 1
    assert compared > 10
    assert session.verify().ok


@pytest.mark.parametrize("windows", [["main", "main"], ["main", ""]])
def test_what_a_caller_says_of_an_item_is_checked_all_the_same(
    store: ContextStore, windows: list[str]
) -> None:
    session = store.start()
    with pytest.raises(InvalidInput, match="windows"):
        session.message("Hello", windows=windows)
    assert session.version == 1
