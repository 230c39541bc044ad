"""Retention: what the rules say happens to what is past its time, and to nothing else."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from backstory import ContextStore, InvalidInput, SessionPurged, audit_export
from backstory.application.jobs.worker import Worker
from backstory.application.session import Session

LONG = "the same long text " * 80


def ended(store: ContextStore, project: str | None, *, end: bool = True) -> Session:
    session = store.start(project=project)
    session.message(LONG)
    session.message(LONG, role="agent")
    if end:
        session.end("done")
    return session


def in_days(days: int) -> datetime:
    return datetime.now(UTC) + timedelta(days=days)


def test_ended_sessions_are_exported_and_purged(own_store: ContextStore, tmp_path: Path) -> None:
    old = ended(own_store, "orders")
    still_open, other, none = (
        ended(own_store, "orders", end=False),
        ended(own_store, "chats"),
        ended(own_store, None),
    )
    rule = own_store.set_retention("orders", 90, purge_to=tmp_path / "archive", zstd=True, by="ana")
    assert own_store.retention() == [rule]
    assert own_store.apply_retention(in_days(89)) == ()
    (planned,) = own_store.apply_retention(in_days(91), dry_run=True)
    assert (planned.session, planned.action, planned.done) == (old.id, "purge", False)
    assert old.version == 4
    (done,) = own_store.apply_retention(in_days(91))
    assert (done.session, done.done, done.why_not) == (old.id, True, None)
    assert done.file == tmp_path / "archive" / f"{old.id}.jsonl.zst"
    assert audit_export(done.file).ok
    with pytest.raises(SessionPurged):
        own_store.session(old.id)
    assert {one.id for one in own_store.sessions()} == {still_open.id, other.id, none.id}
    assert own_store.apply_retention(in_days(91)) == ()
    own_store.import_file(done.file)
    assert own_store.verify_all().ok


def test_contents_are_erased_and_the_record_stays(own_store: ContextStore) -> None:
    old = ended(own_store, "chats")
    own_store.set_retention("chats", 30, erase=True)
    (done,) = own_store.apply_retention(in_days(31))
    assert done.done
    assert old.messages() == []
    checked = old.verify().require()
    assert (checked.erased, checked.contents) == (3, 1)
    (said,) = old.events(types=["content.erased"])
    assert said.actor == "retention"
    assert old.items.text_at((said.version, 0)) == "retention: contents of project chats are kept for 30 days"
    # The reason is all that is left, and it stays.
    assert own_store.apply_retention(in_days(400)) == ()


def test_what_others_began_in_waits_for_them(own_store: ContextStore, tmp_path: Path) -> None:
    parent = ended(own_store, "orders", end=False)
    fork, late = parent.fork(), parent.fork()
    for session in (parent, fork):
        session.end()
    own_store.set_retention("orders", 1, purge_to=tmp_path)
    steps = {step.session: step for step in own_store.apply_retention(in_days(2))}
    assert steps.keys() == {parent.id, fork.id}
    assert steps[fork.id].done
    assert not steps[parent.id].done
    assert str(late.id) in (steps[parent.id].why_not or "")
    late.end()
    assert all(step.done for step in own_store.apply_retention(in_days(2)))
    assert own_store.sessions() == []


def test_a_rule_takes_the_place_of_the_one_before_it(own_store: ContextStore, tmp_path: Path) -> None:
    ended(own_store, "orders")
    first = own_store.set_retention("orders", 1, purge_to=tmp_path)
    kept = own_store.set_retention("orders", by="dpo")
    assert own_store.retention() == []
    assert own_store.retention(history=True) == [kept, first]
    assert own_store.apply_retention(in_days(1000)) == ()


def test_a_folder_that_cannot_be_written(own_store: ContextStore, tmp_path: Path) -> None:
    old = ended(own_store, "orders")
    (tmp_path / "file").write_text("in the way")
    own_store.set_retention("orders", 0, purge_to=tmp_path / "file")
    (step,) = own_store.apply_retention(in_days(1))
    assert (step.done, old.version) == (False, 4)
    assert step.why_not is not None


def test_the_worker_does_it(own_store: ContextStore, tmp_path: Path) -> None:
    ended(own_store, "orders")
    own_store.set_retention("orders", 0, purge_to=tmp_path)
    (run,) = Worker(own_store, only=["retention"]).run_once()
    assert run.changed == 1
    assert own_store.sessions() == []


def test_rules_cannot_be_changed_behind_the_door(own_store: ContextStore) -> None:
    own_store.set_retention("orders", 1, erase=True)
    with (
        psycopg.connect(own_store._runtime.database.url) as connection,
        pytest.raises(psycopg.Error, match="retention_rules is append-only"),
    ):
        connection.execute("update backstory.retention_rules set after_days = 0")


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("project: must not be empty", {"project": ""}),
        ("after_days: must be given", {"erase": True}),
        ("after_days: must be", {"erase": True, "after_days": -1}),
        ("after_days: must be a whole number", {"erase": True, "after_days": 1.5}),
        ("after_days: needs something", {"after_days": 5}),
        ("purge_to: must be an absolute path", {"purge_to": "archive", "after_days": 5}),
        ("erase: has no use", {"purge_to": "/archive", "after_days": 5, "erase": True}),
        ("zstd: is for what is purged", {"erase": True, "after_days": 5, "zstd": True}),
    ],
)
def test_bad_input(store: ContextStore, words: str, given: dict[str, object]) -> None:
    before = store.retention(history=True)
    with pytest.raises(InvalidInput, match=words):
        store.set_retention(**{"project": "p", **given})  # type: ignore[arg-type]
    assert store.retention(history=True) == before
