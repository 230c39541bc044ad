"""Whatever stands on a line, the file can be rebuilt byte for byte and the rest is imported."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from hypothesis import example, given, strategies as st

from backstory import ContextStore, Imported, Session
from tests.importing.transcripts import Transcript, call
from tests.properties import examples

TakenIn = Callable[..., tuple[Session, Imported]]


def rebuilt(session: Session) -> bytes:
    return b"".join(line.data or b"" for line in session.views.imported_lines())


def texts(session: Session) -> list[str]:
    return [session.text(item.id) for item in session.state.live()]


def test_windows_line_ends(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.user("two")
    transcript.lines = [line.replace(b"\n", b"\r\n") for line in transcript.lines]
    session, _ = taken_in(transcript)
    assert texts(session) == ["one", "two"]
    assert rebuilt(session) == transcript.data


def test_a_byte_order_mark(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.lines[0] = b"\xef\xbb\xbf" + transcript.lines[0]
    session, _ = taken_in(transcript)
    assert texts(session) == ["one"]
    assert rebuilt(session) == transcript.data


def test_no_line_end_at_the_end(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.lines[-1] = transcript.lines[-1].rstrip()
    session, _ = taken_in(transcript)
    assert rebuilt(session) == transcript.data


def test_half_a_surrogate_pair_is_replaced_in_what_is_said(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant(call("a"))
    transcript.result("a", text="cut \ud83d here, whole \U0001f389")
    assert b"\\ud83d here" in transcript.lines[-1]
    session, _ = taken_in(transcript)
    assert session.state.open_calls == {}
    assert texts(session) == ["cut \N{REPLACEMENT CHARACTER} here, whole \U0001f389"]
    assert rebuilt(session) == transcript.data


def test_nul_in_a_text(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("a\0b")
    session, _ = taken_in(transcript)
    assert texts(session) == ["a\0b"]
    assert rebuilt(session) == transcript.data


def test_bytes_that_are_no_text(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    for data in (
        b"\0\xff\xfe\n",
        b"\n",
        b"   \r\n",
        b"{\n",
        b"null\n",
        b'{"type": 7}\n',
        b'"\xed\xa0\xbd"\n',
    ):
        transcript.raw(data)
    session, done = taken_in(transcript)
    assert done.kept_as_they_are == 7
    assert rebuilt(session) == transcript.data
    assert [line.kind for line in session.views.imported_lines()] == [
        "user",
        "not JSON",
        "blank",
        "blank",
        "not JSON",
        "other JSON",
        "no type",
        "not JSON",
    ]


def test_nesting_and_numbers_beyond_reason(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.raw(b"[" * 100_000 + b"]" * 100_000 + b"\n")
    transcript.raw(b'{"type":"user","uuid":"x","sessionId":"s","n":' + b"9" * 5000 + b"}\n")
    nested = json.dumps({"type": "tool_use", "id": "a", "name": "n", "input": {}}).replace(
        '"input": {}', '"input": ' + '{"a":' * 300 + "1" + "}" * 300
    )
    transcript.line("assistant", message={"role": "assistant", "content": ["HERE"]})
    transcript.lines[-1] = transcript.lines[-1].replace(b'"HERE"', nested.encode())
    session, done = taken_in(transcript)
    assert (done.messages, done.kept_as_they_are) == (1, 3)
    assert rebuilt(session) == transcript.data


def test_an_empty_message_is_kept(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("")
    transcript.user([])
    transcript.user("said")
    session, done = taken_in(transcript)
    assert (done.messages, done.kept_as_they_are) == (1, 2)
    assert texts(session) == ["said"]


def test_a_line_of_20_mb_is_kept_in_pieces(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("small")
    transcript.assistant(call("a"))
    transcript.result("a", text="x" * 20_000_000)
    transcript.user("after")
    session, done = taken_in(transcript)
    assert rebuilt(session) == transcript.data
    # No content may be that large, so the result itself is not there and its call stays open.
    assert done.kept_as_they_are == 1
    assert list(session.state.open_calls) == ["a"]
    assert taken_in(transcript)[1].already_there == 4


def test_lines_out_of_order_are_taken_as_they_stand(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("first")
    transcript.assistant(call("a"))
    transcript.result("a")
    transcript.lines = [transcript.lines[2], transcript.lines[0], transcript.lines[1]]
    session, done = taken_in(transcript)
    assert rebuilt(session) == transcript.data
    assert (done.messages, done.exchanges, done.kept_as_they_are) == (1, 1, 1)


def test_a_line_without_a_session_belongs_to_the_one_before_it(store: ContextStore, tmp_path: Path) -> None:
    one, two = Transcript(), Transcript()
    one.user("in one")
    two.user("in two")
    file = tmp_path / "both.jsonl"
    file.write_bytes(b"before\n" + one.data + b"between\n" + two.data + b"after\n")
    first, second = store.import_file(file)
    lines = [
        [line.number for line in store.session(done.session).views.imported_lines()]
        for done in (first, second)
    ]
    assert lines == [[1, 2, 3], [4, 5]]


def test_an_id_that_cannot_be_a_name(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("odd ids", uuid="x" * 500)
    transcript.user("control", uuid="a\nb")
    session, done = taken_in(transcript)
    assert done.messages == 2
    assert taken_in(transcript)[1].already_there == 2
    assert rebuilt(session) == transcript.data


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = [
    "type",
    "uuid",
    "parentUuid",
    "message",
    "isSidechain",
    "isMeta",
    "isCompactSummary",
    "timestamp",
    "subtype",
    "compactMetadata",
    "cwd",
    "version",
    "summary",
    "leafUuid",
    "agentId",
    "requestId",
]
FIELDS = st.dictionaries(
    st.sampled_from(NAMES),
    JSON
    | st.sampled_from(["user", "assistant", "system", "summary", "u1", "u2", "compact_boundary"])
    | st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": JSON}),
)


@examples(5)
@given(st.lists(FIELDS | st.binary(max_size=40), max_size=8))
@example([b'{"":}', b"{\x00\x00\x00}", b"{}", {"type": "user"}])
def test_any_lines_at_all(store: ContextStore, tmp_path: Path, lines: list[bytes | dict[str, Any]]) -> None:
    session = str(uuid4())
    head = {
        "type": "user",
        "uuid": "u0",
        "message": {"role": "user", "content": "hello"},
        "sessionId": session,
    }
    data = json.dumps(head).encode() + b"\n"
    for line in lines:
        own = json.dumps({**line, "sessionId": session}).encode() if isinstance(line, dict) else line
        data += own + b"\n"
    file = tmp_path / "any.jsonl"
    file.write_bytes(data)
    (done,) = store.import_file(file)
    found = store.session(done.session)
    assert rebuilt(found) == data
    assert found.verify().problem is None
    (again,) = store.import_file(file)
    assert again.already_there == again.lines == done.lines
