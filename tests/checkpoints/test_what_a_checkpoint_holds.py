"""A checkpoint records what a restore is held to."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from backstory import ContextStore, InvalidInput
from backstory.domain.events import CheckpointTaken
from backstory.domain.events.base import decode_body
from backstory.domain.fold.evolve import FOLD_VERSION


def body_of(session: Any, version: int) -> CheckpointTaken:
    (event,) = session.events(after=version - 1, upto=version)
    assert isinstance(event.body, CheckpointTaken)
    return event.body


def test_the_state_tasks_numbers_and_conversation(any_store: Any) -> None:
    session = any_store.start(limit=1000)
    first = session.message("hello")
    session.work.start_task("T-1", "write the parser")
    session.work.start_task("T-2", "write the printer")
    session.work.complete_task("T-1")
    session.progress.set_phase("build")
    last = session.message("go on")
    session.progress.file_updated("a.py", checksum="sha256:00")
    before = session.state
    taken = body_of(session, session.checkpoints.create("here", triggers=["by hand"]))
    assert (taken.name, taken.triggers) == ("here", ("by hand",))
    assert (taken.state_at, taken.state_sha256) == (before.version, before.digest())
    assert taken.fold_version == FOLD_VERSION
    assert (taken.phase, taken.current_task) == ("build", "T-2")
    assert (taken.open_tasks, taken.completed_tasks) == (("T-2",), ("T-1",))
    assert taken.conversation == f"{first},{last}"
    assert taken.files == {"a.py": "sha256:00"}
    assert taken.metrics["tokens"] == before.tokens
    assert (taken.metrics["limit"], taken.metrics["messages"]) == (1000, 2)
    assert taken.metrics["counter:tasks_completed"] == 1


def test_files_below_a_root_are_read(store: ContextStore, tmp_path: Path) -> None:
    for name in ("named.py", "focused.py", "needed.py", "updated.py", "other.py"):
        (tmp_path / name).write_text(name)
    session = store.start()
    session.progress.focus(["focused.py", "gone.py"])
    session.work.start_task("T-1", "x", depends_on_files=["needed.py"])
    session.progress.file_updated("updated.py", checksum="as the caller counts")
    taken = body_of(session, session.checkpoints.create("here", files=["named.py"], root=tmp_path))
    assert set(taken.files) == {"named.py", "focused.py", "needed.py", "updated.py"}
    assert taken.files["named.py"] == "sha256:" + hashlib.sha256(b"named.py").hexdigest()


def test_files_need_a_root(store: ContextStore) -> None:
    session = store.start()
    with pytest.raises(InvalidInput, match="files: must come with a root"):
        session.checkpoints.create("here", files=["a.py"])
    assert session.checkpoints.list() == []


def test_one_that_was_taken_together_with_other_changes_has_its_name_alone(store: ContextStore) -> None:
    session = store.start()
    with session.atomic() as transaction:
        transaction.message("hello")
        transaction.checkpoints.create("here")
    assert body_of(session, session.version) == CheckpointTaken(name="here")
    assert session.checkpoints.restore("here").state_verified is None


def test_one_of_the_first_schema_is_read_as_it_is_now() -> None:
    old = decode_body("checkpoint.taken", 1, b'{"name":"here","triggers":["by hand"]}')
    assert old == CheckpointTaken(name="here", triggers=("by hand",))


def test_under_its_key_it_is_taken_once(store: ContextStore) -> None:
    session = store.start()
    first = session.once("k").checkpoints.create("here")
    session.message("meanwhile")
    assert session.once("k").checkpoints.create("here") == first
    assert len(session.checkpoints.list()) == 1
