"""What a compaction took out, ranked by what later steps needed or, at the end, by what the next are likely to need."""

import pytest

from backstory import AsyncContextStore, ContextStore, Dropped, Session
from backstory.domain.errors import InvalidInput, UnknownItem

WEATHER = "It rains in the morning, and it is dry after noon."
LIMITS = "The retry limit stands in config/limits.toml."
LUNCH = "Lunch is soup."


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start(limit=10_000)


def _compact(session: Session, *items: int, summary: str = "They talked.") -> int:
    """A compaction of these items, as an agent with a way of its own records it."""
    return session.window.compacted(summary, summarized=items, algorithm="by-hand")


def _ids(dropped: Dropped) -> list[int]:
    return [item.item for item in dropped.items]


def test_what_a_later_call_used_comes_first(session: Session) -> None:
    limits, lunch, weather = (session.message(text, role="agent") for text in (LIMITS, LUNCH, WEATHER))
    version = _compact(session, limits, lunch, weather)
    session.message("Go on.")
    call = session.tool_call("read", {"path": "config/limits.toml"}, call_id="c1")
    dropped = session.window.dropped()
    assert (dropped.compaction, dropped.algorithm, dropped.window) == (version, "by-hand", "main")
    assert (dropped.steps, dropped.left, dropped.gone) == (2, 3, 3)
    assert dropped.tokens == sum(item.tokens for item in dropped.items)
    first, *others = dropped.items
    assert (first.item, first.line, first.speaker, first.type) == (limits, LIMITS, "agent", "message")
    assert first.used == ("config/limits.toml",)
    assert first.used_at == call
    assert (first.summarized, first.gone) == (True, True)
    assert all((other.used, other.used_at) == ((), None) for other in others)


def test_words_count_in_any_form(session: Session) -> None:
    weather, lunch = session.message(WEATHER), session.message(LUNCH)
    _compact(session, weather, lunch)
    session.message("Was it raining?")
    first = session.window.dropped().items[0]
    assert (first.item, first.used) == (weather, ("rains",))


def test_of_what_an_agent_says_only_names_count(session: Session) -> None:
    texts = (WEATHER, "We keep it in Redis.", "And Ada wants that.")
    weather, cache, person = (session.message(text, role="agent") for text in texts)
    _compact(session, weather, cache, person)
    session.message("No rain in the morning, and it stands in Redis as Ada said.", role="agent")
    used = {item.item: item.used for item in session.window.dropped().items}
    assert used == {weather: (), cache: ("Redis",), person: ("Ada",)}


@pytest.mark.parametrize("place", ["summary", "kept", "result", "note", "brought back"])
def test_what_the_window_had_by_then_was_not_missed(session: Session, place: str) -> None:
    limits, lunch = session.message(LIMITS, role="agent"), session.message(LUNCH, role="agent")
    if place == "kept":
        session.message(f"Remember: {LIMITS}")
    _compact(session, limits, lunch, summary=LIMITS if place == "summary" else "They talked.")
    if place == "result":
        session.tool_call("grep", {"pattern": "xyz"}, call_id="c1")
        session.tool_result("c1", LIMITS)
    if place == "note":
        session.items.save("note", LIMITS, private=False)
    if place == "brought back":
        session.items.bring_back(limits)
    session.tool_call("read", {"path": "config/limits.toml"}, call_id="c2")
    assert all(item.used == () for item in session.window.dropped().items)


def test_at_the_end_what_is_likely_to_be_needed_comes_first(session: Session) -> None:
    talk = session.message(WEATHER, role="agent")
    command = session.tool_call("bash", {"command": "ls"}, call_id="c1")
    session.tool_result("c1", "nothing")
    file = session.tool_call("read", {"path": "src/app.py"}, call_id="c2")
    session.tool_result("c2", "pass")
    failure = session.tool_call("bash", {"command": "make"}, call_id="c3")
    session.tool_result("c3", "Error: no rule for it")
    decision = session.decide("Use one queue.")
    words = session.message("What about the old names?")
    pending = session.tool_call("deploy", {"to": "staging"}, call_id="c4")
    _compact(session, talk, command, file, failure, decision, words, pending)
    dropped = session.window.dropped()
    assert dropped.steps == 0
    assert _ids(dropped) == [pending, words, decision, failure, file, command, talk]
    assert [item.kinds for item in dropped.items] == [
        ("pending_call",),
        ("user_words",),
        ("decision",),
        ("failure", "command"),
        ("file",),
        ("command",),
        (),
    ]


def test_of_equal_kinds_what_the_window_is_about_comes_first(session: Session) -> None:
    limits, lunch, weather = (session.message(text) for text in (LIMITS, LUNCH, WEATHER))
    session.message("Now the retry limit.")
    _compact(session, limits, lunch, weather)
    assert _ids(session.window.dropped())[0] == limits


