"""An item that left its window before a fork began can come back in the fork."""

from typing import Any


def test_it_comes_back_with_what_it_was(any_store: Any) -> None:
    session = any_store.start()
    message = session.by("ann").message("keep me in mind")
    session.tool_call("ls", {}, call_id="c")
    exchange = session.version
    session.tool_result("c", "a.txt")
    before = session.state.items
    session.remove(message, exchange)
    fork = session.fork()
    assert fork.state.items == {}

    fork.bring_back(message, exchange)

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
    first = session.checkpoint("before")
    fork = session.fork()
    second = fork.checkpoint("after")
    session.checkpoint("elsewhere")
    assert [(mark.version, mark.name) for mark in fork.checkpoints()] == [
        (first, "before"),
        (second, "after"),
    ]
