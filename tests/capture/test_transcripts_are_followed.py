"""`Follower`: what is new in folders of transcripts is imported, once, whatever happens to the files."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory.application.capture.follow import Followed, Follower, memo_for
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.application.transcripts.files import imported_session_id
from tests.importing.transcripts import Transcript


class Clock:
    """Stands still, or goes on when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def look(follower: Follower, clock: Clock) -> list[Followed]:
    clock.now += 10_000
    return list(follower.look(clock))


def session_of(store: ContextStore, transcript: Transcript) -> Session:
    return store.session(imported_session_id("claude-code", transcript.session))


def texts(session: Session) -> list[str]:
    return [session.text(item.id) for item in session.items.list() if item.type == "message"]


def test_what_is_written_between_two_looks_is_imported(
    store: ContextStore, tmp_path: Path, clock: Clock
) -> None:
    follower = Follower(store, [tmp_path])
    transcript = Transcript()
    file = tmp_path / "-home-ana" / "one.jsonl"
    file.parent.mkdir()
    transcript.user("Which tests fail?")
    file.write_bytes(transcript.data)
    (first,) = look(follower, clock)
    assert [done.messages for done in first.imported] == [1]
    assert look(follower, clock) == []
    transcript.assistant("Two of them.")
    file.write_bytes(transcript.data)
    (second,) = look(follower, clock)
    assert [(done.already_there, done.messages) for done in second.imported] == [(1, 1)]
    assert texts(session_of(store, transcript)) == ["Which tests fail?", "Two of them."]


def test_half_a_line_waits_for_the_rest(store: ContextStore, tmp_path: Path, clock: Clock) -> None:
    follower = Follower(store, [tmp_path])
    transcript = Transcript()
    transcript.user("one")
    whole = len(transcript.data)
    transcript.user("two")
    file = tmp_path / "t.jsonl"
    file.write_bytes(transcript.data[: whole + 40])
    look(follower, clock)
    assert texts(session_of(store, transcript)) == ["one"]
    file.write_bytes(transcript.data)
    look(follower, clock)
    session = session_of(store, transcript)
    assert texts(session) == ["one", "two"]
    assert b"".join(line.data for line in session.views.imported_lines()) == transcript.data


def test_a_file_rewritten_in_place_loses_nothing(store: ContextStore, tmp_path: Path, clock: Clock) -> None:
    follower = Follower(store, [tmp_path])
    transcript = Transcript()
    for number in range(5):
        transcript.user(f"message {number}")
    file = tmp_path / "t.jsonl"
    file.write_bytes(transcript.data)
    look(follower, clock)
    transcript.lines = []
    transcript.compact("They counted to four.")
    transcript.user("Go on.")
    file.write_bytes(transcript.data)
    look(follower, clock)
    session = session_of(store, transcript)
    assert [*texts(session)[:5], texts(session)[-1]] == [*(f"message {n}" for n in range(5)), "Go on."]


def test_a_file_that_is_removed_or_renamed_stays_imported_once(
    store: ContextStore, tmp_path: Path, clock: Clock
) -> None:
    follower = Follower(store, [tmp_path])
    transcript = Transcript()
    transcript.user("kept")
    file = tmp_path / "t.jsonl"
    file.write_bytes(transcript.data)
    look(follower, clock)
    file.rename(tmp_path / "renamed.jsonl")
    look(follower, clock)
    (tmp_path / "renamed.jsonl").unlink()
    look(follower, clock)
    assert texts(session_of(store, transcript)) == ["kept"]


def test_subagents_belong_to_their_session(store: ContextStore, tmp_path: Path, clock: Clock) -> None:
    transcript = Transcript()
    transcript.user("Look into it.")
    (tmp_path / "t.jsonl").write_bytes(transcript.data)
    aside = Transcript(transcript.session)
    aside.user("Search the code.", isSidechain=True, agentId="a1")
    below = tmp_path / transcript.session / "subagents"
    below.mkdir(parents=True)
    (below / "agent-a1.jsonl").write_bytes(aside.data)
    look(Follower(store, [tmp_path]), clock)
    assert sorted(texts(session_of(store, transcript))) == ["Look into it.", "Search the code."]


