"""Unknown commands, missing texts, the wrong state: an answer in words, and nothing is changed."""

import pytest

from backstory.application.store import ContextStore
from backstory.domain.context_document.commands import OFFERS
from backstory.domain.errors import BranchMoved


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("/set_gaol x", "/set_goal"),
        ("/complete goal x", "/complete_goal"),
        ("/contxt status", "/context status"),
        ("/context statu", "/context status"),
        ("facilitator statsu", "facilitator status"),
        ("facilitator end", "facilitator end session"),
        ("/xyzzy", None),
    ],
)
def test_an_unknown_command_is_answered_with_help(
    typed: str, nearest: str | None, store: ContextStore
) -> None:
    session = store.start()
    answer = session.command(typed)
    assert (answer.ok, answer.events, session.version) == (False, (), 1)
    assert answer.data == {"nearest": nearest}
    assert answer.text.startswith("there is no command")
    assert "\n  " in answer.text


def test_an_unknown_word_of_a_group_lists_the_group(store: ContextStore) -> None:
    lines = store.start().command("/context").text.splitlines()[1:]
    assert [line.split("  ")[1].split(" [")[0] for line in lines] == [
        offer.usage.split(" [")[0] for offer in OFFERS if offer.command.startswith("/context ")
    ]


@pytest.mark.parametrize(
    "name",
    [offer.command for offer in OFFERS if offer.argument and not offer.argument.startswith("[")],
)
def test_a_missing_text_is_named(name: str, store: ContextStore) -> None:
    session = store.start()
    session.work.set_goal("g")
    session.work.add_constraint("c")
    session.work.add_action("a")
    session.details.set_project("P", current_idea="I")
    session.items.save("idea", "x", artifact="I")
    session.command("/remember r")
    version = session.version
    answer = session.command(name)
    assert (answer.ok, answer.events, session.version) == (False, (), version)
    assert "missing" in answer.text or "is available" in answer.text
    assert session.command(f'{name} ""').ok is False
    assert session.version == version


@pytest.mark.parametrize("name", [offer.command for offer in OFFERS if not offer.argument])
def test_nothing_may_follow_a_command_that_takes_nothing(name: str, store: ContextStore) -> None:
    session = store.start()
    session.message("hello")
    session.progress.set_layer(1)
    version = session.version
    answer = session.command(f"{name} more")
    assert (answer.ok, answer.events, session.version) == (False, (), version)


def test_commands_follow_the_state(store: ContextStore) -> None:
    session = store.start()
    assert session.command("/complete_goal x").text == "/complete_goal is available when a goal is open."
    assert session.command("/answer x").text == "/answer is available when a question is open."
    after = session.command("/ask Why?")
    assert "/answer" in after.available
    ended = session.command("/context archive")
    assert "/resume" in ended.available
    assert "/set_goal" not in ended.available
    assert session.command("/set_goal x").data == {"error": "refused"}


def test_the_help_of_the_table_is_shown(store: ContextStore) -> None:
    session = store.start()
    shown = session.command("/help")
    assert [row["command"] for row in shown.data["commands"]] == [offer.command for offer in OFFERS]
    assert all(offer.description in shown.text for offer in OFFERS)
    assert "when a goal is open" in session.command("/help complete-goal").text
    assert not session.command("/help xyzzy").ok


def test_a_text_that_is_too_long_is_refused_and_changes_nothing(store: ContextStore) -> None:
    session = store.start()
    answer = session.command("/set_goal " + "x" * (17 * 2**20))
    assert (answer.ok, answer.data, session.version) == (False, {"error": "invalid-input"}, 1)


def test_a_version_that_is_not_there(store: ContextStore) -> None:
    session = store.start()
    session.message("x")
    for reference in ("99", "abc", "-1", "0"):
        assert not session.command(f"/backtrack {reference}").ok
    assert session.version == 2


def test_a_handle_from_before_a_backtrack_is_told(store: ContextStore) -> None:
    session = store.start()
    session.message("x")
    other = store.session(session.id)
    session.backtrack(1, "again")
    with pytest.raises(BranchMoved):
        other.command("/set_goal x")
