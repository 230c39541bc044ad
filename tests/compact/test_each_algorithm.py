"""What each algorithm takes out, what stands for it, and what it never touches."""

import pytest

from backstory import ContextStore, WindowPolicy
from backstory.application.session import Session
from backstory.domain.errors import InvalidInput
from backstory.domain.events import ItemsCompacted
from backstory.domain.log.ranges import from_ranges
from backstory.domain.search.terms import terms
from backstory.domain.window.essentials import essential_items
from backstory.domain.window.selection import similar_messages
from backstory.domain.window.validation import state_problems
from tests.compact.conversations import a_session, live, talk, use_tools


def _compaction(session: Session, version: int) -> ItemsCompacted:
    (event,) = session.events(after=version - 1, upto=version)
    assert isinstance(event.body, ItemsCompacted)
    return event.body


def test_preserve_summarize_discard_keeps_the_newest_ten_and_all_decisions(store: ContextStore) -> None:
    session = a_session(store)
    said = talk(session, 20)
    decisions = [session.decide(f"Decision {number}: use a buffer") for number in range(6)]
    exchanges = use_tools(session, 2)
    newest = talk(session, 10, start=20)
    code = session.items.save("code", "def read_header(): ...", path="src/parser.py")
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    body = _compaction(session, done.events[0])
    assert done.summarized == from_ranges(body.summarized) == tuple(said)
    assert done.dropped == from_ranges(body.dropped) == tuple(exchanges)
    assert set(from_ranges(body.kept)) == set(done.kept) >= {*decisions, *newest, code}
    assert live(session) >= {*decisions, *newest, code, done.summary}
    assert not live(session) & {*said, *exchanges}
    assert (body.algorithm, body.policy, body.policy_version) == ("preserve_summarize_discard", "default", 1)
    assert body.tokens_before is not None
    assert body.tokens_after is not None
    assert body.ratio == body.tokens_before / body.tokens_after > 1
    assert session.state.tokens == done.tokens_before - body.tokens_before + body.tokens_after
    assert state_problems(session.state) == []


def test_the_summary_tells_of_tools_and_names(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 16)
    use_tools(session, 3)
    session.message("I mean the header of the second file.", kind="clarification")
    session.progress.set_layer(2)
    session.progress.set_layer(3)
    talk(session, 11)
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    assert done.text is not None
    for told in (
        "src/parser.py",
        "read_header",
        "read_file 3",
        "src/module_2.py",
        "the second file",
        "2 → 3",
    ):
        assert told in done.text
    assert done.text == session.text(done.summary)


def test_a_range_is_summed_up(store: ContextStore) -> None:
    session = a_session(store)
    said = talk(session, 30)
    done = session.window.compact("session_summary", first=said[3], last=said[15])
    assert done.summarized == tuple(said[3:16])
    assert {*said[:3], *said[16:]} <= live(session)


def test_clarifications_alone(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 4)
    asked = [
        session.message(
            f"I mean the header of file number {n}, not its body, please. " * 3, kind="clarification"
        )
        for n in range(6)
    ]
    rest = talk(session, 12, start=4)
    done = session.window.compact("clarifications")
    assert done.summarized == tuple(asked)
    assert set(rest) <= live(session)


def test_as_many_clarifications_as_fit_are_told(store: ContextStore) -> None:
    session = a_session(store, limit=2_000)
    for number in range(9):
        session.message(f"I mean file {number}, not the one before it. " * 3, kind="clarification")
    talk(session, 12)
    done = session.window.compact("clarifications")
    assert done.text is not None
    assert "## Clarifications" in done.text
    assert "file 8" in done.text
    assert session.state.items[done.summary or 0].tokens <= 100


def test_a_small_window_gets_a_summary_that_says_something_or_none(store: ContextStore) -> None:
    session = store.start(limit=400)
    talk(session, 30)
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    assert done.text is not None
    assert "src/parser.py" in done.text
    session = store.start(limit=400)
    talk(session, 11)
    assert session.window.compact("preserve_summarize_discard", threshold=0).events == ()


