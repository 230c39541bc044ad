"""Agents, primary files and counts in the list of sessions."""

from typing import Any

from backstory.application.store import ContextStore


def test_who_has_written(any_store: Any) -> None:
    session = any_store.start()
    session.message("hello")
    session.by("coder").message("hi", role="agent")
    session.by("boss").decide("go on")
    session.message("well", role="agent")
    assert any_store.summary(session.id).agents == ("user", "coder", "boss", "agent")


def test_the_files_in_focus_come_first(store: ContextStore) -> None:
    session = store.start()
    session.message("See docs/readme.md and docs/readme.md")
    session.progress.focus(["auth/jwt.py", "auth/validators.py"])
    assert store.summary(session.id).primary_files == ("auth/jwt.py", "auth/validators.py")
    session.progress.focus(remove=["auth/jwt.py", "auth/validators.py"])
    assert store.summary(session.id).primary_files == ("docs/readme.md",)


def test_a_focus_holds_until_the_next_one(store: ContextStore) -> None:
    session = store.start()
    session.progress.focus(["auth/jwt.py"])
    with session.atomic() as tx:
        for number in range(100):
            tx.message(f"message {number} on docs/readme.md")
    assert store.summary(session.id).primary_files == ("auth/jwt.py",)


def test_without_a_focus_the_most_mentioned_files(store: ContextStore) -> None:
    session = store.start()
    session.message("Fix src/parser.py, please.")
    session.message("src/parser.py and src/lexer.py hang.", role="agent")
    assert store.summary(session.id).primary_files == ("src/parser.py", "src/lexer.py")


def test_a_fork_knows_what_its_parent_was_about(store: ContextStore) -> None:
    session = store.start()
    session.by("coder").message("Fix src/parser.py")
    session.progress.focus(["src/parser.py"])
    found = store.summary(session.fork().id)
    assert (found.agents, found.primary_files) == (("coder",), ("src/parser.py",))


def test_a_branch_that_was_left_does_not_count(store: ContextStore) -> None:
    session = store.start()
    session.message("hello")
    session.by("gone").progress.focus(["gone.py"])
    session.backtrack(2, "elsewhere")
    found = store.summary(session.id)
    assert (found.agents, found.primary_files) == (("user",), ())


def test_counts_and_the_last_activity(store: ContextStore) -> None:
    session = store.start()
    session.message("hello")
    session.decide("go on")
    found = store.summary(session.id)
    assert (found.messages, found.decisions, found.version) == (1, 1, 3)
    assert found.last_activity == session.state.recorded_at
