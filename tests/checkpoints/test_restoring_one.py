"""A restore verifies the record and the state, goes back, and says what differs on disk."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from backstory import ContextStore, InvalidInput, UnknownVersion, VerificationFailed
from backstory.application.checkpoints.files import FileDifference


def test_the_state_is_what_it_was(any_store: Any) -> None:
    session = any_store.start(limit=1000)
    session.message("hello")
    version = session.checkpoints.create("here")
    then = session.state
    session.decide("something else")
    session.message("go on")
    done = session.checkpoints.restore("here")
    assert (done.checkpoint, done.name, done.went_back, done.state_verified) == (version, "here", True, True)
    now = session.state
    assert now.version == done.version
    assert (now.items, now.tokens, now.decisions) == (then.items, then.tokens, then.decisions)
    session.redo()
    assert len(session.state.decisions) == 1


def test_the_newest_of_a_name_and_the_newest_of_all(store: ContextStore) -> None:
    session = store.start()
    session.checkpoints.create("here")
    second = session.checkpoints.create("here")
    third = session.checkpoints.create("there")
    session.message("go on")
    assert session.checkpoints.restore().checkpoint == third
    assert session.checkpoints.restore("here").checkpoint == second
    assert session.checkpoints.restore(second).checkpoint == second


def test_nothing_to_go_back_from(store: ContextStore) -> None:
    session = store.start()
    version = session.checkpoints.create("here")
    done = session.checkpoints.restore()
    assert (done.version, done.went_back) == (version, False)
    assert session.version == version


@pytest.mark.parametrize("wanted", ["nowhere", 1, None])
def test_one_that_is_not_there(store: ContextStore, wanted: Any) -> None:
    session = store.start()
    with pytest.raises(UnknownVersion, match="the session has no checkpoint"):
        session.checkpoints.restore(wanted)


def test_an_inherited_one_is_restored_in_a_fork(store: ContextStore) -> None:
    session = store.start()
    session.message("hello")
    version = session.checkpoints.create("here")
    session.message("go on")
    fork = session.fork()
    fork.message("elsewhere")
    done = fork.checkpoints.restore("here")
    assert (done.checkpoint, done.state_verified) == (version, True)
    assert [item.id for item in fork.state.live()] == [version - 1]
    fork.verify().require()


class TestFiles:
    def test_one_of_another_session_is_refused(self, store: ContextStore, tmp_path: Path) -> None:
        one, other = store.start(), store.start()
        one.checkpoints.create("here")
        with pytest.raises(InvalidInput, match=f"checkpoint: is one of session {one.id}"):
            other.checkpoints.restore(one.checkpoints.save(tmp_path))

    def test_a_file_that_is_none_is_refused(self, store: ContextStore, tmp_path: Path) -> None:
        session = store.start()
        session.checkpoints.create("here")
        path = tmp_path / "checkpoint.jsonl"
        path.write_text("not json")
        with pytest.raises(InvalidInput, match="file: .* is no export of Backstory"):
            session.checkpoints.restore(path)
        store.export(session.id, path, overwrite=True)
        with pytest.raises(InvalidInput, match="checkpoint: .* is not the file of a checkpoint"):
            session.checkpoints.restore(path)
        with pytest.raises(InvalidInput, match="file: .* is not there"):
            session.checkpoints.restore(tmp_path / "nowhere.jsonl")


class TestOnDisk:
    def test_what_differs_is_told(self, store: ContextStore, tmp_path: Path) -> None:
        for name in ("same.py", "changed.py", "gone.py"):
            (tmp_path / name).write_text(name)
        (tmp_path / "folder").mkdir()
        session = store.start()
        session.progress.focus(["same.py", "changed.py", "gone.py"])
        session.checkpoints.create("here", root=tmp_path)
        (tmp_path / "changed.py").write_text("other")
        (tmp_path / "gone.py").unlink()
        before = hashlib.sha256(b"changed.py").hexdigest()
        after = hashlib.sha256(b"other").hexdigest()
        gone = hashlib.sha256(b"gone.py").hexdigest()
        assert session.checkpoints.restore("here", root=tmp_path).files == (
            FileDifference("changed.py", "changed", f"sha256:{before}", f"sha256:{after}"),
            FileDifference("gone.py", "missing", f"sha256:{gone}"),
        )

    def test_checksums_in_the_callers_own_notations(self, store: ContextStore, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"hello\n")
        (tmp_path / "folder").mkdir()
        session = store.start()
        notations = {
            "md5": hashlib.md5(b"hello\n").hexdigest(),
            "sha1": hashlib.sha1(b"hello\n").hexdigest(),
            "git": "ce013625030ba8dba906f756967f9e9ca394464a",
            "named": "SHA512:" + hashlib.sha512(b"hello\n").hexdigest(),
        }
        for checksum in notations.values():
            session.progress.file_updated("a", checksum=checksum)
            session.checkpoints.create("here")
            assert session.checkpoints.restore(root=tmp_path).files == ()
        session.progress.file_updated("a", checksum="v7")
        session.progress.file_updated("folder", checksum=notations["md5"])
        session.checkpoints.create("here")
        assert [(one.path, one.kind) for one in session.checkpoints.restore(root=tmp_path).files] == [
            ("a", "unknown"),
            ("folder", "unreadable"),
        ]


class TestTampering:
    """With a database of its own, changed behind the store's back."""

    @pytest.fixture
    def url(self, new_database: Callable[[], str]) -> str:
        return new_database()

    def test_a_changed_event_is_found_and_nothing_is_restored(self, url: str) -> None:
        with ContextStore.open(url) as store:
            session = store.start(limit=1000)
            session.progress.set_phase("build")
            session.checkpoints.create("here")
            newest = session.message("go on")
            change(
                url,
                "update backstory.events set payload = '{\"phase\":\"test\"}' where type = 'phase.changed'",
            )
            with pytest.raises(VerificationFailed):
                session.checkpoints.restore("here")
            assert session.version == newest

    def test_a_chain_that_is_not_the_files_is_found(self, url: str, tmp_path: Path) -> None:
        with ContextStore.open(url) as store:
            session = store.start()
            session.checkpoints.create("here")
            file = session.checkpoints.file().model_copy(update={"chain": "0" * 64})
            with pytest.raises(VerificationFailed, match="the chain's hash is not the one that the file has"):
                session.checkpoints.restore(file)

    def test_a_state_that_is_not_the_one_that_was_named_is_found(self, url: str) -> None:
        with ContextStore.open(url) as store:
            session = store.start()
            session.checkpoints.create("here")
            file = session.checkpoints.file()
            other = {**file.context_snapshot, "sha256": "0" * 64}
            with pytest.raises(VerificationFailed, match="the state is not the one that the file has"):
                session.checkpoints.restore(file.model_copy(update={"context_snapshot": other}))

    def test_a_state_of_another_fold_cannot_be_compared(self, url: str) -> None:
        with ContextStore.open(url) as store:
            session = store.start()
            with session.atomic() as tx:
                tx.message("hello")
                tx.checkpoints.create("here")
            file = session.checkpoints.file()
            assert session.checkpoints.restore(file).state_verified is True
            other = {**file.context_snapshot, "sha256": "0" * 64, "fold_version": 99}
            restored = session.checkpoints.restore(file.model_copy(update={"context_snapshot": other}))
            assert restored.state_verified is None


def change(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("alter table backstory.events disable trigger user")
        connection.execute(statement.encode())
