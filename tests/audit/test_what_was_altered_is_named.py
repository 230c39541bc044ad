"""Whatever is done to an export, the audit names the first thing wrong and its line."""

import hashlib
import json
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard

from backstory import Audit, ContextStore, InvalidInput, VerificationFailed, audit_export
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.log.guards import NO_GUARD
from backstory.infrastructure.postgres.append import PendingEvent
from tests.audit.altering import Lines, changed, closed, kind_of, lines_of, rechained
from tests.verify.rich_session import write_fork, write_session


@pytest.fixture(scope="module")
def sound(store: ContextStore, tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """A fork with contexts, and what it began in."""
    session = write_session(store)
    session.context(8_000)
    fork = write_fork(session)
    fork.message("what next?")
    fork.context(3_000, format="anthropic")
    path = tmp_path_factory.mktemp("sound") / "export.jsonl"
    store.export(fork.id, path)
    found = audit_export(path).require()
    assert found.contexts == 2
    assert found.states > 5
    return lines_of(path)


@pytest.fixture
def audited(tmp_path: Path) -> Callable[[bytes], Audit]:
    def audit(data: bytes) -> Audit:
        (tmp_path / "altered.jsonl").write_bytes(data)
        return audit_export(tmp_path / "altered.jsonl")

    return audit


def problem(audited: Callable[[bytes], Audit], data: bytes) -> tuple[int, str]:
    found = audited(data).problem
    assert found is not None
    return found.line, f"{found.where}: {found.what}"


def test_a_cut_anywhere(sound: Lines, audited: Callable[[bytes], Audit]) -> None:
    whole = b"".join(sound)
    for kept in range(1, len(sound), 5):
        line, what = problem(audited, b"".join(sound[:kept]))
        assert (line, what) == (kept + 1, "file: is cut: its closing line is missing")
    for place in range(30, len(whole), 4999):
        assert problem(audited, whole[:place])[1] in (
            "file: is cut in the middle of a line",
            "file: is cut: its closing line is missing",
        )


def test_one_byte_anywhere(sound: Lines, audited: Callable[[bytes], Audit]) -> None:
    """Of every line: its digits and letters, some of them, one at a time."""
    for number, line in enumerate(sound, 1):
        places = [place for place in range(len(line)) if line[place : place + 1].isalnum()]
        for place in places[30 + number % 40 :: max(1, len(places) // 2)]:
            other = b"0" if line[place : place + 1] != b"0" else b"1"
            altered = line[:place] + other + line[place + 1 :]
            found = problem(audited, b"".join([*sound[: number - 1], altered, *sound[number:]]))
            # What the line itself does not give away, the hash of all lines does.
            assert found[0] == 1 or found[0] >= number, (line, found)


def test_a_compressed_file_cut_or_altered_anywhere(
    sound: Lines, audited: Callable[[bytes], Audit], tmp_path: Path
) -> None:
    """Also where nothing of it can be unpacked: it is named, and others are audited all the same."""
    packed = zstandard.ZstdCompressor().compress(b"".join(sound))
    assert audited(packed).ok
    for length in (6, 20, len(packed) // 2, len(packed) - 1):
        found = audited(packed[:length])
        assert found.problem is not None
        assert "is cut" in found.problem.what
    for place in range(20, len(packed), len(packed) // 20):
        altered = bytearray(packed)
        altered[place] ^= 0x55
        # What it unpacks to may not even begin as an export does.
        with suppress(InvalidInput):
            assert not audited(bytes(altered)).ok
    for damaged in (packed + b"and more", packed[:4] + b"junk" * 10):
        found = audited(damaged)
        assert found.problem is not None
        assert found.problem.what.startswith("is damaged where it was compressed")
    with pytest.raises(VerificationFailed, match=r"altered\.jsonl, line \d+, file: is damaged"):
        found.require()


def test_a_line_left_out_or_doubled_or_moved(sound: Lines, audited: Callable[[bytes], Audit]) -> None:
    for place in range(1, len(sound) - 1, 3):
        rest = [*sound[:place], *sound[place + 1 :]]
        assert problem(audited, b"".join(rest))
        # A digest of a state and an idempotency key may have been left out from the start.
        if kind_of(sound[place]) not in ("state", "append"):
            assert problem(audited, closed(rest))[0] >= place, sound[place]
        assert problem(audited, closed([*sound[:place], sound[place], *sound[place:]]))
        if kind_of(sound[place]) != kind_of(sound[place + 1]) or kind_of(sound[place]) == "event":
            swapped = [*sound[:place], sound[place + 1], sound[place], *sound[place + 2 :]]
            if {kind_of(line) for line in swapped[place : place + 2]} != {"state", "append"}:
                assert problem(audited, b"".join(swapped))


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        ("event", {"actor": "eve"}, "does not match its chain"),
        ("event", {"recorded": 5}, "does not match its chain"),
        ("event", {"type": "acme:other"}, "does not match its chain"),
        ("event", {"payload": "{}"}, "does not match its chain"),
        ("event", {"effects": None}, "does not match its chain"),
        ("event", {"event": "1"}, "line: event: Input should be a valid integer"),
        ("event", {"more": 1}, "line: more: Extra inputs are not permitted"),
        ("event", {"payload_base64": "e30="}, "payload: must be text or base64, and one of them"),
        (
            "content",
            {"text": "something else", "base64": None, "same_as": None},
            "does not match the digest in its event",
        ),
        ("content", {"salt": "00"}, "does not match the digest in its event"),
        ("content", {"media": "text/html"}, "does not match the digest in its event"),
        (
            "content",
            {"same_as": [2**31 - 1, 0], "text": None},
            "shares the bytes of a content that is not before it",
        ),
        ("append", {"first": 1}, "is not what its append wrote"),
        ("append", {"append": "another"}, "is not what its append wrote"),
        ("state", {"digest": "0" * 64}, "is not what the events come to"),
        ("stream", {"stream": "00000000-0000-0000-0000-000000000000"}, "is not the one that comes next"),
        ("end", {"chain": "0" * 64}, "has another chain than the newest event"),
    ],
)
def test_one_value_with_the_end_made_to_agree(
    sound: Lines, audited: Callable[[bytes], Audit], kind: str, values: dict[str, object], words: str
) -> None:
    """In the first and the last line of a kind in which it is another value."""
    places = [place for place, line in enumerate(sound) if kind_of(line) == kind]
    for place in (places[0], places[-1]):
        altered = changed(sound[place], **values)
        if json.loads(altered) == json.loads(sound[place]):
            continue
        line, what = problem(audited, closed([*sound[:place], altered, *sound[place + 1 :]]))
        assert words in what
        assert line <= place + 1
        if kind != "state":
            assert line == place + 1


def test_a_header_that_says_otherwise(sound: Lines, audited: Callable[[bytes], Audit]) -> None:
    header = json.loads(sound[0])
    streams = header["streams"]
    for name, other in (
        ("format", 2),
        ("sessions", ["00000000-0000-0000-0000-000000000000"]),
        ("streams", streams[1:]),
        ("streams", streams[::-1]),
        ("streams", [streams[0], streams[0]]),
        ("streams", [streams[0] | {"last": streams[0]["last"] + 1}, streams[1]]),
        ("streams", [streams[0] | {"branch_points": []}, streams[1]]),
        ("streams", [streams[0], streams[1] | {"branch_points": streams[1]["branch_points"][1:]}]),
        ("streams", [streams[0], streams[1] | {"first": 1}]),
    ):
        assert problem(audited, closed([changed(sound[0], **{name: other}), *sound[1:]]))


def test_what_follows_the_end(sound: Lines, audited: Callable[[bytes], Audit]) -> None:
    assert problem(audited, b"".join([*sound, sound[3]]))[1] == "file: goes on after its closing line"


def test_a_content_that_was_erased_and_is_back(
    store: ContextStore, tmp_path: Path, audited: Callable[[bytes], Audit]
) -> None:
    session = store.start()
    session.message("hunter2")
    store.export(session.id, tmp_path / "before.jsonl")
    secret = next(line for line in lines_of(tmp_path / "before.jsonl") if b"hunter2" in line)
    session.erase(2, "a secret")
    store.export(session.id, tmp_path / "after.jsonl")
    lines = lines_of(tmp_path / "after.jsonl")
    place = next(place for place, line in enumerate(lines) if b'"event":2,' in line)
    found = problem(audited, closed([*lines[: place + 1], secret, *lines[place + 1 :]]))
    assert f"content 2.0 of {session.id}: is there although it was erased" in found[1]


def test_a_context_that_was_never_sent(
    store: ContextStore, tmp_path: Path, audited: Callable[[bytes], Audit]
) -> None:
    """Its event is altered and the whole chain made anew: the prompt, made again, still has its own hash."""
    session = store.start()
    session.message("hello")
    context = session.context(5_000)
    session.message("more")
    store.export(session.id, tmp_path / "x.jsonl")
    lines = lines_of(tmp_path / "x.jsonl")
    place = next(place for place, line in enumerate(lines) if b'"type":"context.assembled"' in line)
    payload = json.loads(lines[place])["payload"].replace(context.sha256, "0" * 64)
    altered = rechained([*lines[:place], changed(lines[place], payload=payload), *lines[place + 1 :]])
    assert audited(closed(rechained(lines))).ok
    assert problem(audited, closed(altered)) == (
        place + 1,
        f"context {context.version} of {session.id}: has another hash when it is made again",
    )


def test_a_context_that_others_wrote_behind(
    store: ContextStore, tmp_path: Path, audited: Callable[[bytes], Audit]
) -> None:
    """It shows a state that is some events back when it is met, and is made again all the same."""
    session = store.start()
    session.message("hello")
    shown = session.context(5_000).version
    body = next(event.body for event in session.events() if event.version == shown).encode()
    for number in range(5):
        session.message(f"meanwhile {number}")
    other = body.replace(json.loads(body)["prompt_sha256"].encode(), b"0" * 64)
    for payload in (body, other):
        pending = PendingEvent("context.assembled", 1, payload, None)
        store._runtime.append(session.id, [pending], guard=NO_GUARD, epoch=None)
        store.export(session.id, tmp_path / "x.jsonl", overwrite=True)
        found = audit_export(tmp_path / "x.jsonl")
        if payload is body:
            assert found.require().contexts == 2
    lines = lines_of(tmp_path / "x.jsonl")
    assert found.problem is not None
    assert found.problem.where == f"context {session.version} of {session.id}"
    assert found.problem.what == "has another hash when it is made again"
    assert found.problem.line == max(place for place, line in enumerate(lines, 1) if b'"event":' in line)


def test_a_key_that_was_used_before(
    store: ContextStore, tmp_path: Path, audited: Callable[[bytes], Audit]
) -> None:
    """However many appends are between them. Each of the two agrees with the chain where it stands."""
    session = store.start()
    for number in range(40):
        session.once(f"key {number}").message(f"said {number}")
    store.export(session.id, tmp_path / "x.jsonl")
    lines = lines_of(tmp_path / "x.jsonl")
    first = next(json.loads(line) for line in lines if kind_of(line) == "append")
    place = max(place for place, line in enumerate(lines) if kind_of(line) == "append")
    chain = next(json.loads(line)["chain"] for line in reversed(lines[:place]) if kind_of(line) == "event")
    last = json.loads(lines[place])
    sealed = bytes.fromhex(chain) + struct.pack(">i", last["first"]) + first["append"].encode()
    proof = hashlib.sha256(sealed + bytes.fromhex(last["fingerprint"])).hexdigest()
    again = changed(lines[place], append=first["append"], proof=proof)
    found = problem(audited, closed([*lines[:place], again, *lines[place + 1 :]]))
    assert found == (place + 1, f"append 'key 0' of {session.id}: was used for an append before it")


def test_a_context_with_erased_parts_is_counted_apart(store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    secret = session.message("hunter2")
    session.context(5_000)
    session.erase(secret, "a secret")
    session.context(5_000)
    store.export(session.id, tmp_path / "x.jsonl")
    found = audit_export(tmp_path / "x.jsonl").require()
    assert (found.contexts, found.contexts_erased) == (1, 1)


def test_states_of_another_fold_are_not_compared(sound: Lines, audited: Callable[[bytes], Audit]) -> None:
    lines = [changed(sound[0], fold=FOLD_VERSION + 1), *sound[1:]]
    place = next(place for place, line in enumerate(lines) if kind_of(line) == "state")
    lines[place] = changed(lines[place], digest="0" * 64)
    found = audited(closed(lines))
    assert (found.ok, found.states, found.states_of_another_fold) == (True, 0, True)


def test_require_raises_the_first_thing_wrong(sound: Lines, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b"".join(sound[:-1]))
    with pytest.raises(VerificationFailed, match=r"^x\.jsonl, line \d+, file: is cut"):
        audit_export(tmp_path / "x.jsonl").require()
