"""Ids and texts: the exact one first, then wider; what fits several changes nothing."""

import pytest

from backstory.application.store import ContextStore


@pytest.mark.parametrize(
    "reference",
    [
        "2",
        "#2",
        "GOAL-2",
        "goal-2",
        "G2",
        "g-2",
        "[G2]",
        "ITEM-2",
        "Write tests",
        "write TESTS",
        "w",
        "tests",
    ],
)
def test_a_goal_by_id_or_text(reference: str, store: ContextStore) -> None:
    session = store.start()
    session.work.set_goal("Write tests")
    session.work.set_goal("Implement JWT")
    done = session.command(f"/complete_goal {reference}")
    assert done.data["goal"] == 2
    assert list(session.state.goals) == [3]


def test_the_exact_text_comes_before_the_same_in_another_case(store: ContextStore) -> None:
    session = store.start()
    session.work.set_goal("Write Tests")
    session.work.set_goal("write tests")
    session.work.set_goal("write tests again")
    assert session.command("/complete_goal write tests").data["goal"] == 3


def test_a_number_may_be_a_text(store: ContextStore) -> None:
    session = store.start()
    session.work.set_goal("Support 100 users")
    assert session.command("/complete_goal 100").data["goal"] == 2


@pytest.mark.parametrize("reference", ["write", "e t", "oc", "DEC-2", "D2", "[C2]", "99", "deploy"])
def test_what_fits_several_or_none_changes_nothing(reference: str, store: ContextStore) -> None:
    session = store.start()
    session.work.set_goal("Write tests")
    session.work.set_goal("Write the docs")
    answer = session.command(f"/complete_goal {reference}")
    assert not answer.ok
    assert (session.version, answer.events) == (3, ())
    assert [row["id"] for row in answer.data["candidates"]] == ["GOAL-2", "GOAL-3"]
    assert "GOAL-2  Write tests" in answer.text
    assert "Usage: /complete_goal GOAL" in answer.text


def test_two_goals_with_one_text_are_told_apart_by_id(store: ContextStore) -> None:
    session = store.start()
    session.work.set_goal("Same")
    session.work.set_goal("Same")
    assert not session.command("/complete_goal Same").ok
    assert session.command("/complete_goal 3").ok
    assert list(session.state.goals) == [2]


def test_an_erased_goal_is_named_by_its_id(store: ContextStore) -> None:
    session = store.start()
    session.work.set_goal("Secret")
    session.erase(2, "asked for")
    assert "Secret" not in session.command("/context status").text
    assert not session.command("/complete_goal Secret").ok
    assert session.command("/complete_goal 2").ok


def test_a_session_whose_title_is_not_unique(store: ContextStore) -> None:
    first, second = store.start(title="Twin towns"), store.start(title="Twin towns")
    answer = store.start().command("/context restore twin towns")
    assert {row["id"] for row in answer.data["candidates"]} == {str(first.id), str(second.id)}


def test_a_session_that_is_not_there(store: ContextStore) -> None:
    answer = store.start().command("/context restore no such session at all")
    assert (answer.ok, answer.data) == (False, {"error": "unknown-session"})


def test_a_question_that_is_not_open_is_not_taken_for_an_answer(store: ContextStore) -> None:
    session = store.start()
    session.work.ask("Which port?")
    refused = session.command("/answer Q-99 8080")
    assert not refused.ok
    assert refused.data["candidates"] == [{"id": "Q-2", "text": "Which port?"}]
    assert session.version == 2
    assert session.command("/answer 8080 is the port").data == {"question": 2, "answer": "8080 is the port"}


def test_a_pinned_item_that_is_private_to_others_is_not_told(store: ContextStore) -> None:
    session = store.start()
    reviewer = session.by("reviewer")
    for text in ("the tests are thin", "the docs are thin"):
        reviewer.items.pin(reviewer.items.save("note", text))
    for who in (session, session.by("coder")):
        answer = who.command("/unpin thin")
        assert not answer.ok
        assert "thin" not in answer.text.replace("“thin”", "")
        assert answer.data["candidates"] == []
    assert len(reviewer.command("/unpin thin").data["candidates"]) == 2
    assert reviewer.command("/unpin the docs").ok


@pytest.mark.parametrize(
    "said", ["Which port? 8080", "which PORT? 8080", "Q-2 8080", "Q2 8080", '"Which port?" 8080']
)
def test_a_question_by_id_or_text(said: str, store: ContextStore) -> None:
    session = store.start()
    session.work.ask("Which port?")
    session.work.ask("Which port? And on which host?")
    done = session.command(f"/answer {said}")
    assert (done.data["question"], done.data["answer"]) == (2, "8080")


def test_what_only_looks_like_an_id_is_an_answer(store: ContextStore) -> None:
    session = store.start()
    session.work.ask("In which quarter?")
    assert session.command("/answer Q3 or later").data["answer"] == "Q3 or later"
