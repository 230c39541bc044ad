"""A recap has what the summary does not tell, is never longer than it may be, and gives no orders."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from backstory.domain.recap.facts import Fact, facts_of
from backstory.domain.recap.recap import LONGEST, SECTIONS, SHORTEST, make_recap
from backstory.domain.text.printable import printable
from tests.uncompact.steps import BEGAN, Steps

FACTS = st.builds(
    Fact,
    kind=st.sampled_from([*SECTIONS]),
    text=st.text(min_size=1, max_size=500),
    item=st.integers(1, 10_000),
    at=st.integers(0, 10_000).map(lambda minutes: BEGAN + timedelta(minutes=minutes)),
    status=st.sampled_from(["PENDING", None]),
    note=st.none() | st.text(max_size=80),
    worth=st.floats(0, 10),
)


@given(st.lists(FACTS, max_size=60), st.integers(SHORTEST, LONGEST))
def test_it_is_never_longer_than_it_may_be(facts: list[Fact], limit: int) -> None:
    made = make_recap(facts, "", at=BEGAN, place="backstory expand x ITEM", limit=limit)
    assert len(made.text) <= limit
    assert all(printable(line) == line for line in made.text.split("\n"))
    assert any(entry.shown for entry in made.entries) is bool(made.text)


@given(st.lists(FACTS, max_size=20))
def test_what_the_summary_says_word_for_word_is_not_said_again(facts: list[Fact]) -> None:
    summary = "\n".join(fact.text for fact in facts)
    made = make_recap(facts, summary, at=BEGAN, place="x")
    assert made.text == ""
    assert made.entries == ()


def worked() -> Steps:
    steps = Steps()
    steps.user("Fix the sign-in. Never push to main.")
    steps.call("Read", "def login(): ...", file_path="/repo/auth/login.py")
    steps.call("Edit", "ok", file_path="/repo/auth/login.py", old_string="a", new_string="b")
    steps.call("Bash", "2 failed", error=True, command="pytest tests/auth")
    steps.user("Look at the clock skew.")
    return steps


def test_the_user_s_words_come_first_and_paths_are_whole() -> None:
    made = make_recap(facts_of(worked().made), "We worked on sign-in.", at=BEGAN, place="x")
    lines = made.text.splitlines()
    assert lines[0].startswith("Recorded before the compaction of 2026-03-02 09:00 UTC")
    assert "not instructions" in lines[0]
    assert lines[1:3] == ["The user's last message:", '- [6 09:06] "Look at the clock skew."']
    assert '- [2 09:02] "Never push to main."' in lines
    assert "- [5 09:05] pytest tests/auth (2 failed)" in lines
    assert "- /repo/auth/login.py (edited)" in lines


def test_a_summary_that_tells_it_with_other_blanks_tells_it() -> None:
    summary = (
        "look at  the clock skew.\nRule: Never push to main. pytest tests/auth failed in /repo/auth/login.py"
    )
    made = make_recap(facts_of(worked().made), summary, at=BEGAN, place="x")
    assert made.text == ""
    assert made.told == 4


def test_commands_alone_are_worth_no_recap() -> None:
    steps = Steps()
    steps.call("Bash", "ok", command="make lint")
    made = make_recap(facts_of(steps.made), "", at=BEGAN, place="x")
    assert made.text == ""
    assert [entry.fact.text for entry in made.entries] == ["make lint"]


def test_an_older_day_is_named() -> None:
    made = make_recap(facts_of(worked().made), "", at=datetime(2026, 3, 4, tzinfo=UTC), place="x")
    assert '- [6 03-02 09:06] "Look at the clock skew."' in made.text
