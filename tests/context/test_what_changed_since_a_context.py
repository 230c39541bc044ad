"""A memory knows of each change which items it was about, so that what came later than a context does not undo it."""

from backstory.infrastructure.states.newest_states import CHANGED, MOST_CHANGES, changed_since


def test_a_change_of_an_item_that_came_later_is_none():
    assert not changed_since({CHANGED: ((12, 13),)}, 10)


def test_a_change_of_an_item_that_was_there():
    assert changed_since({CHANGED: ((12, 13), (9, 14))}, 10)
    assert changed_since({CHANGED: ((10, 13), (12, 14))}, 10)


def test_a_change_before_that_version():
    assert not changed_since({CHANGED: ((3, 9), (4, 10), (12, 14))}, 10)
    assert not changed_since({}, 10)


def test_where_changes_were_forgotten_any_may_have_been():
    later = tuple((number, number + 1) for number in range(100, 100 + MOST_CHANGES))
    assert changed_since({CHANGED: later}, 10)
    assert not changed_since({CHANGED: ((3, 5), *later[1:])}, 10)


def test_the_memory_of_a_session_has_its_newest_changes(store):
    session = store.start()
    session.context(4_000, record=False)
    for number in range(MOST_CHANGES + 5):
        session.tool_call("read", {}, call_id=f"call-{number}")
        session.tool_result(f"call-{number}", "found")
    with session._runtime.reader.previewing(session.id) as (state, memory):
        assert len(memory[CHANGED]) == MOST_CHANGES
        assert memory[CHANGED][-1] == (state.version - 1, state.version)
