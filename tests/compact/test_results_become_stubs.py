"""Old tool results are shown as stubs; calls and results stay together, and everything can be read again."""

import json

import pytest

from backstory import ContextStore, WindowPolicy
from backstory.domain.errors import ItemNotLive
from backstory.domain.window.validation import state_problems
from tests.compact.conversations import a_session, talk, use_tools


def _tool_text(session, call: str) -> str:  # type: ignore[no-untyped-def]
    (found,) = [m for m in session.messages(format="openai") if m.get("tool_call_id") == call]
    return str(found["content"])


def test_old_results_are_left_out_and_named(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    exchanges = use_tools(session, 5)
    talk(session, 12)
    before = session.state
    done = session.window.compact("stubs")
    state = session.state
    assert done.stubbed == tuple(exchanges) == tuple(state.stubs)
    assert done.tokens_before == before.tokens
    assert done.tokens_after == state.tokens < before.tokens
    assert state_problems(state) == []
    text = _tool_text(session, "call-0")
    assert text.startswith(f"[result left out; item {exchanges[0]}, ")
    assert "src/module_0.py" in text
    assert "Module0" in text
    # The record still has it.
    assert "some line of code" in session.text(exchanges[0])


def test_a_call_and_its_result_stay_paired_in_every_format(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    use_tools(session, 3)
    session.message(
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a1", "name": "ls", "input": {}}]},
        format="anthropic",
    )
    blocks = [{"type": "text", "text": "file.py " * 200}]
    session.message(
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "a1", "content": blocks, "is_error": True}],
        },
        format="anthropic",
    )
    talk(session, 12)
    session.window.compact("stubs")
    called = {c["id"] for m in session.messages(format="openai") for c in m.get("tool_calls", ())}
    answered = {m["tool_call_id"] for m in session.messages(format="openai") if m["role"] == "tool"}
    assert called == answered == {"call-0", "call-1", "call-2", "a1"}
    results = [
        block
        for m in session.messages(format="anthropic")
        if isinstance(m["content"], list)
        for block in m["content"]
        if block["type"] == "tool_result"
    ]
    assert all("left out" in json.dumps(block) for block in results)
    assert [block.get("is_error") for block in results][-1] is True


@pytest.mark.parametrize("format", ["openai", "anthropic", "markdown", "parts"])
def test_contexts_show_the_stubs_and_can_be_made_again(store: ContextStore, format: str) -> None:
    session = a_session(store, limit=100_000)
    use_tools(session, 4)
    talk(session, 11)
    whole = session.context(50_000, format=format)  # type: ignore[arg-type]
    session.window.compact("stubs")
    short = session.context(50_000, format=format)  # type: ignore[arg-type]
    assert short.tokens < whole.tokens
    assert session.reproduce(whole.version).ok
    assert session.reproduce(short.version).ok


