"""What stands for compacted messages is in the next context."""

from backstory import ContextStore
from tests.compact.conversations import a_session, talk, use_tools


def test_with_and_without_a_query(store: ContextStore) -> None:
    session = a_session(store, limit=8_000)
    use_tools(session, 3)
    talk(session, 40)
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    # Many newer items, none of which the summary is among the best hundred of.
    for number in range(150):
        session.items.save("note", f"note {number} about the weather " * 4, importance=1.0)
    for query in (None, "bananas in pyjamas"):
        context = session.context(5_000, query=query)
        assert done.summary in context.items("summary")
        assert str(context.messages).count("# Session summary") == 1
        assert "[document]" not in str(context.messages)
        assert "src/module_0.py" in str(context.messages)
        assert context.version is not None
        assert session.reproduce(context.version).ok
    # Standing there is no access.
    assert session.state.items[done.summary or 0].accesses == 0


def test_decisions_that_were_compacted_are_still_told(store: ContextStore) -> None:
    session = a_session(store, limit=8_000)
    session.decide("Use a ring buffer in src/buffer.py")
    for number in range(4):
        session.decide(f"Decision number {number}")
    talk(session, 30)
    session.window.compact("everything")
    assert "ring buffer" in str(session.context(8_000).messages)
