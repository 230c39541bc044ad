"""A prompt tells each decision once and has one summary, and `status` shows how large it was."""

from backstory import AssemblyPolicy, ContextStore, Session
from backstory.application.queries.status import session_status
from backstory.domain.context.summary import markdown, merged
from tests.compact.conversations import a_session, talk, use_tools


def a_compacted_session(store: ContextStore) -> Session:
    """With five decisions, questions, a session summary and the summary of a compaction."""
    session = a_session(store, limit=8_000)
    for number in range(16):
        session.work.ask(f"Who owns buffer number {number}, and who may empty it at night?")
    for number in range(5):
        session.decide(f"Use buffer number {number}", rationale=f"reason {number}")
    use_tools(session, 3)
    talk(session, 40)
    session.context()
    talk(session, 10, start=40)
    session.window.compact("preserve_summarize_discard", threshold=0)
    assert session.state.summary is not None
    assert session.state.compactions
    return session


def test_each_decision_stands_once(store: ContextStore) -> None:
    session = a_compacted_session(store)
    for format in ("openai", "anthropic", "markdown", "parts"):
        for query in (None, "which buffer?"):
            context = session.context(8_000, format=format, query=query)
            text = context.data.decode()
            for number in range(5):
                assert text.count(f"Use buffer number {number}") == 1
            assert text.count("Never touch the network") == 1
            assert text.count("# Session summary") == 1
            assert "[document]" not in text
            assert session.reproduce(context.version or 0).ok


def test_a_decision_made_again_in_the_same_words_is_told_once(store: ContextStore) -> None:
    session = store.start()
    session.message("go on")
    first = session.decide("Use  Postgres")
    again = session.decide("use Postgres")
    context = session.context(4_000)
    assert context.items("rules") == (again,)
    assert context.left_out == {"said_elsewhere": 1}
    assert first not in context.items("older")


def test_a_compactions_summary_stands_whatever_the_shares_are(store: ContextStore) -> None:
    """Also beside items that matter more, in a policy that gives it nothing, and in a quarter of the window."""
    session = a_session(store, limit=8_000)
    use_tools(session, 3)
    talk(session, 40)
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    for number in range(50):
        session.items.save("note", f"note {number} " * 20, importance=1.0)
    for policy in (AssemblyPolicy(), AssemblyPolicy(name="none", shares={"older": 1.0})):
        for budget in (2_000, 8_000):
            context = session.context(budget, policy=policy, summary=None)
            assert done.summary in context.items("summary")
            assert (done.text or "").split("\n## ")[1].splitlines()[1] in str(context.messages[0]["content"])


def test_a_summary_without_room_loses_lines_and_not_itself(store: ContextStore) -> None:
    session = a_compacted_session(store)
    context = session.context(1_200)
    (summary,) = [section for section in context.sections if section.name == "summary"]
    whole = next(one for one in session.context(8_000).sections if one.name == "summary")
    assert summary.shown is not None
    assert whole.shown is not None
    assert 0 < summary.shown < whole.shown
    assert "## Objective" in str(context.messages[0]["content"])
    assert session.reproduce(context.version or 0).ok


def test_lines_that_two_summaries_share_are_told_once() -> None:
    compaction = """# Items 1 to 9 in short\n\n## Objective\nold aim\n\n## Progress\n- did a\n- did b\n
## Named there\n- x.py, y.py"""
    own = """# Session summary\n\n## Objective\nnew aim\n\n## Progress\n- did b\n- did c\n
## Files and entities\n- Files: x.py\n
## Key decisions\n1. Use A (because)\n2. Use B, which is lo…\n3. Use C\n"""
    text = markdown(merged([(compaction, True), (own, False)], ["Use A", "Use B, which is long"]))
    assert text.splitlines() == [
        "# Session summary",
        "",
        "## Objective",
        "new aim",
        "",
        "## Progress",
        "- did a",
        "- did b",
        "- did c",
        "",
        "## Key decisions",
        "1. Use C",
        "",
        "## Files and entities",
        "- Files: x.py",
        "",
        "## Named there",
        "- y.py",
    ]


def test_the_status_tells_the_size_of_the_prompt(store: ContextStore) -> None:
    session = store.start(limit=8_000)
    session.message("hello")
    assert session_status(session).main.prompt_tokens is None
    context = session.context(4_000)
    main = session_status(session).main
    assert (main.prompt_tokens, main.prompt_budget) == (context.tokens, 4_000)
    assert main.tokens < context.tokens


def test_every_item_is_shown_or_counted(store: ContextStore) -> None:
    """The law is in test_the_budget_is_kept; here are the reasons by name."""
    session = store.start()
    for number in range(3):
        session.work.start_task(f"T-{number}", f"task {number}")
    session.tool_call("read", {}, call_id="waiting")
    gone = session.items.save("note", "erased")
    for number in range(60):
        session.message(f"{number} " + "word " * 200, importance=0.1)
    session.erase(gone, "a mistake")
    context = session.context(4_000, query="erased", summary=None)
    assert context.left_out["not_current"] == 2
    assert context.left_out["open_call"] == 1
    assert sum(context.left_out.values()) + len(
        {i for s in context.sections for i in _items(context, s.name)}
    ) == len(session.state.items)


def _items(context: object, section: str) -> tuple[int, ...]:
    return () if section == "entities" else context.items(section)  # type: ignore[attr-defined, no-any-return]
