"""Decisions in messages, and what is to be remembered, are noticed when the next context is asked for."""

import threading

import pytest

from backstory.domain.errors import ItemNotLive
from backstory.domain.policies.assembly import AssemblyPolicy


def test_a_decision_is_noticed_once(any_store):
    session = any_store.start()
    message = session.by("ana").message("We'll go with RS256 because services only need the public key.")
    for _ in range(3):
        session.context(4_000)
    (noticed,) = session.decisions.candidates()
    assert (noticed.noticed_in, noticed.decided_by) == (message, "ana")
    assert (noticed.text, noticed.rationale) == ("go with RS256", "services only need the public key")


def test_a_candidate_takes_no_place_among_decisions(any_store):
    session = any_store.start()
    session.by("ana").message("We'll go with RS256 because services only need the public key.")
    session.context(4_000)
    (candidate,) = session.decisions.candidates()
    state = session.state
    assert (state.decisions, state.decision_count, session.decisions.list()) == ([], 0, [])
    assert candidate.id not in state.items
    assert session.context(4_000).items("rules") == ()
    assert session.views.hot_context()["key_decisions"] == []
    session.summarize()
    assert "Key decisions" not in session.text(session.state.summary.item)


def test_a_candidate_changes_no_prompt(store):
    prompts, chosen = [], []
    for notice in (True, False):
        session, policy = store.start(), AssemblyPolicy(notice=notice)
        session.message("We'll go with RS256 because services only need the public key.")
        for number in range(3):
            session.message(f"Something else {number}.")
            context = session.context(4_000, policy=policy)
        prompts.append(context.messages)
        chosen.append(len(session.decisions.candidates()))
    assert chosen == [1, 0]
    assert prompts[0] == prompts[1]


def test_what_was_decided_before_is_not_decided_again(store):
    session = store.start()
    session.message("We'll go with RS256.")
    session.context(4_000)
    session.message("As I said: we'll go with RS256.")
    session.message("We'll go with RS256!")
    session.context(4_000)
    assert len(session.state.candidates) == 1


def test_a_noticed_decision_can_be_confirmed(any_store):
    session = any_store.start()
    session.message("We'll go with RS256.")
    session.context(4_000)
    (noticed,) = session.decisions.candidates()
    decision = session.by("boss").decisions.confirm(noticed.id)
    (confirmed,) = session.state.decisions
    assert (confirmed.id, confirmed.decided_by, confirmed.recorded_by) == (decision, "user", "boss")
    assert session.decisions.candidates() == []
    assert session.context(4_000).items("rules") == (decision,)
    assert session.text(decision) == noticed.text
    session.context(4_000)
    assert session.decisions.candidates() == []
    with pytest.raises(ItemNotLive, match="does not wait"):
        session.decisions.dismiss(noticed.id)


def test_a_noticed_decision_can_be_dismissed(any_store):
    session = any_store.start()
    session.message("We'll go with RS256.")
    session.context(4_000)
    (noticed,) = session.decisions.candidates()
    session.decisions.dismiss(noticed.id, why="only an idea")
    assert session.decisions.candidates() == []
    session.context(4_000)
    assert session.decisions.candidates() == []
    assert session.decisions.list() == []


def test_a_recorded_decision_cannot_be_dismissed(store):
    session = store.start()
    decision = session.decide("Use RS256")
    with pytest.raises(ItemNotLive, match="does not wait"):
        session.decisions.dismiss(decision)


def test_remember_this_pins(any_store):
    session = any_store.start()
    pinned = session.message("Remember this: the issuer is id.example.org.")
    for number in range(40):
        session.message(f"something else {number} " + "word " * 100)
    context = session.context(4_000)
    assert session.state.pins.keys() == {pinned}
    assert context.items("pins") == (pinned,)
    session.items.unpin(pinned)
    assert session.context(4_000).items("pins") == ()


def test_two_who_look_at_once_notice_it_once(store):
    session = store.start()
    session.message("We'll go with RS256. We'll also go with Redis for the keys. Remember this.")
    barrier = threading.Barrier(4)

    def ask():
        handle = store.session(session.id)
        barrier.wait(30)
        handle.context(4_000)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    texts = [candidate.text for candidate in session.decisions.candidates()]
    assert len(texts) == len(set(texts)) > 0
    assert len(list(session.events(types=["item.pinned"]))) == 1


def test_a_policy_may_notice_nothing(store):
    session = store.start()
    session.message("We'll go with RS256. Remember this.")
    session.context(4_000, policy=AssemblyPolicy(notice=False))
    assert session.state.candidates == []
    assert session.state.pins == {}


def test_entities_are_counted_and_linked(any_store):
    session = any_store.start()
    first = session.message("Look at auth/jwt.py, please.")
    second = session.message("auth/jwt.py raises ValueError in validate_token().")
    session.tool_call("read", {"path": "auth/keys.py"}, call_id="1")
    session.tool_result("1", "ok")
    found = {entity.name: entity for entity in session.views.entities()}
    assert (found["auth/jwt.py"].count, found["auth/jwt.py"].items) == (2, (first, second))
    assert {"ValueError", "validate_token", "auth/keys.py"} <= found.keys()
    assert "auth/jwt.py" in session.context(4_000).messages[-1]["content"]


def test_two_agents_share_goals_and_questions_with_attribution(store):
    session = store.start()
    barrier = threading.Barrier(2)

    def work(agent):
        handle = store.session(session.id).by(agent)
        barrier.wait(30)
        for number in range(10):
            goal = handle.work.set_goal(f"{agent} {number}")
            handle.work.update_goal(goal, status="in-progress")
            handle.work.ask(f"{agent} asks {number}?")

    threads = [threading.Thread(target=work, args=[agent]) for agent in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    state = session.state
    assert [goal.status for goal in state.goals.values()] == ["in-progress"] * 20
    assert sorted(goal.agent for goal in state.goals.values()) == ["a"] * 10 + ["b"] * 10
    shown = session.by("a").context(20_000).messages[-1]["content"]
    assert "set by b" in shown
    assert "asked by b" in shown
