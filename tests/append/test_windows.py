"""Items are counted as the windows that they go to count, on every branch."""

from backstory.domain.messages.contents import Part
from backstory.infrastructure.llm.tokens import count_parts

TEXT = "ünïcödé 漢字漢字 and some more words"
BY_DEFAULT, OTHERWISE = (
    count_parts([Part("text", TEXT.encode())], name) for name in ("o200k_base", "cl100k_base")
)


def tokens(session, window="main"):
    return session.state.windows[window].tokens


def test_the_two_encodings_count_differently():
    assert BY_DEFAULT != OTHERWISE


def test_another_encoding_is_a_recount_beside_the_first(any_store):
    session = any_store.start()
    item = session.message(TEXT)
    session.window.configure(encoding="cl100k_base")
    assert tokens(session) == OTHERWISE
    assert session.state.items[item].tokens == BY_DEFAULT
    assert session.state.items[item].recounts == {"cl100k_base": OTHERWISE}
    session.message(TEXT)
    assert tokens(session) == 2 * OTHERWISE
    session.window.configure(encoding=None)
    assert tokens(session) == 2 * BY_DEFAULT
    assert session.verify().ok


def test_a_backtrack_to_before_the_other_encoding_counts_as_before(any_store):
    session = any_store.start()
    session.window.configure(encoding="cl100k_base")
    session.backtrack(1, "again")
    session.message(TEXT)
    assert tokens(session) == BY_DEFAULT
    session.redo()
    session.message(TEXT)
    assert tokens(session) == OTHERWISE


def test_a_fork_from_before_the_other_encoding_counts_as_before(any_store):
    session = any_store.start()
    session.window.configure(encoding="cl100k_base")
    early, late = session.fork(1), session.fork()
    for fork in (early, late):
        fork.message(TEXT)
    assert (tokens(early), tokens(late)) == (BY_DEFAULT, OTHERWISE)


def test_a_handle_that_is_refreshed_counts_as_the_session_now_does(any_store):
    session = any_store.start()
    other = any_store.session(session.id)
    other.window.configure(encoding="cl100k_base")
    session.refresh().message(TEXT)
    assert tokens(session) == OTHERWISE


def test_an_item_goes_to_windows_that_count_differently(any_store):
    session = any_store.start()
    session.window.configure("small", encoding="cl100k_base")
    item = session.message(TEXT, windows=("small", "main", "never seen before"))
    assert tokens(session, "small") == OTHERWISE
    assert tokens(session, "main") == tokens(session, "never seen before") == BY_DEFAULT
    session.items.remove(item, window="small")
    session.items.remove(item)
    assert {window.tokens for window in session.state.windows.values()} == {0}
    session.items.bring_back(item, window="small")
    assert tokens(session, "small") == OTHERWISE
    assert session.verify().ok


def test_an_item_in_no_window_is_kept_and_can_be_brought_into_one(any_store):
    session = any_store.start()
    item = session.items.save("code", TEXT, windows=[])
    assert session.state.items == {}
    assert [kept.id for kept in session.items.list()] == [item]
    session.items.bring_back(item)
    assert tokens(session) == BY_DEFAULT
    assert session.verify().ok


def test_a_tool_exchange_grows_with_its_results(any_store):
    session = any_store.start()
    exchange = session.tool_call("grep", {}, call_id="c")
    before = tokens(session)
    session.tool_result("c", TEXT)
    assert tokens(session) == before + BY_DEFAULT
    assert session.state.items[exchange].versions == (exchange, exchange + 1)
    session.items.remove(exchange)
    session.items.bring_back(exchange)
    assert session.state.items[exchange].versions == (exchange, exchange + 1)
    assert len(session.items.parts(exchange)) == 2
    assert session.verify().ok
