"""Decisions that the state no longer holds are one query away."""

from typing import Any

from backstory.domain.state import DECISIONS_KEPT


def test_all_decisions_can_be_paged(any_store: Any) -> None:
    session = any_store.start()
    with session.atomic() as tx:
        for number in range(DECISIONS_KEPT + 10):
            tx.decide(f"decision {number}")
    assert len(session.state.decisions) == DECISIONS_KEPT
    newest = session.decisions.list(limit=40)
    older = session.decisions.list(before=newest[-1].id, limit=40)
    assert len(newest) + len(older) == DECISIONS_KEPT + 10
    assert session.text(older[-1].id) == "decision 0"
    assert newest[0].id > newest[1].id
