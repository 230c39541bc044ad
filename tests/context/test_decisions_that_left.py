"""A decision of long ago leaves the window with the messages around it. It holds all the same: a query finds it, and
the context that shows it can be made again."""

from pathlib import Path

import pytest

from backstory import ContextStore, InvalidInput, WindowPolicy, audit_export
from backstory.application.context.result import Context
from backstory.application.session import Session
from tests.compact.conversations import a_session, live, talk

SIGNING = "Sign access tokens with RS256"
ASKED = "how are access tokens signed"
FEW = WindowPolicy(name="few-decisions", decisions_in_window=3)


def a_session_that_forgot(store: ContextStore) -> tuple[Session, int]:
    """One with an old decision that has left its window."""
    session = a_session(store)
    old = session.decide(SIGNING, rationale="Keys are rotated without a deploy.")
    talk(session, 10)
    for number in range(3):
        session.decide(f"Decision {number}: keep the buffer")
    talk(session, 12, start=10)
    done = session.window.compact("preserve_summarize_discard", threshold=0, policy=FEW)
    assert old in done.dropped
    assert old not in live(session)
    return session, old


def shows(context: Context, decision: int) -> bool:
    return decision in context.items("older") and SIGNING in context.data.decode()


def ask(session: Session, query: str | None = ASKED, budget: int = 4_000) -> Context:
    # The summary would tell of it.
    return session.context(budget, query=query, summary=None)


def test_only_the_newest_decisions_stay_in_the_window(store: ContextStore) -> None:
    session = a_session(store)
    decided = [session.decide(f"Decision {number}") for number in range(60)]
    said = talk(session, 30)
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    assert done.dropped == tuple(decided[:10])
    assert done.summarized == tuple(said[:20])
    assert live(session) >= set(decided[10:])
    assert done.text is not None
    assert "Decision 3" not in done.text
    assert [one.id for one in session.decisions.list(limit=100)] == decided[::-1]
    session.window.undo_compaction()
    assert live(session) >= set(decided)


@pytest.mark.parametrize("kept", [0, 1, 7])
def test_how_many_is_the_policys(store: ContextStore, kept: int) -> None:
    session = a_session(store)
    decided = [session.decide(f"Decision {number}") for number in range(9)]
    talk(session, 30)
    policy = WindowPolicy(decisions_in_window=kept)
    session.window.compact("preserve_summarize_discard", threshold=0, policy=policy)
    # The last three stay in any case.
    assert [item for item in decided if item in live(session)] == decided[-max(kept, 3) :]
    with pytest.raises(InvalidInput, match="decisions_in_window"):
        WindowPolicy(decisions_in_window=-1)


def test_old_decisions_leave_where_there_is_nothing_else(store: ContextStore) -> None:
    session = a_session(store)
    decided = [session.decide(f"Decision {number}: keep the buffer of the reader") for number in range(20)]
    done = session.window.compact("preserve_summarize_discard", threshold=0, policy=FEW)
    assert (done.summarized, done.dropped, done.text) == ((), tuple(decided[:17]), None)
    assert session.verify().ok


def test_a_query_finds_it(store: ContextStore) -> None:
    session, old = a_session_that_forgot(store)
    context = ask(session)
    assert shows(context, old)
    assert context.tokens <= 4_000
    assert "Keys are rotated" in context.data.decode()
    assert not shows(ask(session, query=None), old)
    # Where there is no room for all, another question finds others.
    assert not shows(ask(session, query="Which buffer does the reader have?", budget=400), old)
    assert shows(ask(session, budget=400), old)
    assert shows(session.context(4_000, query=ASKED, record=False), old)
    # It is not live: that it was read changes nothing about it.
    assert session.verify().ok


def test_the_context_is_made_again(store: ContextStore, url: str, tmp_path: Path) -> None:
    session, old = a_session_that_forgot(store)
    context = ask(session)
    assert shows(context, old)
    talk(session, 30, start=40)
    session.window.compact("everything")
    assert session.reproduce(context.version).ok
    with ContextStore.open(url) as elsewhere:
        again = elsewhere.session(session.id).reproduce(context.version)
        assert again.ok
        assert again.context is not None
        assert again.context.data == context.data
        assert shows(elsewhere.session(session.id).context(4_000, query=ASKED, summary=None), old)
    store.export(session.id, tmp_path / "x.jsonl")
    audit = audit_export(tmp_path / "x.jsonl")
    assert audit.ok
    assert audit.contexts == 2


def test_one_that_was_erased_is_named(store: ContextStore) -> None:
    session, old = a_session_that_forgot(store)
    context = ask(session)
    session.erase(old, "asked to")
    missing = session.reproduce(context.version).missing
    assert [(one.item, one.section) for one in missing] == [(old, "older")]
    assert old not in ask(session).items("older")


def test_a_fork_finds_what_left_before_it(store: ContextStore) -> None:
    session, old = a_session_that_forgot(store)
    fork = session.fork()
    talk(session, 30, start=40)
    session.window.compact("everything")
    session.erase(session.decide("Something else about tokens"), "asked to")
    context = ask(fork)
    assert shows(context, old)
    assert fork.reproduce(context.version).ok
    of_fork = shows(ask(fork.fork()), old)
    assert of_fork


def test_one_of_an_abandoned_branch_is_not_found(store: ContextStore) -> None:
    session = a_session(store)
    talk(session, 4)
    back = session.version
    old = session.decide(SIGNING)
    for number in range(3):
        session.decide(f"Decision {number}: keep the buffer")
    talk(session, 16, start=4)
    session.window.compact("preserve_summarize_discard", threshold=0, policy=FEW)
    before = session.version
    assert shows(ask(session), old)
    session.backtrack(back, "another way")
    assert old not in ask(session).items("older")
    session.backtrack(before, "as it was")
    assert shows(ask(session), old)


def test_one_that_came_back_is_shown_once(store: ContextStore) -> None:
    session, old = a_session_that_forgot(store)
    session.window.undo_compaction()
    assert ask(session).data.decode().count(SIGNING) == 1
    assert old in live(session)


def test_one_that_was_taken_out_by_hand_stays_out(store: ContextStore) -> None:
    session = a_session(store)
    old = session.decide(SIGNING)
    for number in range(3):
        session.decide(f"Decision {number}: keep the buffer")
    session.items.remove(old)
    assert old not in ask(session).items("older")


def test_one_that_was_confirmed_is_shown_like_any_other(store: ContextStore) -> None:
    session = a_session(store)
    session.message("Let's use RS256 to sign access tokens.")
    session.context(4_000)
    (candidate,) = session.state.candidates
    noticed = session.decisions.confirm(candidate.id)
    for number in range(3):
        session.decide(f"Decision {number}: keep the buffer")
    talk(session, 30)
    session.window.compact("preserve_summarize_discard", threshold=0, policy=FEW)
    assert noticed not in live(session)
    assert noticed in ask(session).items("older")


def test_a_window_shows_its_own(store: ContextStore) -> None:
    session, old = a_session_that_forgot(store)
    session.window.configure("review", limit=4_000)
    assert old not in session.context(4_000, query=ASKED, window="review").items("older")
