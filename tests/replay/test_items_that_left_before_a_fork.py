"""An item that left its window before a fork began can come back in the fork."""

from datetime import UTC, datetime
from typing import Any

import pytest


def test_it_comes_back_with_what_it_was(any_store: Any) -> None:
    session = any_store.start()
    message = session.by("ann").message("keep me in mind")
    session.tool_call("ls", {}, call_id="c")
    exchange = session.version
    session.tool_result("c", "a.txt")
    before = session.state.items
    session.items.remove(message, exchange)
    fork = session.fork()
    assert fork.state.items == {}

    fork.items.bring_back(message, exchange)

    assert fork.text(message) == "keep me in mind"
    assert [item._replace(changed=0) for item in fork.state.items.values()] == [
        item._replace(changed=0) for item in before.values()
    ]
    assert fork.verify().problem is None
    fork.backtrack(fork.version - 1, "again")
    assert fork.state.items == {}
    assert fork.verify().problem is None


def test_inherited_checkpoints_are_listed(any_store: Any) -> None:
    session = any_store.start()
    first = session.checkpoints.create("before")
    fork = session.fork()
    second = fork.checkpoints.create("after")
    session.checkpoints.create("elsewhere")
    assert [(mark.version, mark.name) for mark in fork.checkpoints.list()] == [
        (first, "before"),
        (second, "after"),
    ]


@pytest.mark.parametrize("year", [1, 1600, 2999, 9999])
def test_far_off_times_come_back_to_the_microsecond(store: Any, year: int) -> None:
    session = store.start()
    long_ago = datetime(year, 7, 8, 9, 10, 11, 123457, tzinfo=UTC)
    message = session.occurred(long_ago).message("when?")
    session.items.remove(message)
    fork = session.fork()
    fork.items.bring_back(message)
    assert fork.state.items[message].brought_at == long_ago
    assert fork.verify().problem is None
