"""A checkpoint's file holds everything, is verified without a database, and is restored into another one."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backstory import (
    CheckpointFile,
    ContextStore,
    InvalidInput,
    Session,
    SessionDiffers,
    VerificationFailed,
    audit_export,
)


@pytest.fixture
def session(store: ContextStore) -> Session:
    session = store.start(title="Parser", limit=4000)
    session.details.set_project("Compiler", id="P-1", current_idea="IDEA-1")
    session.progress.set_layer(1)
    session.progress.set_clarity(85)
    session.work.set_goal("Ship the parser")
    session.message("hello " * 200)
    session.tool_call("read", {"path": "a.py"}, call_id="c")
    session.tool_result("c", "x = 1")
    session.decide("Use recursive descent", rationale="it is simple")
    session.work.start_task("T-1", "write the lexer")
    session.work.start_task(
        "T-2",
        "write the parser",
        acceptance_criteria=["it parses itself"],
        depends_on_tasks=["T-1"],
        depends_on_files=["a.py"],
    )
    session.progress.file_updated("a.py", checksum="sha256:00")
    session.checkpoints.create("here", triggers=["by hand"])
    return session


@pytest.fixture
def elsewhere(new_database: Callable[[], str]) -> Iterator[ContextStore]:
    with ContextStore.open(new_database(), pool_size=4) as store:
        yield store


def test_it_holds_what_the_document_lists(session: Session, tmp_path: Path) -> None:
    file = CheckpointFile.load(session.checkpoints.save(tmp_path))
    assert file == session.checkpoints.file("here")
    state = session.state
    assert (file.session, file.version, file.name) == (session.id, state.version, "here")
    assert file.triggers == ("by hand",)
    snapshot = file.context_snapshot
    assert snapshot["sha256"] == state.digest()
    assert snapshot["state"] == json.loads(json.dumps(state.document()))
    texts = set(snapshot["texts"].values())
    assert {"Parser", "Ship the parser", "Use recursive descent", "it is simple"} <= texts
    system = file.system_state
    assert (system["project"]["name"], system["project"]["current_idea"]) == ("Compiler", "IDEA-1")
    assert (system["layer"], system["layer_name"], system["clarity"]) == (1, "MODULE", 85)
    first, second = file.task_queue
    assert (first["task"], first["text"], first["status"]) == ("T-1", "write the lexer", "open")
    assert second == {
        "task": "T-2",
        "status": "current",
        "text": "write the parser",
        "acceptance_criteria": ["it parses itself"],
        "depends_on_tasks": ["T-1"],
        "depends_on_files": ["a.py"],
        "started": second["started"],
    }
    assert (file.metrics["tokens"], file.metrics["limit"]) == (state.tokens, 4000)
    said = file.conversation_history
    assert [row["type"] for row in said] == ["message", "tool_exchange"]
    assert said[0]["content"].startswith("hello hello")
    assert len(said[0]["content"]) <= 400
    assert "x = 1" in said[1]["content"]
    assert file.file_checksums == {"a.py": "sha256:00"}


def test_the_event_stays_a_pointer(session: Session, tmp_path: Path) -> None:
    session.checkpoints.save(tmp_path)
    (event,) = session.events(after=session.version - 1)
    assert "write the parser" not in event.body.model_dump_json()


def test_it_is_verified_without_a_database(session: Session, tmp_path: Path) -> None:
    audit = audit_export(session.checkpoints.save(tmp_path)).require()
    assert audit.checkpoint == session.version


@pytest.mark.parametrize(
    ("section", "change"),
    [
        ("task_queue", lambda tasks: tasks[:1]),
        ("system_state", lambda system: {**system, "clarity": 99}),
        ("metrics", lambda metrics: {**metrics, "tokens": 1}),
        ("conversation_history", lambda said: []),
        ("file_checksums", lambda files: {"a.py": "sha256:11"}),
        ("context_snapshot", lambda snapshot: {**snapshot, "texts": {}}),
    ],
)
def test_a_section_that_the_record_does_not_say_is_found(
    session: Session, elsewhere: ContextStore, tmp_path: Path, section: str, change: Callable[[Any], Any]
) -> None:
    path = session.checkpoints.save(tmp_path)

    def altered(line: dict[str, Any]) -> None:
        line["document"][section] = change(line["document"][section])

    rewrite(path, altered)
    problem = audit_export(path).problem
    assert problem is not None
    assert problem.what == f"has another {section} than the record"
    with pytest.raises(VerificationFailed):
        elsewhere.restore_checkpoint(path)
    assert elsewhere.sessions() == []


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        ("chain", "0" * 64, "has another chain than its event"),
        ("checkpoint", 2, "is not one that the event took"),
        ("checkpoint", 99, "is not in the file's record"),
        ("taken", 1, "is not one that the event took"),
    ],
)
def test_a_place_that_is_none_is_found(
    session: Session, tmp_path: Path, field: str, value: Any, what: str
) -> None:
    path = session.checkpoints.save(tmp_path)
    rewrite(path, lambda line: line.update({field: value}))
    problem = audit_export(path).problem
    assert problem is not None
    assert problem.what == what


def test_it_is_restored_into_another_database(
    session: Session, elsewhere: ContextStore, tmp_path: Path
) -> None:
    named = session.state
    session.message("go on")
    session.work.complete_task("T-2")
    path = session.checkpoints.save(tmp_path)
    done = elsewhere.restore_checkpoint(path, root=tmp_path)
    assert (done.session, done.name, done.state_verified, done.went_back) == (session.id, "here", True, True)
    assert [(one.path, one.kind) for one in done.files] == [("a.py", "missing")]
    there = elsewhere.session(session.id)
    now = there.state
    assert (now.items, now.tasks, now.current_task, now.clarity) == (
        named.items,
        named.tasks,
        named.current_task,
        named.clarity,
    )
    assert there.text(min(item.id for item in now.live())) == session.text(
        min(item.id for item in named.live())
    )
    there.verify().require()


def test_nothing_that_came_later_is_needed(session: Session, elsewhere: ContextStore, tmp_path: Path) -> None:
    done = elsewhere.restore_checkpoint(session.checkpoints.save(tmp_path))
    assert (done.version, done.went_back) == (session.version, False)


def test_in_its_own_database_it_goes_back(store: ContextStore, session: Session, tmp_path: Path) -> None:
    path = session.checkpoints.save(tmp_path)
    session.message("go on")
    assert store.restore_checkpoint(path, why="again").went_back
    assert store.session(session.id).checkpoints.restore(path).state_verified


def test_a_session_with_another_history_is_refused(
    session: Session, elsewhere: ContextStore, tmp_path: Path
) -> None:
    elsewhere.start(session.id).message("mine")
    with pytest.raises(SessionDiffers):
        elsewhere.restore_checkpoint(session.checkpoints.save(tmp_path))


def test_an_inherited_one(session: Session, elsewhere: ContextStore, tmp_path: Path) -> None:
    fork = session.fork()
    fork.message("elsewhere")
    done = elsewhere.restore_checkpoint(fork.checkpoints.save(tmp_path, "here"))
    assert (done.session, done.checkpoint, done.went_back) == (fork.id, session.version, True)


def test_what_was_erased_is_null(session: Session, elsewhere: ContextStore, tmp_path: Path) -> None:
    (message,) = [item.id for item in session.state.live() if item.type == "message"]
    session.erase(message, "personal data")
    file = session.checkpoints.file("here")
    assert [row["content"] is None for row in file.conversation_history] == [True, False]
    elsewhere.restore_checkpoint(session.checkpoints.save(tmp_path, "here"))


def test_by_asyncio_too(any_store: Any, tmp_path: Path) -> None:
    session = any_store.start(limit=1000)
    session.message("hello")
    session.checkpoints.create("here")
    path = session.checkpoints.save(tmp_path)
    session.message("go on")
    assert any_store.restore_checkpoint(path).went_back


def test_a_folder_that_cannot_be_made(session: Session, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidInput, match="directory: cannot be made"):
        session.checkpoints.save(tmp_path / "file" / "folder")


def rewrite(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Alters the checkpoint's line, and the hash at the file's end with it."""
    lines = path.read_bytes().splitlines(keepends=True)
    line = json.loads(lines[1])
    change(line)
    lines[1] = (json.dumps(line, separators=(",", ":")) + "\n").encode()
    closing = json.loads(lines[-1])
    closing["sha256"] = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    lines[-1] = (json.dumps(closing, separators=(",", ":")) + "\n").encode()
    path.write_bytes(b"".join(lines))