def test_an_archive_leaves_a_memory_that_the_next_one_builds_on(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    talk(session, 30)
    first = session.window.compact("archive")
    assert first.summary is not None
    assert session.state.items[first.summary].type == "memory"
    assert live(session) == {*essential_items(session.state), first.summary}
    noted = session.items.save("memory", "The boss likes short answers.")
    use_tools(session, 2)
    talk(session, 30)
    middle = session.window.compact("preserve_summarize_discard", threshold=0)
    assert {first.summary, noted} <= live(session)
    shown = session.context(8_000, summary=None)
    assert shown.items("summary") == (first.summary, middle.summary)
    second = session.window.compact("archive")
    assert {first.summary, middle.summary, noted} <= set(second.summarized)
    assert [i.id for i in session.state.live() if i.type in ("memory", "summary")] == [second.summary]
    assert second.text is not None
    assert "read_file 2" in second.text
    session.window.undo_compaction()
    assert {first.summary, middle.summary, noted} <= live(session)


def test_everything_but_essentials(store: ContextStore) -> None:
    session = a_session(store)
    decisions = [session.decide(f"Decision {number}: use a buffer") for number in range(6)]
    talk(session, 20)
    session.items.save("code", "def read_header(): ...\n" * 20)
    secret = session.by("coder").items.save("note", "the secret is swordfish " * 5)
    done = session.window.compact("everything")
    state = session.state
    assert live(session) == {*essential_items(state), done.summary}
    assert set(decisions[3:]) <= live(session)
    assert not set(decisions[:3]) & live(session)
    assert [note.id for note in state.decisions] == decisions
    assert done.dropped == (secret,)
    assert done.text is not None
    assert "swordfish" not in done.text


def test_the_next_summary_builds_on_the_one_before(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 16)
    use_tools(session, 2)
    talk(session, 10)
    first = session.window.compact("preserve_summarize_discard", threshold=0)
    use_tools(session, 3, start=5)
    talk(session, 16)
    second = session.window.compact("preserve_summarize_discard", threshold=0)
    assert first.summary in second.summarized
    assert second.text is not None
    assert "read_file 5" in second.text
    assert "src/module_0.py" in second.text
    assert [i.id for i in session.state.live() if i.type == "summary"] == [second.summary]


def _adapted(session: Session, usage: float) -> list[str]:
    """What adaptive compression does in a fork with this usage."""
    fork = session.fork()
    fork.window.configure(limit=int(session.state.tokens / usage))
    done = fork.window.compact("adaptive")
    bodies = [event.body for event in fork.events() if event.version in done.events]
    return [body.algorithm if isinstance(body, ItemsCompacted) else "stubs" for body in bodies]


def test_adaptive_does_what_the_usage_calls_for(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    use_tools(session, 1)
    session.message("I mean the other one, which has no header at all. " * 8, kind="clarification")
    talk(session, 70)
    assert _adapted(session, 0.4) == []
    assert _adapted(session, 0.6) == ["stubs"]
    assert _adapted(session, 0.79) == ["stubs", "clarifications"]
    assert _adapted(session, 0.95) == ["stubs", "clarifications", "preserve_summarize_discard"]


def test_adaptive_keeps_only_essentials_when_nothing_else_helps(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    talk(session, 10)
    code = session.items.save("code", "def read_header(): ...\n" * 200)
    assert _adapted(session, 0.95) == ["everything"]
    assert code in live(session)


def test_similar_messages_are_compacted_in_clusters(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    alike = [
        session.message(
            f"Build number {n} failed because the linker found no symbol read_header in libparser. "
            "Nobody changed the makefile, the compiler or the machine since the build before it."
        )
        for n in range(5)
    ]
    others = [
        session.message(text)
        for text in (
            "Lunch is at noon today",
            "The customer wants blue buttons",
            "Remember to renew the licence",
        )
    ]
    talk(session, 12)
    done = session.window.compact("cluster", policy=WindowPolicy(cluster_size=5))
    assert done.summarized == tuple(alike)
    assert set(others) <= live(session)
    assert _compaction(session, done.events[0]).algorithm == "cluster"


def test_clusters_know_words_in_other_forms(store: ContextStore) -> None:
    session = a_session(store, limit=100_000)
    alike = [
        # Long enough for a summary of them to be shorter.
        session.message(" ".join([text] * 4))
        for text in (
            "The linker fails to resolve symbols in the libraries that were compiled for the releases.",
            "Linkers failed, resolving a symbol in the library, which compiles for a release.",
            "Failing linker: resolved symbols of libraries, compiling and releasing them.",
        )
    ]
    talk(session, 12)
    done = session.window.compact("cluster", policy=WindowPolicy(cluster_size=3))
    assert done.summarized == tuple(alike)


def test_words_that_few_messages_have_tell_clusters_apart() -> None:
    frame = "Review the open ticket our customer wrote on Friday, tell the manager of support: {}."
    same = [frame.format("alpha bravo charlie delta echo foxtrot golf hotel")] * 3
    # Half of their words in common, and the other half, which says what each is about, its own.
    others = [
        frame.format(own)
        for own in (
            "india juliet kilo lima mike november oscar papa",
            "quebec romeo sierra tango uniform victor whiskey xray",
            "yankee zulu amber beryl coral dune ember fjord",
        )
    ]
    texts = {number: terms(text) for number, text in enumerate([*same, *others])}
    assert similar_messages(texts, similarity=0.5, size=3) == [(0, 1, 2)]


def test_an_archive_begins_anew(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 40)
    done = session.window.compact("archive")
    assert live(session) == {*essential_items(session.state), done.summary}


def test_what_would_not_get_shorter_stays(store: ContextStore) -> None:
    session = a_session(store)
    for _ in range(11):
        session.message("ok")
    version = session.version
    assert session.window.compact("preserve_summarize_discard", threshold=0).events == ()
    assert session.version == version


def test_a_dry_run_tells_what_would_be(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 30)
    version = session.version
    told = session.window.compact("preserve_summarize_discard", threshold=0, dry_run=True)
    assert session.version == version
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    assert (told.summarized, told.kept, told.text, told.tokens_after) == (
        done.summarized,
        done.kept,
        done.text,
        done.tokens_after,
    )


def test_summaries_keep_to_their_tokens(store: ContextStore) -> None:
    session = a_session(store, limit=2_000)
    use_tools(session, 30, words=10)
    talk(session, 40)
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    assert done.summary is not None
    assert session.state.items[done.summary].tokens <= 100


@pytest.mark.parametrize(
    ("field", "asked"),
    [
        ("algorithm", {"algorithm": "magic"}),
        ("window", {"window": "nowhere"}),
        ("policy", {"policy": "default"}),
        ("first", {"first": 0}),
        ("trigger", {"trigger": ""}),
    ],
)
def test_what_is_wrong_is_named(store: ContextStore, field: str, asked: dict[str, object]) -> None:
    session = a_session(store)
    version = session.version
    with pytest.raises(InvalidInput) as error:
        session.window.compact(**asked)  # type: ignore[arg-type]
    assert error.value.field == field
    assert session.version == version


@pytest.mark.parametrize(("usage", "acts"), [(0.69, False), (0.71, True)])
def test_preserve_summarize_discard_by_name_begins_at_70_percent(
    store: ContextStore, usage: float, acts: bool
) -> None:
    session = a_session(store, limit=1_000_000)
    talk(session, 30)
    session.window.configure(limit=int(session.state.tokens / usage))
    assert bool(session.window.compact("preserve_summarize_discard", dry_run=True).text) == acts
    assert bool(session.window.compact("preserve_summarize_discard", threshold=0.6, dry_run=True).text)
    mine = WindowPolicy(compact_from=0.5)
    assert bool(session.window.compact("preserve_summarize_discard", policy=mine, dry_run=True).text)
    assert bool(session.window.compact("preserve_summarize_discard").events) == acts


@pytest.mark.parametrize("threshold", [-0.1, 1.1, True, "half"])
def test_a_threshold_is_a_share(store: ContextStore, threshold: object) -> None:
    session = a_session(store)
    with pytest.raises(InvalidInput, match="^threshold: "):
        session.window.compact("preserve_summarize_discard", threshold=threshold)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="^threshold: is one of preserve_summarize_discard"):
        session.window.compact("everything", threshold=0.5)


def test_the_ratio_is_that_of_what_was_compressed(store: ContextStore) -> None:
    session = a_session(store)
    said = talk(session, 20)
    talk(session, 10, start=20)
    original = sum(session.state.items[item].tokens for item in said)
    planned = session.window.compact("preserve_summarize_discard", threshold=0, dry_run=True)
    done = session.once("k").window.compact("preserve_summarize_discard", threshold=0)
    again = session.once("k").window.compact("preserve_summarize_discard", threshold=0)
    body = _compaction(session, done.events[0])
    assert done.original_tokens == original
    assert done.ratio == body.ratio == original / done.compressed_tokens
    assert planned.ratio == again.ratio == done.ratio
    assert done.tokens_before - done.tokens_after == done.original_tokens - done.compressed_tokens
    exchanges = use_tools(session, 2)
    talk(session, 12, start=30)
    stubs = session.window.compact("stubs")
    assert stubs.stubbed == tuple(exchanges)
    assert stubs.original_tokens - stubs.compressed_tokens == stubs.tokens_before - stubs.tokens_after