def test_private_items_are_for_their_agent_only(session: Session) -> None:
    coder = session.by("coder")
    own, kept = (coder.items.save("note", LIMITS, private=True) for _ in range(2))
    other = session.message(LIMITS)
    session.window.compacted("They talked.", summarized=[other], dropped=[own], algorithm="by-hand")
    session.message("Open config/limits.toml.")
    for seen in (session.window.dropped(), session.window.dropped(agent="tester")):
        assert (_ids(seen), seen.left) == ([other], 1)
        assert seen.items[0].used[0] == "config/limits.toml"
    for seen in (session.window.dropped(agent="coder"), coder.window.dropped()):
        assert (set(_ids(seen)), seen.left) == ({own, other}, 2)
        # The coder still had the note that was kept.
        assert all(item.used == () for item in seen.items)
    assert kept in session.state.items


def test_an_erased_item_is_named_without_text(session: Session, store: ContextStore) -> None:
    secret, lunch = session.message(LIMITS), session.message(LUNCH)
    _compact(session, secret, lunch)
    session.message("config/limits.toml")
    session.erase(secret, why="asked for")
    dropped = session.window.dropped()
    erased = next(item for item in dropped.items if item.item == secret)
    assert (erased.line, erased.used, erased.gone) == (None, (), True)
    assert "limits" not in repr(dropped)


def test_what_was_brought_back_is_said_to_be(session: Session) -> None:
    limits, lunch = session.message(LIMITS), session.message(LUNCH)
    version = _compact(session, limits, lunch)
    session.items.bring_back(limits)
    dropped = session.window.dropped()
    assert {item.item: item.gone for item in dropped.items} == {limits: False, lunch: True}
    assert dropped.gone == 1
    session.window.undo_compaction(version)
    assert session.window.dropped(version).gone == 0


def test_any_compaction_can_be_named(session: Session) -> None:
    limits = session.message(LIMITS)
    first = _compact(session, limits)
    lunch = session.message(LUNCH)
    second = _compact(session, lunch)
    assert _ids(session.window.dropped()) == [lunch]
    assert _ids(session.window.dropped(first)) == [limits]
    session.window.undo_compaction(second)
    assert session.window.dropped().compaction == first


def test_own_compactions_prunes_and_flash_saves_are_ranked(session: Session) -> None:
    said = [session.message(f"{number}: {WEATHER}" * 5) for number in range(20)]
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    assert set(_ids(session.window.dropped())) == set(done.summarized) < set(said)
    session.window.configure(limit=2_000)
    pruned = session.window.prune(0.3)
    assert session.window.dropped(limit=1_000).compaction == pruned.version
    assert set(_ids(session.window.dropped(limit=1_000))) == set(pruned.dropped)


def test_a_fork_knows_the_compactions_that_it_inherited(session: Session) -> None:
    limits, lunch = session.message(LIMITS), session.message(LUNCH)
    version = _compact(session, limits, lunch)
    fork = session.fork()
    session.message("Nothing of interest.")
    fork.message("Open config/limits.toml.")
    assert session.window.dropped().items[0].used == ()
    dropped = fork.window.dropped()
    assert (dropped.compaction, dropped.session, dropped.items[0].item) == (version, fork.id, limits)
    assert dropped.items[0].used[0] == "config/limits.toml"


def test_a_branch_that_was_left_says_nothing(session: Session) -> None:
    limits, lunch = session.message(LIMITS), session.message(LUNCH)
    version = _compact(session, limits, lunch)
    session.message("Open config/limits.toml.")
    session.backtrack(version, "the wrong way")
    assert all(item.used == () for item in session.window.dropped().items)
    session.backtrack(version - 1, "further")
    with pytest.raises(UnknownItem, match="not on this branch"):
        session.window.dropped(version)


def test_bad_input_is_refused(session: Session) -> None:
    with pytest.raises(UnknownItem, match="no compaction, or each was undone"):
        session.window.dropped()
    said = session.message(LUNCH)
    with pytest.raises(UnknownItem, match="is no compaction"):
        session.window.dropped(said)
    with pytest.raises(UnknownItem, match="not on this branch"):
        session.window.dropped(said + 1)
    _compact(session, said)
    for field, given in (("limit", {"limit": 0}), ("version", {"version": 0}), ("agent", {"agent": ""})):
        with pytest.raises(InvalidInput, match=field):
            session.window.dropped(**given)  # type: ignore[arg-type]


async def test_the_same_with_asyncio(url: str) -> None:
    async with await AsyncContextStore.open(url) as store:
        session = await store.start()
        said = await session.message(LIMITS)
        version = await session.window.compacted("They talked.", summarized=[said], algorithm="by-hand")
        dropped = await session.window.dropped(version, limit=1)
        assert _ids(dropped) == [said]
