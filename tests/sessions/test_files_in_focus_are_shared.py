"""Agents add files to the focus and remove them, and none overwrites another's."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from backstory import ContextStore
from backstory.domain.errors import InvalidInput
from backstory.domain.state import FOCUSED_FILES_KEPT


def files(session: Any) -> tuple[str, ...]:
    return session.state.focus.files


def test_files_are_added_and_removed(any_store: Any) -> None:
    session = any_store.start()
    session.by("ana").progress.focus(["a.py", "b.py"], last_edited="a.py", current_function="parse")
    session.by("ben").progress.focus(["c.py", "a.py"])
    assert session.state.focus == (("c.py", "a.py", "b.py"), "a.py", "parse")
    session.by("ben").progress.focus(remove=["a.py", "gone.py"])
    assert session.state.focus == (("c.py", "b.py"), None, None)


def test_another_file_is_edited_in_no_function_yet(store: ContextStore) -> None:
    session = store.start()
    session.progress.focus(["a.py"], last_edited="a.py", current_function="parse")
    session.progress.focus(last_edited="b.py")
    assert session.state.focus == (("a.py",), "b.py", None)


def test_agents_at_the_same_time_lose_none(store: ContextStore) -> None:
    session = store.start()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: session.by(f"agent-{n}").progress.focus([f"{n}.py"]), range(24)))
    assert set(files(session)) == {f"{n}.py" for n in range(24)}


def test_the_oldest_leave_a_list_that_is_too_long(store: ContextStore) -> None:
    session = store.start()
    session.progress.focus(["old.py"])
    session.progress.focus([f"{n}.py" for n in range(FOCUSED_FILES_KEPT)])
    assert len(files(session)) == FOCUSED_FILES_KEPT
    assert "old.py" not in files(session)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "focus"),
        ({"files": ["a.py"], "remove": ["a.py"]}, "remove"),
        ({"files": [""]}, "files"),
        ({"remove": ["\n"]}, "remove"),
        ({"remove": "a.py"}, "remove"),
        ({"files": [7]}, "files"),
        ({"files": [["a.py"]]}, "files"),
    ],
    ids=str,
)
def test_what_cannot_be_focused_is_refused(store: ContextStore, given: dict[str, Any], field: str) -> None:
    session = store.start()
    with pytest.raises(InvalidInput, match=f"^{field}"):
        session.progress.focus(**given)
    assert session.version == 1


def test_by_command(store: ContextStore) -> None:
    session = store.start()
    session.command('/focus src/a.py "with blank.py" /etc/hosts')
    assert files(session) == ("src/a.py", "with blank.py", "/etc/hosts")
    assert session.command("/unfocus src/a.py /etc/hosts").ok
    assert files(session) == ("with blank.py",)
    assert not session.command("/unfocus other.py").ok
