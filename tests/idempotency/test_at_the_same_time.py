import threading

import pytest

from backstory.application.identifiers import new_session_id

WRITES = {
    "blind": lambda s, on: s.message("hello"),
    "guarded": lambda s, on: s.work.complete_goal(on),
    "exact": lambda s, on: s.backtrack(1, "again"),
    "atomic": lambda s, on: s.atomically(lambda tx: (tx.message("a"), tx.work.complete_goal(on))) and "done",
    "encoding": lambda s, on: s.window.configure(encoding="cl100k_base"),
}


def together(count, work):
    """What each of several threads gets for the same work, begun at the same time."""
    barrier = threading.Barrier(count)
    outcomes = []

    def run():
        barrier.wait()
        try:
            outcomes.append(work())
        except BaseException as error:
            outcomes.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_requests_under_one_key_are_one_append(any_store, write):
    for turn in range(3):
        session = any_store.start()
        goal = session.work.set_goal("goal")
        handles = iter([any_store.session(session.id).once(f"k{turn}") for _ in range(5)])
        outcomes = together(5, lambda handles=handles, goal=goal: write(next(handles), goal))
        assert len(set(map(repr, outcomes))) == 1, outcomes
        assert not isinstance(outcomes[0], BaseException), outcomes
        appended = session.version - 2
        assert appended == (2 if write in (WRITES["atomic"], WRITES["encoding"]) else 1)
        assert session.verify().ok


def test_sessions_started_under_one_id_are_one(any_store):
    id = new_session_id()
    outcomes = together(5, lambda: any_store.start(id).id)
    assert outcomes == [id] * 5
    assert any_store.session(id).version == 1


def test_forks_under_one_id_are_one(any_store):
    session = any_store.start()
    id = new_session_id()
    outcomes = together(4, lambda: session.fork(1, id=id).id)
    assert outcomes == [id] * 4
    assert any_store.session(id).version == 2
