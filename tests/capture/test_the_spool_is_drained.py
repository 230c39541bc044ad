"""What hooks noted is read in order, and nothing is lost between a hook and a reader."""

import json
import threading
from pathlib import Path

import pytest

from backstory.application.capture import hook
from backstory.application.capture.follow import Follower
from backstory.application.capture.noted import NotedSessions
from backstory.application.capture.spool import Spool
from backstory.application.store import ContextStore
from backstory.application.transcripts.files import imported_session_id
from backstory.domain.errors import Unavailable
from tests.capture.hooks import placed, prompted, run_hook
from tests.importing.transcripts import Transcript


def note(folder: Path, number: int) -> None:
    line = {"at": number, "agent": "codex", "event": "Stop", "session_id": str(number)}
    hook._append(str(folder / hook.SPOOL), b"\n" + json.dumps(line).encode() + b"\n")


def read(spool: Spool) -> list[int]:
    return [int(one.session) for one in spool.read()]


def test_it_stays_until_it_is_dropped(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    note(tmp_path, 1)
    assert read(spool) == [1]
    note(tmp_path, 2)
    # Another reader, after this one died.
    assert read(Spool(tmp_path)) == [1, 2]
    assert read(spool) == [1, 2]
    note(tmp_path, 3)
    spool.drop()
    assert read(spool) == [3]
    spool.drop()
    assert read(spool) == []
    assert list(tmp_path.iterdir()) == []


def test_a_line_that_was_cut_off_costs_only_itself(tmp_path: Path) -> None:
    note(tmp_path, 1)
    with (tmp_path / hook.SPOOL).open("ab") as file:
        file.write(b'\n{"at": 2, "age')
    note(tmp_path, 3)
    with (tmp_path / hook.SPOOL).open("ab") as file:
        file.write(b'\n{"at": 1e300, "agent": "a", "event": "b"}\n[]\nnull\n{"at": "x"}\n')
    assert read(Spool(tmp_path)) == [1, 3]


def test_hooks_and_two_readers_at_once(tmp_path: Path) -> None:
    ended = threading.Event()
    found: list[list[int]] = [[], []]

    def drain(mine: list[int]) -> None:
        spool = Spool(tmp_path)
        while True:
            last = ended.is_set()
            mine += read(spool)
            spool.drop()
            if last:
                return

    def write(first: int) -> None:
        for number in range(first, first + 200):
            note(tmp_path, number)

    readers = [threading.Thread(target=drain, args=(mine,)) for mine in found]
    writers = [threading.Thread(target=write, args=(first,)) for first in (0, 1000, 2000)]
    for each in (*readers, *writers):
        each.start()
    for each in writers:
        each.join()
    ended.set()
    for each in readers:
        each.join()
    written = {first + number for first in (0, 1000, 2000) for number in range(200)}
    # Both may see the same, as after a crash; nobody misses any.
    assert set(found[0]) | set(found[1]) == written


def test_a_transcript_outside_the_folders_is_imported(store: ContextStore, tmp_path: Path) -> None:
    folder = placed(tmp_path / "hooks", works=False)
    transcript = Transcript()
    transcript.user("Which tests fail?")
    file = transcript.write(tmp_path)
    watching = NotedSessions(store, Follower(store, []), folder)
    assert list(watching.look()) == []
    run_hook(folder, prompted(transcript, file))
    (found,) = watching.look()
    assert [done.messages for done in found.imported] == [1]
    assert not list(folder.glob("spool*"))


def test_nothing_is_dropped_while_there_is_no_database(
    store: ContextStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = placed(tmp_path / "hooks", works=False)
    transcript = Transcript()
    transcript.user("Which tests fail?")
    run_hook(folder, prompted(transcript, transcript.write(tmp_path)))
    with monkeypatch.context() as broken:
        broken.setattr(ContextStore, "import_file", _unavailable)
        with pytest.raises(Unavailable):
            list(NotedSessions(store, Follower(store, []), folder).look())
    list(NotedSessions(store, Follower(store, []), folder).look())
    assert store.session(imported_session_id("claude-code", transcript.session)).version


def _unavailable(*_: object, **__: object) -> None:
    raise Unavailable("no database")
