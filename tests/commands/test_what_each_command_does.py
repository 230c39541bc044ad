"""Every command does to the session what its table says, on every form of the store."""

from typing import Any
from uuid import uuid4

import pytest

from backstory.application.chat.table import HANDLERS
from backstory.application.store import ContextStore
from backstory.domain.context_document.commands import OFFERS


def texts(session: Any, places: Any) -> list[str]:
    return [session.items.text_at(place) for place in places]


def test_every_command_of_the_table_has_a_handler() -> None:
    assert list(HANDLERS) == [offer.command for offer in OFFERS]


def test_goals_are_set_and_completed(any_store: Any) -> None:
    session = any_store.start()
    done = session.command("/set_goal Implement JWT")
    (goal,) = done.events
    assert (done.ok, done.command, done.data) == (True, "/set_goal", {"goal": goal, "text": "Implement JWT"})
    assert texts(session, [session.state.goals[goal].text]) == ["Implement JWT"]
    assert "/complete_goal" in done.available
    closed = session.command(f"/complete_goal GOAL-{goal}")
    assert closed.ok
    assert session.state.goals == {}
    assert "/complete_goal" not in closed.available


def test_a_decision_with_its_rationale(store: ContextStore) -> None:
    session = store.start()
    session.by("ana").command("/log_decision Use RS256 because better for distributed systems")
    assert session.text(2) == "Use RS256\nbetter for distributed systems"
    assert session.state.decisions[0].decided_by == "ana"


def test_a_decision_without_a_rationale(store: ContextStore) -> None:
    session = store.start()
    assert session.command("/log_decision Use RS256").data["rationale"] is None
    assert session.text(2) == "Use RS256"


def test_what_is_remembered_is_shared_and_pinned(store: ContextStore) -> None:
    session = store.start()
    done = session.by("coder").command("/remember The port is 8080")
    note = done.data["item"]
    assert done.events == (note, note + 1)
    assert note in session.state.pins
    item = session.state.items[note]
    assert (item.type, item.private, session.text(note)) == ("note", False, "The port is 8080")
    assert session.command("/unpin the port").ok
    assert note not in session.state.pins


def test_constraints_come_and_go(store: ContextStore) -> None:
    session = store.start()
    session.command("/add_constraint Token TTL must be exactly 1 hour")
    assert texts(session, session.state.constraints.values()) == ["Token TTL must be exactly 1 hour"]
    assert session.command("/remove_constraint token ttl because it was wrong").ok
    assert session.state.constraints == {}


def test_actions_and_questions(store: ContextStore) -> None:
    session = store.start()
    session.command("/add_action Update the docs")
    session.command("/ask Which port?")
    assert session.command("/complete_action ACT-2").ok
    answered = session.command("/answer 8080")
    assert answered.data == {"question": 4, "answer": "8080"}
    assert (session.state.actions, session.state.questions) == ({}, {})


@pytest.mark.parametrize(
    "said", ["/answer Q-3 no", "/answer 3 no", '/answer "Second?" no', "/answer Q-3\nno"]
)
def test_one_of_several_questions_is_answered(said: str, store: ContextStore) -> None:
    session = store.start()
    session.work.ask("First?")
    session.work.ask("Second?")
    assert session.command(said).data == {"question": 3, "answer": "no"}


def test_which_of_several_questions_must_be_said(store: ContextStore) -> None:
    session = store.start()
    session.work.ask("First?")
    session.work.ask("Second?")
    before = session.version
    refused = session.command("/answer no")
    assert not refused.ok
    assert [row["id"] for row in refused.data["candidates"]] == ["Q-2", "Q-3"]
    assert session.version == before


def test_noticed_decisions_are_confirmed_and_dismissed(store: ContextStore) -> None:
    session = store.start()
    session.message("We decided to use Postgres because it is there.")
    session.message("We decided to use Redis for the cache.")
    session.context(8000)
    first, second = (candidate.id for candidate in session.state.candidates)
    confirmed = session.command(f"/confirm_decision DEC-{first}")
    assert confirmed.ok
    assert session.command("/dismiss_decision Redis because we did not").ok
    assert [note.id for note in session.state.decisions] == [confirmed.data["decision"]]
    assert session.state.candidates == []
    gone = session.command(f"/confirm_decision {second}")
    assert (
        gone.text
        == "/confirm_decision is available when a noticed decision was neither confirmed nor dismissed."
    )


def test_status_tells_the_working_state(store: ContextStore) -> None:
    session = store.start(title="Login", limit=1000)
    session.work.set_goal("Implement JWT", status="in-progress")
    session.work.add_constraint("TTL 1 hour")
    session.progress.focus(["auth/jwt.py"], last_edited="auth/jwt.py")
    before = session.version
    shown = session.command("/context status")
    assert shown.events == ()
    assert session.version == before
    assert shown.data["active_goals"][0]["goal"] == "Implement JWT"
    assert shown.data["current_file_context"]["last_edited"] == "auth/jwt.py"
    for line in ("Login (open", "[in-progress] Implement JWT", "auth/jwt.py", "TTL 1 hour"):
        assert line in shown.text


def test_the_summary_is_shown_once_there_is_one(store: ContextStore) -> None:
    session = store.start()
    session.message("Implement JWT in auth/jwt.py.")
    assert session.command("/context summary").data == {"summary": None}
    session.summarize()
    shown = session.command("/context summary")
    assert shown.text == shown.data["summary"] == session.views.summary()


