"""An import may be repeated, interrupted, and done by several at once: each line is there once."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from backstory import ContextStore, Imported, Session, SessionNotOpen
from backstory.application.transcripts import session_import
from tests.importing.transcripts import Transcript, call, long_transcript
from tests.waiting import until

TakenIn = Callable[..., tuple[Session, Imported]]


def rebuilt(session: Session) -> bytes:
    return b"".join(line.data or b"" for line in session.views.imported_lines())


def said(session: Session) -> list[str]:
    return [session.text(item.id) for item in session.state.live()]


def test_the_same_file_again_adds_nothing(taken_in: TakenIn) -> None:
    transcript = long_transcript(3)
    session, _ = taken_in(transcript)
    version = session.version
    again, done = taken_in(transcript)
    assert (again.id, again.version) == (session.id, version)
    assert (done.lines, done.already_there, done.messages) == (15, 15, 0)


def test_a_file_that_grew_adds_what_is_new(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.assistant(call("a"), id="msg_1")
    session, _ = taken_in(transcript)
    transcript.assistant(call("b"), id="msg_1")
    transcript.result("a")
    transcript.result("b")
    transcript.user("two")
    session, done = taken_in(transcript)
    assert (done.lines, done.already_there) == (6, 2)
    assert session.state.open_calls == {}
    # The second part came too late for the message that it belongs to, which was one call of the model.
    assert (done.exchanges, done.messages) == (1, 1)
    assert len(list(session.events(types=["model.called"]))) == 1
    assert rebuilt(session) == transcript.data


def test_a_compaction_whose_summary_came_later(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.compact("all of it", trigger="manual", preTokens=7)
    whole = transcript.lines
    transcript.lines = whole[:2]
    taken_in(transcript)
    transcript.lines = whole
    session, done = taken_in(transcript)
    assert said(session) == ["all of it"]
    (event,) = session.events(types=["items.compacted"])
    assert event.body.trigger == "manual"  # type: ignore[union-attr]
    assert done.already_there == 2


def test_a_last_line_that_was_still_being_written(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.user("two")
    whole = list(transcript.lines)
    for cut in (whole[1][:40], whole[1].rstrip()):
        transcript.lines = [whole[0], cut]
        session, _ = taken_in(transcript)
        assert rebuilt(session) == transcript.data
    transcript.lines = whole
    session, _ = taken_in(transcript)
    assert rebuilt(session) == transcript.data
    assert said(session) == ["one", "two"]


def test_a_first_line_that_was_still_being_written(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.lines[0] = transcript.lines[0].rstrip()
    taken_in(transcript)
    transcript.lines[0] += b"\n"
    transcript.user("two")
    session, _ = taken_in(transcript)
    assert {line.file for line in session.views.imported_lines()} == {"transcript.jsonl"}
    assert said(session) == ["one", "two"]


def test_a_file_that_was_renamed_is_the_same(store: ContextStore, tmp_path: Path) -> None:
    transcript = long_transcript(2)
    (first,) = store.import_file(transcript.write(tmp_path, "old.jsonl"))
    transcript.user("more")
    (second,) = store.import_file(transcript.write(tmp_path, "new.jsonl"))
    assert (second.already_there, second.messages) == (10, 1)
    assert {line.file for line in store.session(first.session).views.imported_lines()} == {"old.jsonl"}


def test_two_files_of_one_session_and_one_name(store: ContextStore, tmp_path: Path) -> None:
    main, agent = Transcript("two-files"), Transcript("two-files")
    main.user("main")
    agent.user("side", isSidechain=True, agentId="a1")
    for name, transcript in (("x", main), ("y", agent)):
        (tmp_path / name).mkdir()
        (done,) = store.import_file(transcript.write(tmp_path / name))
    lines = {line.file: line.data for line in store.session(done.session).views.imported_lines()}
    assert lines == {"transcript.jsonl": main.data, "transcript.jsonl (2)": agent.data}
    for name, transcript in (("x", main), ("y", agent)):
        (again,) = store.import_file(transcript.write(tmp_path / name))
        assert again.already_there == 1


def test_a_session_that_went_on_here_takes_what_is_new(taken_in: TakenIn) -> None:
    transcript = long_transcript(1)
    session, _ = taken_in(transcript)
    session.message("said here")
    transcript.user("said there")
    session, _ = taken_in(transcript)
    assert said(session)[-2:] == ["said here", "said there"]


def test_what_was_backtracked_does_not_come_back(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    session, _ = taken_in(transcript)
    session.backtrack(1, "not this")
    transcript.user("two")
    session, done = taken_in(transcript)
    assert said(session) == ["two"]
    assert done.already_there == 1


def test_a_session_of_ones_own(store: ContextStore, tmp_path: Path) -> None:
    mine = store.start(title="Mine")
    transcript = long_transcript(1)
    (done,) = store.import_file(transcript.write(tmp_path), session=mine.id)
    assert (done.session, done.title) == (mine.id, "Mine")
    assert rebuilt(mine) == transcript.data


def test_an_ended_session_takes_nothing_and_keeps_what_it_has(taken_in: TakenIn) -> None:
    transcript = long_transcript(1)
    session, _ = taken_in(transcript)
    session.end()
    version = session.version
    transcript.user("more")
    with pytest.raises(SessionNotOpen):
        taken_in(transcript)
    assert session.version == version
    session.resume()
    assert taken_in(transcript)[1].messages == 1


def test_several_at_once_take_each_line_in_once(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_import, "STEPS_A_BATCH", 7)
    transcript = long_transcript(12)
    file = transcript.write(tmp_path)
    done: list[Imported] = []

    def take_in() -> None:
        with ContextStore.open(url, pool_size=1) as store:
            done.extend(store.import_file(file))

    threads = [threading.Thread(target=take_in) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 4
    with ContextStore.open(url) as store:
        session = store.session(done[0].session)
        events = [event.body for event in session.events(types=["lines.imported"])]
        numbers = [line.number for body in events for line in body.lines]  # type: ignore[union-attr]
        assert sorted(numbers) == list(range(1, 61))
        assert session.state.counts["message"] == 24
        assert session.state.counts["tool_exchange"] == 12
        assert session.state.open_calls == {}
        assert rebuilt(session) == transcript.data
        assert session.verify().problem is None


def test_another_writer_between_two_batches(
    store: ContextStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_import, "STEPS_A_BATCH", 10)
    monkeypatch.setattr("backstory.application.transcripts.files._REPORT_EVERY", 1)
    transcript = long_transcript(20)
    mine = store.start()
    wrote = []

    def write(read: int, size: int) -> None:
        if len(wrote) < 5:
            wrote.append(mine.message("meanwhile"))

    store.import_file(transcript.write(tmp_path), session=mine.id, progress=write)
    assert rebuilt(mine) == transcript.data
    assert mine.state.counts["message"] == 40 + 5
    assert mine.state.open_calls == {}
    assert mine.verify().problem is None


@pytest.mark.chaos
def test_an_import_that_was_killed_goes_on_where_it_ended(
    store: ContextStore, url: str, tmp_path: Path
) -> None:
    transcript = long_transcript(600)
    file = transcript.write(tmp_path)
    program = (
        "import sys\n"
        "from backstory import ContextStore\n"
        "with ContextStore.open(sys.argv[1], pool_size=1) as store:\n"
        "    store.import_file(sys.argv[2])\n"
    )
    from backstory.application.transcripts.files import imported_session_id

    id = imported_session_id("claude-code", transcript.session)
    process = subprocess.Popen([sys.executable, "-c", program, url, str(file)])
    try:
        until(lambda: any(found.id == id for found in store.sessions(tag="claude-code", limit=500)))
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    session = store.session(id)
    before = len(list(session.views.imported_lines()))
    assert session.verify().problem is None
    (done,) = store.import_file(file)
    assert (done.lines, done.already_there) == (3000, before)
    assert 0 < before < 3000
    assert rebuilt(session) == transcript.data
    assert session.state.counts == {"message": 1200, "tool_exchange": 600}
    assert session.state.open_calls == {}
    assert session.verify().problem is None
