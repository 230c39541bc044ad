"""A session without a title is called by what its user first asked for."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from backstory.application.store import ContextStore
from backstory.domain.text.titles import LONGEST, derived_title
from tests.properties import examples


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Let's implement JWT auth. Tokens live one hour.", "Let's implement JWT auth"),
        ("Why does it fail? I tried twice.", "Why does it fail?"),
        ("# Fix the **login** bug\n\nIt fails", "Fix the login bug"),
        ("- [ ] do _this one_ now", "do this one now"),
        ("> quoted\n", "quoted"),
        ("Look at [the docs](https://example.org/a_b) please", "Look at the docs please"),
        ("https://example.org/x\nFix what it says", "Fix what it says"),
        ("```python\nprint(1)\n```\nWhy is this slow?", "Why is this slow?"),
        ("```python\nprint(1)\n```", "print(1)"),
        ("Fix `validate_jwt` in auth/jwt.py", "Fix validate_jwt in auth/jwt.py"),
        ("Rename __init__ to a*b*c", "Rename __init__ to a*b*c"),
        ("Use e.g. Redis. Then stop.", "Use e.g. Redis"),
        ("Upgrade to version 2.0 of the parser. Now.", "Upgrade to version 2.0 of the parser"),
        ("<b>Hey</b> you<!-- no -->", "Hey you"),
        ("修复登录错误。然后测试。", "修复登录错误"),
        ("\x00\x1b[31mred", "[31mred"),
        ("", None),
        ("***\n---\n", None),
        ("…!?", None),
    ],
)
def test_the_first_sentence_in_plain_words(said: str, title: str | None) -> None:
    assert derived_title(said) == title


def test_a_long_sentence_ends_after_a_whole_word() -> None:
    title = derived_title("please look at every single file of this project and tell me what it is for")
    assert title == "please look at every single file of this project and tell…"
    assert derived_title("x" * 100) == "x" * (LONGEST - 1) + "…"


@examples(25)
@given(st.text(max_size=400))
def test_any_text_has_a_short_title_on_one_line_or_none(said: str) -> None:
    title = derived_title(said)
    assert title is None or (
        0 < len(title) <= LONGEST and len(title.splitlines()) == 1 and title == title.strip()
    )


def test_a_session_is_called_by_its_first_user_message(any_store: Any) -> None:
    session = any_store.start()
    assert any_store.summary(session.id).title is None
    session.message("You are helpful.", role="system")
    session.by("coder").message("What shall I do?", role="agent")
    session.message("Fix the parser. It hangs.")
    session.message("And the lexer.")
    found = any_store.summary(session.id)
    assert (found.title, found.titled) == ("Fix the parser", False)


def test_a_given_title_comes_first(store: ContextStore) -> None:
    session = store.start(title="Mine")
    session.message("Fix the parser.")
    assert (store.summary(session.id).title, store.summary(session.id).titled) == ("Mine", True)
    session.details.rename("Other")
    assert store.summary(session.id).title == "Other"


def test_a_fork_has_its_parents_title_given_or_derived(store: ContextStore) -> None:
    session = store.start()
    session.message("Fix the parser.")
    derived = session.fork()
    session.details.rename("Given")
    given_title = session.fork()
    own = session.fork(title="Own")
    found = {one.id: (one.title, one.titled) for one in store.sessions(limit=50)}
    assert found[derived.id] == ("Fix the parser", False)
    assert found[given_title.id] == ("Given", True)
    assert found[own.id] == ("Own", True)
    assert store.summary(given_title.fork().id).title == "Given"


def test_a_fork_keeps_the_title_though_the_message_left_the_window(store: ContextStore) -> None:
    session = store.start()
    session.message("Fix the parser.")
    session.window.clear()
    assert store.summary(session.fork().id).title == "Fix the parser"


def test_only_the_current_branch_counts(store: ContextStore) -> None:
    session = store.start()
    session.message("Fix the parser.")
    session.backtrack(1, "other plan")
    session.message("Fix the lexer.")
    assert store.summary(session.id).title == "Fix the lexer"


def test_an_erased_message_gives_no_title(store: ContextStore) -> None:
    session = store.start()
    session.erase(session.message("Call 555 0100."), "personal")
    assert store.summary(session.id).title is None
    session.message("Fix the parser.")
    assert store.summary(session.id).title == "Fix the parser"


def test_a_message_of_a_megabyte_has_a_title(store: ContextStore) -> None:
    session = store.start()
    session.message("Read this. " + "x" * 2**20)
    assert store.summary(session.id).title == "Read this"


def test_a_message_that_begins_with_a_picture(store: ContextStore) -> None:
    session = store.start()
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}
    said = {"role": "user", "content": [picture, {"type": "text", "text": "What is this?"}]}
    session.message(said, format="openai")
    assert store.summary(session.id).title == "What is this?"


def test_a_list_takes_two_statements_however_long_it_is(
    store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        session = store.start(title="t" if number % 2 else None)
        session.message(f"Question {number}.")
        session.fork()
    reads = []
    read = type(store._runtime.database).read

    def counted(self: Any, work: Any) -> Any:
        reads.append(work)
        return read(self, work)

    monkeypatch.setattr(type(store._runtime.database), "read", counted)
    assert len(store.sessions(limit=60)) == 60
    assert len(reads) == 2
