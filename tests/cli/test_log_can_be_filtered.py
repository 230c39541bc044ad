"""`log`: types, actors, versions and branches."""

from datetime import UTC, datetime, timedelta

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.cli.demo.story import Story
from tests.cli.conftest import Cli, Outcome


def versions(cli: Cli, *words: object) -> list[int]:
    return versions_of(cli("log", *words, "--json"))


def versions_of(outcome: Outcome) -> list[int]:
    return [event["version"] for event in outcome.documents]


def test_by_type(cli: Cli, story: Story) -> None:
    assert versions(cli, story.session.id, "--type", "decision.recorded", "--type", "goal.set") == [3, 8, 15]


def test_by_actor(cli: Cli, story: Story) -> None:
    assert versions(cli, story.session.id, "--actor", "ana") == [2, 5, 11, 14]


def test_by_version(cli: Cli, story: Story) -> None:
    assert versions(cli, story.session.id, "--after", 3, "--upto", 6) == [4, 5, 6]


def test_the_current_branch_only(cli: Cli, story: Story) -> None:
    assert versions(cli, story.session.id, "--branch") == [1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 17, 18]


def test_the_branch_that_was_left(cli: Cli, story: Story) -> None:
    assert versions(cli, story.session.id, "--branch", "--upto", 12) == list(range(1, 13))


def test_a_fork_has_its_parents_events(cli: Cli, story: Story) -> None:
    found = cli("log", story.forked.id, "--json").documents
    assert [event["version"] for event in found if event["inherited"]] == list(range(1, 15))
    assert [event["type"] for event in found[14:]] == ["session.forked", "decision.recorded"]


def test_branches_can_be_told_apart(cli: Cli, story: Story) -> None:
    lines = cli("log", story.session.id).out.splitlines()
    rails = [line[1:4].strip() for line in lines[1:]]
    assert rails == ["●"] * 7 + ["├─○"] + ["│ ○"] * 4 + ["●"] * 6


def test_everything_that_was_said(cli: Cli, story: Story) -> None:
    assert (
        "rationale: the key is already in every service's settings"
        in cli("log", story.session.id, "--full").out
    )


def test_a_recorded_text_cannot_steer_the_terminal(cli: Cli, store: ContextStore) -> None:
    session = store.start(title="\x1b]0;owned\x07\x1b[2J and \u202e backwards")
    session.by("an \u200egent").message("\x1b[31mred\x9b")
    for words in (["log"], ["log", "--full"], ["sessions", "show"], ["replay", "--all"], ["at", 2]):
        name, *rest = words if words[0] != "sessions" else ["sessions show"]
        shown = cli(*name.split(), session.id, *rest).out
        assert "and" in shown
        assert not set("\x1b\x07\x9b\u202e\u200e") & set(shown)


def test_contents_that_are_not_text(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    session.items.save("image", b"\x89PNG\r\n", media_type="image/png")
    assert "(image, image/png, 6 B)" in cli("log", session.id).out
    content = cli("log", session.id, "--json").documents[1]["contents"][0]
    assert (content["text"], content["size"], content["erased"]) == (None, 6, False)


def test_filters_that_leave_nothing_say_so(cli: Cli, story: Story) -> None:
    shown = cli("log", story.session.id, "--type", "decision.recoded")
    assert (shown.code, shown.out.strip()) == (0, "no such events")
    assert cli("log", story.session.id, "--type", "decision.recoded", "--json").out == ""


@pytest.fixture(scope="module")
def timed(store: ContextStore) -> Session:
    """A session that was active on two days of March 2026 and an hour ago."""
    session = store.start(project="of-march")
    for day, who in ((1, "ana"), (2, "ben")):
        session.by(who).occurred(datetime(2026, 3, day, 12, tzinfo=UTC)).message(f"Day {day}")
    session.by("ana").occurred(datetime.now(UTC) - timedelta(hours=1)).message("An hour ago")
    return session


@pytest.mark.parametrize(
    ("words", "versions"),
    [
        (["--until", "2026-03-02"], [2]),
        (["--since", "2026-03-01T12:00:00Z", "--until", "2026-03-02T13:00:00+01:00"], [2]),
        (["--since", "2h", "--actor", "ana"], [4]),
        (["--since", "2026-03-02", "--until", "30m", "--type", "message.added"], [3, 4]),
    ],
    ids=str,
)
def test_log_and_feed_by_time(cli: Cli, timed: Session, words: list[str], versions: list[int]) -> None:
    assert versions_of(cli("log", timed.id, *words, "--json")) == versions
    assert versions_of(cli("feed", "--project", "of-march", *words, "--json")) == versions


def test_sessions_by_time(cli: Cli, timed: Session) -> None:
    listed = ["sessions", "list", "--project", "of-march", "--json"]
    assert len(cli(*listed, "--since", "2h", "--actor", "ben", "--type", "message.added").documents) == 1
    assert cli(*listed, "--until", "2h").documents == []
    assert cli(*listed, "--actor", "nobody").documents == []


@pytest.mark.parametrize("words", [["log", "last"], ["feed"], ["sessions", "list"]], ids=" ".join)
@pytest.mark.parametrize("given", ["soon", "2026-13-01", "99999999999999d"])
def test_a_time_that_is_none_is_refused(cli: Cli, timed: Session, words: list[str], given: str) -> None:
    refused = cli(*words, "--since", given, "--json")
    assert refused.code == 2
    assert "since" in refused.error["message"]
    assert given in refused.error["message"]


def test_the_feed_has_texts_on_request(cli: Cli, timed: Session) -> None:
    wanted = ["feed", "--project", "of-march", "--actor", "ben"]
    (found,) = cli(*wanted, "--texts", "--json").documents
    assert [content["text"] for content in found["contents"]] == ["Day 2"]
    assert cli(*wanted, "--json").documents[0]["contents"] is None
    assert "Day 2" in cli(*wanted, "--texts").out
    assert "Day 2" not in cli(*wanted).out


def test_a_message_is_told_by_what_it_says_before_what_was_thought(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    thought = {"type": "thinking", "thinking": "Hm, they ask for the harbour.", "signature": "s"}
    content = [thought, {"type": "text", "text": "It is in Kiel."}]
    session.message({"role": "assistant", "content": content}, format="anthropic")
    for command in (("log",), ("sessions", "show")):
        out = cli(*command, session.id).out
        assert "It is in Kiel. Hm, they ask" in out
