"""Redo takes back one backtrack after the other."""

from typing import Any

import pytest

from backstory import InvalidInput


def test_two_levels(any_store: Any) -> None:
    session = any_store.start()
    for word in ("two", "three", "four"):
        session.message(word)
    session.backtrack(3, "first")
    session.backtrack(2, "second")
    assert list(session.state.items) == [2]
    session.redo()
    assert list(session.state.items) == [2, 3]
    session.redo()
    assert list(session.state.items) == [2, 3, 4]
    with pytest.raises(InvalidInput, match="no backtrack to take back"):
        session.redo()
