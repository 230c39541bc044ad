"""`log`: types, actors, versions and branches."""

from backstory.application.store import ContextStore
from backstory.interfaces.cli.demo.story import Story
from tests.cli.conftest import Cli


def versions(cli: Cli, *words: object) -> list[int]:
    return [event["version"] for event in cli("log", *words, "--json").documents]


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