def test_after_a_restart_only_what_changed_is_read(
    own_store: ContextStore, tmp_path: Path, clock: Clock
) -> None:
    folder, state = tmp_path / "transcripts", tmp_path / "state"
    folder.mkdir()
    transcripts = [Transcript(), Transcript()]
    for number, transcript in enumerate(transcripts):
        transcript.user(f"session {number}")
        (folder / f"{number}.jsonl").write_bytes(transcript.data)
    memo = memo_for(own_store, state)
    assert len(look(Follower(own_store, [folder], memo), clock)) == 2
    own_store.purge(session_of(own_store, transcripts[0]).id, without_export=True)
    transcripts[1].user("more")
    (folder / "1.jsonl").write_bytes(transcripts[1].data)
    found = look(Follower(own_store, [folder], memo), clock)
    assert [one.file.name for one in found] == ["1.jsonl"]


@pytest.mark.parametrize("damaged", [b"", b"[]", b"{", b'{"a": 1}', b'{"a": ["x", 1, 2]}'])
def test_a_damaged_memo_costs_only_time(
    store: ContextStore, tmp_path: Path, clock: Clock, damaged: bytes
) -> None:
    memo = tmp_path / "memo.json"
    memo.write_bytes(damaged)
    transcript = Transcript()
    transcript.user("hello")
    (tmp_path / "t.jsonl").write_bytes(transcript.data)
    (found,) = look(Follower(store, [tmp_path], memo), clock)
    assert found.imported


def test_a_foreign_file_is_named_once(store: ContextStore, tmp_path: Path, clock: Clock) -> None:
    follower = Follower(store, [tmp_path])
    (tmp_path / "notes.jsonl").write_text('{"hello": 1}\n')
    (found,) = look(follower, clock)
    assert found.refused is not None
    assert "no line of any known format" in found.refused
    assert look(follower, clock) == []


def test_a_file_that_takes_long_is_not_read_all_the_time(store: ContextStore, tmp_path: Path) -> None:
    follower = Follower(store, [tmp_path])
    transcript = Transcript()
    transcript.user("one")
    file = tmp_path / "t.jsonl"
    file.write_bytes(transcript.data)
    # Asked before, at the beginning, at the end, and for what is remembered: it took five seconds.
    times = iter([0.0, 0.0, 5.0, 5.0])
    assert len(list(follower.look(lambda: next(times)))) == 1
    transcript.user("two")
    file.write_bytes(transcript.data)
    assert list(follower.look(lambda: 54.0)) == []
    assert len(list(follower.look(lambda: 56.0))) == 1


def pieces(data: bytes, chance: random.Random) -> Iterator[bytes]:
    """The beginnings of data that somebody may see while it is written."""
    end = 0
    while end < len(data):
        end = min(len(data), end + chance.randint(1, 700))
        yield data[:end]


@pytest.mark.parametrize("seed", range(3))
def test_a_transcript_seen_in_pieces_by_followers_that_die_is_the_whole(
    store: ContextStore, tmp_path: Path, clock: Clock, seed: int
) -> None:
    chance = random.Random(seed)
    transcript = Transcript()
    for number in range(12):
        transcript.user(f"question {number}")
        call = f"call-{seed}-{number}"
        transcript.assistant(
            {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"echo {number}"}}
        )
        transcript.result(call, text=f"{number}")
        if number == 7:
            transcript.compact("They asked seven questions.")
    file = tmp_path / "t.jsonl"
    follower = Follower(store, [tmp_path], tmp_path / "memo")
    for piece in pieces(transcript.data, chance):
        file.write_bytes(piece)
        if chance.random() < 0.3:
            # The process ended: another one begins with what was remembered, or with nothing.
            if chance.random() < 0.5:
                (tmp_path / "memo").unlink(missing_ok=True)
            follower = Follower(store, [tmp_path], tmp_path / "memo")
        look(follower, clock)
    session = session_of(store, transcript)
    assert b"".join(line.data for line in session.views.imported_lines()) == transcript.data
    asked = [text for text in texts(session) if text.startswith("question")]
    assert asked == [f"question {number}" for number in range(12)]
    assert len([item for item in session.items.list() if item.type == "tool_exchange"]) == 12
    assert session.verify().ok
