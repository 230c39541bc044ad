"""Changes that depend on the state, among writers that never stop."""

import threading

import pytest

from backstory.domain.commands import items, work
from backstory.domain.errors import ItemNotLive, NoLiveCall
from tests.concurrency.writers import say_on_any_branch
from tests.waiting import until


@pytest.fixture
def slowly(monkeypatch):
    """Makes a command so slow that a number of other events come between its look at the state and its append."""

    def make(module, name, session, events=20):
        calls = []
        command = getattr(module, name)

        def slow(state, **wish):
            decided = command(state, **wish)
            calls.append(state.version)
            if len(calls) == 1:
                until(lambda: session.version >= state.version + events)
            return decided

        slow.__name__ = name
        monkeypatch.setattr(module, name, slow)
        return calls

    return make


@pytest.mark.parametrize(
    ("module", "command", "prepare", "change"),
    [
        (
            work,
            "complete_action",
            lambda s: s.work.add_action("do"),
            lambda s, action: s.work.complete_action(action),
        ),
        (
            work,
            "update_goal",
            lambda s: s.work.set_goal("goal"),
            lambda s, goal: s.work.update_goal(goal, text="new"),
        ),
        (
            work,
            "answer_question",
            lambda s: s.work.ask("why?"),
            lambda s, item: s.work.answer(item, "because"),
        ),
        (items, "remove_items", lambda s: s.message("old"), lambda s, item: s.items.remove(item)),
        (
            items,
            "answer_calls",
            lambda s: s.tool_call("t", {}, call_id="c"),
            lambda s, item: s.tool_result("c", "result"),
        ),
    ],
    ids=["complete_action", "update_goal", "answer", "remove", "tool_result"],
)
def test_a_slow_change_is_not_lost_to_unrelated_messages(
    store, busy, slowly, module, command, prepare, change
):
    session = store.start()
    item = prepare(session)
    calls = slowly(module, command, session)
    with busy(session, threads=3):
        version = change(session, item)
    assert len(calls) <= 2, "decided on the cached state and on the newest: what came between does not matter"
    assert version > calls[0] + 20
    assert session.verify().ok


def test_of_two_who_complete_one_goal_the_second_is_told(store, slowly):
    session = store.start()
    goal = session.work.set_goal("goal")
    other = store.session(session.id)
    calls = slowly(work, "complete_goal", session, events=1)
    outcomes = []

    def complete():
        try:
            outcomes.append(session.work.complete_goal(goal))
        except ItemNotLive as error:
            outcomes.append(error)

    first = threading.Thread(target=complete)
    first.start()
    until(lambda: calls)
    other.items.remove(goal)
    first.join()
    (outcome,) = outcomes
    assert len(calls) == 2, "decided again, on the state in which the goal's item has left the window"
    assert outcome == session.version
    assert goal not in session.state.goals


@pytest.mark.parametrize(
    "change",
    [
        lambda s, item: s.items.remove(item) and s.items.bring_back(item),
        lambda s, item: s.backtrack(s.version - 1, "again"),
        lambda s, item: s.window.configure(encoding="cl100k_base" if item % 2 else None),
        lambda s, item: s.erase(s.message("secret"), "law"),
        lambda s, item: s.fork(),
        lambda s, item: s.work.complete_goal(s.work.set_goal("with whatever is below it")),
    ],
    ids=["bring_back", "backtrack", "configure_window", "erase", "fork", "complete_goal"],
)
def test_a_change_that_needs_the_exact_version_goes_through_among_eight_writers(store, busy, change):
    session = store.start()
    item = session.message("first")
    with busy(session):
        for _ in range(3):
            change(session.refresh(), item)
    assert session.verify().ok


def test_processes_that_accept_each_backtrack_lose_nothing(store, url, processes):
    session = store.start()
    work = [processes.submit(say_on_any_branch, url, session.id, who, 60) for who in range(8)]
    backtracks = 0
    while not all(job.done() for job in work):
        if session.version > 1:
            session.backtrack(1, "once more")
            backtracks += 1
    for job in work:
        job.result()
    assert backtracks
    assert len(list(session.events(types=["message.added"]))) == 480
    assert session.version == 1 + 480 + backtracks
    assert session.epoch == backtracks
    assert session.verify().ok


def test_two_agents_update_goals_at_once_and_both_succeed(store):
    session = store.start()
    goals = [session.work.set_goal("one"), session.work.set_goal("two"), session.work.set_goal("shared")]
    together = threading.Barrier(2)
    failed = []

    def work_on(number):
        mine = store.session(session.id).by(f"agent-{number}")
        try:
            for turn in range(15):
                together.wait()
                mine.work.update_goal(goals[number], text=f"{number}: {turn}", status="in-progress")
                together.wait()
                mine.work.update_goal(goals[2], text=f"shared: {number}: {turn}")
        except BaseException as error:
            failed.append(error)
            together.abort()

    agents = [threading.Thread(target=work_on, args=(number,)) for number in range(2)]
    for agent in agents:
        agent.start()
    for agent in agents:
        agent.join()
    assert not failed
    state = session.state
    assert [session.items.text_at(state.goals[goal].text) for goal in goals[:2]] == ["0: 14", "1: 14"]
    assert session.items.text_at(state.goals[goals[2]].text) in ("shared: 0: 14", "shared: 1: 14")
    assert session.version == 4 + 60
    assert session.verify().ok


def test_of_two_results_of_one_call_one_is_recorded(store):
    session = store.start()
    for turn in range(10):
        session.tool_call("t", {}, call_id=f"c{turn}")
        together = threading.Barrier(2)
        outcomes = []

        def answer(call=f"c{turn}", together=together, outcomes=outcomes):
            mine = store.session(session.id)
            together.wait()
            try:
                mine.tool_result(call, "result")
                outcomes.append("recorded")
            except NoLiveCall:
                outcomes.append("refused")

        threads = [threading.Thread(target=answer) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["recorded", "refused"]
    assert not session.state.open_calls


def test_a_sub_goal_that_came_meanwhile_is_closed_with_its_parent(store, monkeypatch):
    session = store.start()
    goal = session.work.set_goal("goal")
    decide = work.complete_goal
    added = []

    def complete_goal(state, **wish):
        decided = decide(state, **wish)
        if not added:
            added.append(store.session(session.id).work.set_goal("below", parent=goal))
        return decided

    monkeypatch.setattr(work, "complete_goal", complete_goal)
    session.work.complete_goal(goal)
    assert session.state.goals == {}
    assert added[0] not in session.state.items
    assert session.verify().ok
