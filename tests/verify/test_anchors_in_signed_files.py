"""Anchors in a signed file show a rewritten stream and a cut tail, in the database and in an export."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from backstory import AnchorKey, AsyncContextStore, ContextStore, Worker, audit_export, read_anchors
from backstory.domain.errors import InvalidInput, Refused, VerificationFailed


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "keys" / "anchor-key.pem"


def public(key: Path) -> Path:
    return key.with_suffix(".pub")


def test_a_key_is_its_owners_alone(key: Path) -> None:
    made = AnchorKey.load_or_create(key)
    assert key.stat().st_mode & 0o777 == 0o600
    assert AnchorKey.load_or_create(key).public == made.public
    assert b"PRIVATE" not in public(key).read_bytes()
    key.chmod(0o640)
    with pytest.raises(Refused, match="can be read by others"):
        AnchorKey.load(key)


@pytest.mark.parametrize(
    ("text", "rule"), [(b"nonsense", "no unencrypted private key"), (None, "cannot be read")]
)
def test_what_is_no_key(tmp_path: Path, text: bytes | None, rule: str) -> None:
    path = tmp_path / "key.pem"
    if text is not None:
        path.touch(0o600)
        path.write_bytes(text)
    with pytest.raises(InvalidInput, match=rule):
        AnchorKey.load(path)


def test_a_rotated_key_signs_no_more_and_its_anchors_hold(
    store: ContextStore, tmp_path: Path, key: Path
) -> None:
    session = store.start()
    before = store.anchor(tmp_path / "before.json", [session.id], key=key)
    private = key.read_bytes()
    AnchorKey.load(key).rotate()
    assert key.read_bytes() != private
    assert key.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in key.parent.iterdir() if file.suffix != ".pub"] == [key.name]
    session.message("later")
    after = store.anchor(tmp_path / "after.json", [session.id], key=key)
    assert before.public_key != after.public_key
    found = read_anchors([before.file, after.file], public(key))
    assert found.of(session.id).keys() == {1, 2}
    assert session.verify(anchors=found).ok


def test_every_session_or_some(own_store: ContextStore, tmp_path: Path, key: Path) -> None:
    first, second = own_store.start(), own_store.start()
    done = own_store.anchor(tmp_path / "all.json", key=key)
    assert done.anchors == 2
    own_store.anchor(tmp_path / "one.json", [str(first.id)], key=key)
    one = read_anchors([tmp_path / "one.json"], public(key))
    assert set(one.chains) == {first.id}
    with pytest.raises(InvalidInput, match=f"have none of session {second.id}"):
        second.verify(anchors=one)
    with pytest.raises(Refused, match="is there already"):
        own_store.anchor(tmp_path / "one.json", key=key)


def altered(path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    return path


def test_a_file_that_was_changed(store: ContextStore, tmp_path: Path, key: Path) -> None:
    session = store.start()
    for number, change in enumerate(
        (
            lambda content: content["anchors"][0].update(version=2),
            lambda content: content["anchors"][0].update(chain="0" * 64),
            lambda content: content["anchors"].clear(),
            lambda content: content.update(made_at="2020-01-01T00:00:00Z"),
            lambda content: content.update(signature="AAAA"),
        )
    ):
        file = store.anchor(tmp_path / f"{number}.json", [session.id], key=key).file
        assert read_anchors([file], public(key)).of(session.id)
        with pytest.raises(VerificationFailed, match="does not match its signature"):
            read_anchors([altered(file, change)], public(key))


def test_a_file_of_somebody_else(store: ContextStore, tmp_path: Path, key: Path) -> None:
    session = store.start()
    AnchorKey.load_or_create(key)
    file = store.anchor(tmp_path / "theirs.json", [session.id], key=tmp_path / "theirs.pem").file
    with pytest.raises(VerificationFailed, match="a key that is not among the public keys"):
        read_anchors([file], public(key))
    (tmp_path / "none.json").write_text("[]")
    with pytest.raises(VerificationFailed, match="is no file of anchors"):
        read_anchors([tmp_path / "none.json"], public(key))


def rewritten(store: ContextStore, id: UUID, url: str, text: str) -> None:
    """Replaces a session by another one of the same id, whole and with a chain of its own."""
    with psycopg.connect(url, autocommit=True) as connection:
        for table in ("events", "contents", "streams", "appends", "tombstones"):
            connection.execute(f"alter table backstory.{table} disable trigger append_only".encode())
        connection.execute("select backstory.purge(%s)", (id,))
        connection.execute("delete from backstory.tombstones where stream_id = %s", (id,))
    if text:
        store.start(id).message(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("pay 999", "another chain than the one"), ("", "is missing, and its chain was anchored")],
)
def test_a_rewritten_session_and_one_that_is_gone(
    own_store: ContextStore, database: str, tmp_path: Path, key: Path, text: str, problem: str
) -> None:
    session = own_store.start()
    session.message("pay 100")
    file = own_store.anchor(tmp_path / "anchors.json", key=key).file
    anchors = read_anchors([file], public(key))
    assert own_store.verify_all(anchors=anchors).ok
    rewritten(own_store, session.id, database, text)
    assert own_store.verify_all().ok
    (found,) = own_store.verify_all(anchors=anchors).problems
    assert problem in found[1].what


def test_a_session_that_was_purged_openly(own_store: ContextStore, tmp_path: Path, key: Path) -> None:
    session = own_store.start()
    anchors = read_anchors([own_store.anchor(tmp_path / "anchors.json", key=key).file], public(key))
    own_store.purge(session.id, without_export=True)
    assert own_store.verify_all(anchors=anchors).ok


def test_an_export_that_was_rewritten_or_cut(
    own_store: ContextStore, database: str, tmp_path: Path, key: Path
) -> None:
    session = own_store.start()
    session.message("pay 100")
    own_store.export(session.id, tmp_path / "early.jsonl")
    session.message("approved")
    anchors = read_anchors([own_store.anchor(tmp_path / "anchors.json", key=key).file], public(key))
    own_store.export(session.id, tmp_path / "whole.jsonl")
    whole = audit_export(tmp_path / "whole.jsonl", anchors)
    assert (whole.ok, whole.anchored) == (True, 1)
    assert audit_export(tmp_path / "early.jsonl").ok
    cut = audit_export(tmp_path / "early.jsonl", anchors)
    assert cut.problem is not None
    assert cut.problem.what == "is missing, and its chain was anchored"
    rewritten(own_store, session.id, database, "pay 999")
    own_store.session(session.id).message("approved")
    own_store.export(session.id, tmp_path / "rewritten.jsonl")
    assert audit_export(tmp_path / "rewritten.jsonl").ok
    with pytest.raises(
        VerificationFailed, match="event 3 of .* has another chain than the one that was anchored"
    ):
        audit_export(tmp_path / "rewritten.jsonl", anchors).require()


def test_an_export_without_an_anchored_session(own_store: ContextStore, tmp_path: Path, key: Path) -> None:
    anchored, other = own_store.start(), own_store.start()
    file = own_store.anchor(tmp_path / "anchors.json", [anchored.id], key=key).file
    own_store.export(other.id, tmp_path / "other.jsonl")
    with pytest.raises(InvalidInput, match="have none of a session in other.jsonl"):
        audit_export(tmp_path / "other.jsonl", read_anchors([file], public(key)))


def test_a_worker_signs_what_has_changed(
    own_store: ContextStore, tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = own_store.start()
    worker = Worker(own_store, only=["anchors"])
    assert [run.changed for run in worker.run_once()] == [0]
    monkeypatch.setenv("BACKSTORY_ANCHOR_DIR", str(tmp_path / "anchors"))
    monkeypatch.setenv("BACKSTORY_ANCHOR_KEY", str(key))
    assert [run.changed for run in worker.run_once()] == [1]
    assert [run.changed for run in worker.run_once()] == [0]
    session.message("more")
    own_store.start()
    assert [run.changed for run in worker.run_once()] == [2]
    files = sorted((tmp_path / "anchors").iterdir())
    assert len(files) == 2
    assert read_anchors(files, public(key)).of(session.id).keys() == {1, 2}


async def test_the_same_asynchronously(database: str, tmp_path: Path, key: Path) -> None:
    async with await AsyncContextStore.open(database) as store:
        session = await store.start()
        done = await store.anchor(tmp_path / "anchors.json", key=key)
        anchors = read_anchors([done.file], public(key))
        assert (await session.verify(anchors=anchors)).ok
        assert (await store.verify_all(anchors=anchors)).ok


def test_a_head_that_is_not_its_newest_event_is_not_signed(
    own_store: ContextStore, database: str, tmp_path: Path, key: Path
) -> None:
    session = own_store.start()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("update backstory.streams set chain = '\\x00' where stream_id = %s", (session.id,))
    with pytest.raises(VerificationFailed, match="differs from the chain of the newest event"):
        own_store.anchor(tmp_path / "anchors.json", key=key)
    assert not os.path.exists(tmp_path / "anchors.json")
