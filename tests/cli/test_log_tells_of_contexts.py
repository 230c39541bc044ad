"""`log`, `replay` and `diff` tell in plain words of contexts, calls, summaries, pins and noticed decisions."""

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


@pytest.fixture(scope="module")
def session(store: ContextStore) -> Session:
    session = store.start(limit=8_000)
    session.set_system_prompt("You are a careful engineer.")
    question = session.by("ana").message("How are tokens signed?")
    session.by("ana").message("We decided to use Redis for sessions because it is already there.")
    context = session.by("coder").context(4_000, query="tokens")
    usage = {"prompt_tokens": 1_234, "completion_tokens": 56, "prompt_tokens_details": {"cached_tokens": 78}}
    session.by("coder").model_called(context, "gpt-5-mini", usage, latency_ms=1_500, stop_reason="stop")
    session.by("coder").model_called(context, "gpt-5-mini", error="429: slow down")
    (noticed,) = (candidate.id for candidate in session.state.candidates)
    session.by("ana").decisions.confirm(noticed)
    session.by("ana").items.pin(question, why="it is the question")
    session.by("ana").items.unpin(question)
    session.by("coder").summarize()
    session.by("coder").window.compacted("They talked.", summarized=[question], algorithm="by hand")
    session.by("ana").message("We decided to drop the cookie because nobody reads it.")
    session.by("coder").context()
    (second,) = (candidate.id for candidate in session.state.candidates)
    session.by("ana").decisions.dismiss(second, why="it was a joke")
    return session


@pytest.mark.parametrize(
    ("type", "words"),
    [
        ("prompt.set", "You are a careful engineer."),
        ("context.assembled", "of 4,000 tokens as openai, of version 5 · for coder"),
        ("context.assembled", "asked for: tokens"),
        ("model.called", "gpt-5-mini with context 6 · 1,234 tokens in (78 cached) · 56 out · $0.0"),
        ("model.called", "1.5 s · stop"),
        ("model.called", "gpt-5-mini with context 6 · failed: 429: slow down"),
        ("decision.noticed", "use Redis for sessions — it is already there"),
        ("decision.noticed", "(noticed in 4)"),
        ("decision.confirmed", "use Redis for sessions — it is already there (candidate 5)"),
        ("decision.dismissed", ": it was a joke"),
        ("item.pinned", "ana: item 3: it is the question"),
        ("item.unpinned", "ana: item 3"),
        ("summary.made", "coder: all up to 11, by offline/"),
        ("items.compacted", "coder: summarized 3, "),
        ("items.compacted", "tokens, algorithm by hand: They talked."),
    ],
)
def test_each_event_says_what_it_did(cli: Cli, session: Session, type: str, words: str) -> None:
    lines = cli("log", session.id, "--type", type, env={"COLUMNS": "400"}).out.splitlines()
    assert any(words in line for line in lines), lines


def test_a_summary_is_told_without_its_headings(cli: Cli, session: Session) -> None:
    out = cli("log", session.id, "--type", "summary.made", env={"COLUMNS": "400"}).out
    assert "#" not in out


def test_replay_tells_what_is_pinned_and_what_waits(cli: Cli, session: Session) -> None:
    steps = {step["version"]: step for step in cli("replay", session.id, "--json").documents}
    assert steps[2]["facts"]["system_prompt"] == [None, 2]
    assert steps[5]["facts"]["candidates"] == [[], [5]]
    assert steps[9]["facts"]["candidates"] == [[5], []]
    assert steps[10]["facts"]["pins"] == [[], [3]]
    assert steps[12]["facts"]["summary"] == [None, 12]


def test_diff_counts_contexts_calls_and_cost(cli: Cli, session: Session) -> None:
    out = cli("diff", session.id, 5, 10, env={"COLUMNS": "140"}).out
    assert "pinned: +3" in out
    assert (
        "contexts 0 → 1 · model calls 0 → 2 · tokens in 0 → 1,234 · tokens out 0 → 56 · cost $0.00 → $" in out
    )
    found = cli("diff", session.id, 5, 10, "--json").document
    assert (found["pins_added"], found["pins_gone"]) == ([3], [])
    assert found["counters"]["model_calls"] == [0, 2]