def test_archive_ends_the_session_and_keeps_it(store: ContextStore) -> None:
    session = store.start()
    session.message("Implement JWT.")
    done = session.command('/context archive --title="Session Title"')
    assert done.data["title"] == "Session Title"
    found = store.summary(session.id)
    assert (found.title, found.titled, found.status) == ("Session Title", True, "ended")
    assert session.command("/resume").ok
    assert session.state.status == "open"


def test_archive_without_a_title_keeps_the_one_there_is(store: ContextStore) -> None:
    session = store.start()
    session.message("Implement JWT.")
    assert session.command("/context archive").data["title"] == "Implement JWT"
    assert not store.summary(session.id).titled


def test_restore_by_id_and_by_title(store: ContextStore) -> None:
    other = store.start(title="The one about zebras")
    other.work.set_goal("Count stripes")
    other.end()
    session = store.start()
    for reference in (other.id, "the one about zebras"):
        done = session.command(f"/context restore {reference}")
        assert done.data["session"] == str(other.id)
        assert done.data["goals"][0]["text"] == "Count stripes"
    assert other.state.status == "open"
    assert session.version == 1


def test_backtrack_fork_and_verify(store: ContextStore) -> None:
    session = store.start()
    session.message("one")
    session.message("two")
    back = session.command("/backtrack 2 because two was wrong")
    assert list(session.state.items) == [2]
    session.message("three")  # the handle goes on after its own backtrack
    forked = session.command("/fork Another way")
    assert store.summary(forked.data["session"]).title == "Another way"
    assert back.events == (4,)
    assert session.command("/verify").data == {"intact": True}


class TestFacilitator:
    def test_status_names_the_project(self, store: ContextStore) -> None:
        session = store.start(project="ForgeMind")
        session.progress.set_layer(1)
        session.progress.set_clarity(85)
        shown = session.command("facilitator status")
        assert shown.text.startswith("ForgeMind: layer 1 MODULE, clarity 85 %")
        assert shown.data["project"]["clarity"] == 85

    def test_clarify_sets_the_phase_and_asks(self, store: ContextStore) -> None:
        session = store.start()
        done = session.command("facilitator clarify Which layer?")
        assert session.state.phase == "clarify"
        assert [row["text"] for row in done.data["questions"]] == ["Which layer?"]
        again = session.command("facilitator clarify")
        assert again.events == ()
        assert [row["text"] for row in again.data["questions"]] == ["Which layer?"]

    def test_the_idea_is_saved_anew(self, store: ContextStore) -> None:
        session = store.start()
        session.details.set_project("P", current_idea="IDEA-001")
        assert "facilitator update idea" not in session.command("/help").available
        old = session.items.save(
            "idea", "An AI tool", artifact="IDEA-001", name="AI Tool", path="idea.md", load_layer=2
        )
        done = session.command("facilitator update idea An AI tool\nwith a plan")
        assert done.data["replaced"] == [old]
        assert old not in session.state.items
        assert session.text(done.data["item"]) == "An AI tool\nwith a plan"
        rows = [row for row in session.views.current_context()["loaded_artifacts"] if row["id"] == "IDEA-001"]
        assert [(row["loaded"], row["name"], row["path"]) for row in rows] == [(True, "AI Tool", "idea.md")]

    def test_backtrack_goes_to_the_layer_before_and_its_clarity(self, store: ContextStore) -> None:
        session = store.start()
        session.progress.set_clarity(95)
        session.progress.set_layer(1)
        session.progress.set_clarity(20)
        assert session.command("facilitator backtrack").data["clarity"] == 95
        assert (session.state.project_layer, session.state.clarity) == (0, 95)
        assert not session.command("facilitator backtrack").ok

    def test_end_session_sums_up_marks_and_ends(self, store: ContextStore) -> None:
        session = store.start()
        session.message("Implement JWT in auth/jwt.py.")
        done = session.command("facilitator end session")
        assert session.state.status == "ended"
        assert session.views.summary() is not None
        assert [mark.name for mark in session.checkpoints.list()] == ["session end"]
        assert done.events == (done.data["summary"], done.data["checkpoint"], done.data["ended"])

    def test_a_slash_may_stand_before_it(self, store: ContextStore) -> None:
        assert store.start().command("/facilitator status").command == "facilitator status"


@pytest.mark.parametrize("typed", ["facilitator end session", "facilitator backtrack"])
def test_a_checkpoint_of_the_whole_state_is_taken_first(any_store: Any, typed: str) -> None:
    session = any_store.start(limit=1000)
    session.progress.set_layer(2)
    session.work.start_task("T-1", "write the parser")
    answer = session.command(typed)
    taken = answer.data["checkpoint"]
    (event,) = session.events(after=taken - 1, upto=taken)
    before = session.at(taken - 1)
    assert (event.body.state_at, event.body.state_sha256) == (before.version, before.digest())
    assert event.body.open_tasks == ("T-1",)
    assert session.checkpoints.restore(taken).state_verified
    assert (session.state.status, session.state.project_layer) == ("open", 2)


def test_what_is_remembered_in_a_project_is_recalled_in_its_other_sessions(any_store: Any) -> None:
    name = f"harbours-{uuid4()}"
    session, other = any_store.start(project=name), any_store.start(project=name)
    done = session.by("ana").command("/remember The gateway runs on port 8080")
    found = other.command("/recall port of the gateway")
    (memory,) = found.data["memories"]
    assert memory["memory"] == done.data["memory"]
    assert memory["sources"] == [{"session": str(session.id), "items": [done.data["item"]]}]
    assert f"M{memory['memory']}" in found.text
    assert found.events == ()
    assert other.command("/recall zeppelins").text == "The project remembers nothing of it."
    assert not any_store.start().command("/recall port").ok