def test_recent_pinned_open_and_short_ones_stay(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    pinned, short, old = (
        use_tools(session, 1)[0],
        use_tools(session, 1, words=4, start=1)[0],
        use_tools(session, 1, start=2)[0],
    )
    waiting = session.tool_call("read_file", {"path": "x"}, call_id="open")
    session.items.pin(pinned)
    talk(session, 8)
    recent = use_tools(session, 2, start=5)
    assert session.window.compact("stubs").stubbed == (old,)
    assert not set(session.state.stubs) & {pinned, short, waiting, *recent}
    session.tool_result("open", "here it is")


def test_stubs_are_made_whole_again(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    exchanges = use_tools(session, 3)
    talk(session, 10)
    before = session.state
    session.window.compact("stubs")
    session.window.restore_results(*exchanges)
    after = session.state
    assert after.stubs == {}
    assert after.tokens == before.tokens
    assert "some line of code" in _tool_text(session, "call-1")
    with pytest.raises(ItemNotLive):
        session.window.restore_results(*exchanges)
    assert session.window.compact("stubs").stubbed == tuple(exchanges)


def test_a_stub_that_leaves_and_comes_back_is_still_one(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    exchanges = use_tools(session, 3)
    talk(session, 12)
    session.window.compact("stubs")
    before = session.state
    session.window.compact("everything")
    assert session.state.stubs == {}
    session.window.undo_compaction()
    assert session.state.stubs == before.stubs
    assert session.state.tokens == before.tokens
    assert "left out" in _tool_text(session, "call-1")
    session.items.remove(exchanges[0])
    session.items.bring_back(exchanges[0])
    assert exchanges[0] in session.state.stubs


def test_windows_that_count_otherwise_count_the_stub_too(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    session.window.configure("small", encoding="cl100k_base", limit=50_000)
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    exchange = session.message(
        {"role": "assistant", "content": None, "tool_calls": [call]},
        format="openai",
        windows=("main", "small"),
    )
    session.tool_result("c", "a line of text\n" * 100)
    talk(session, 12)
    done = session.window.compact("stubs")
    assert done.stubbed == (exchange,)
    assert len(done.events) == 2
    assert state_problems(session.state) == []
    assert session.state.items[exchange].tokens_in("cl100k_base") < 100
    session.window.configure("main", encoding="cl100k_base", limit=100_000)
    assert state_problems(session.state) == []
    assert session.state.items[exchange].is_stub
    assert session.state.items[exchange].tokens_in("cl100k_base") < 100


def test_nothing_to_leave_out_changes_nothing(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 3)
    version = session.version
    assert session.window.compact("stubs").events == ()
    assert session.version == version


def test_a_dry_run_only_tells(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    exchanges = use_tools(session, 3)
    talk(session, 12)
    version = session.version
    told = session.window.compact("stubs", dry_run=True)
    assert session.version == version
    done = session.window.compact("stubs")
    assert (told.stubbed, told.tokens_after) == (tuple(exchanges), done.tokens_after)


def test_the_policy_says_what_is_old(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    exchanges = use_tools(session, 4)
    session.window.choose_policy(WindowPolicy(name="short", messages_kept=1, stub_results_older_than=2))
    assert session.window.compact("stubs").stubbed == tuple(exchanges[:2])


def _answer(session, call: str, text: str) -> int:  # type: ignore[no-untyped-def]
    exchange = int(session.tool_call("read_file", {"path": "a.c"}, call_id=call))
    session.tool_result(call, text)
    return exchange


def test_a_result_that_is_there_again_is_left_out_at_once(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    text = "a line of the file\n" * 100
    first = _answer(session, "first", text)
    other = _answer(session, "other", text + "and one more\n")
    again = _answer(session, "again", text)
    session.message("Go on.")
    assert session.window.compact("stubs").stubbed == (first,)
    assert "left out" in _tool_text(session, "first")
    assert _tool_text(session, "again") == text
    assert not {other, again} & set(session.state.stubs)


def test_much_is_not_waited_for(store: ContextStore) -> None:
    """One exchange is fewer than a step, but it has as many tokens as a step is worth."""
    session = a_session(store, limit=100_000)
    policy = WindowPolicy(stubs_from=0.001, stub_results_older_than=1, stub_step=5, stub_step_tokens=1_000)
    little = _answer(session, "little", "a line of text\n" * 100)
    session.message("Go on.")
    assert session.before_call(policy=policy).actions == ()
    much = _answer(session, "much", "another line of text\n" * 400)
    session.message("Go on.")
    assert session.before_call(policy=policy).actions == ("stubs",)
    assert set(session.state.stubs) == {little, much}


def test_a_stub_of_a_long_result_keeps_more_names(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    names = [f"TK_NAME_{number}" for number in range(100)]
    long, short = "\n".join(f"{name} is a token of it" for name in names), "\n".join(names)
    _answer(session, "long", "\n".join([long, *("some words in between\n" * 500).splitlines()]))
    _answer(session, "short", short)
    talk(session, 12)
    session.window.compact("stubs")
    kept = {
        call: sum(f"{name}," in _tool_text(session, call) for name in names) for call in ("long", "short")
    }
    assert 50 < kept["long"] <= 64
    assert 10 <= kept["short"] <= 12
