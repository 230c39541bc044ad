"""An export altered by somebody who knows the format: line by line, with the end made to agree again."""

import hashlib
import json
from pathlib import Path
from typing import Any
from uuid import UUID

from backstory.application.transfer.lines import EventLine, decode_as, event_line
from backstory.domain.log.chain import next_chain

Lines = list[bytes]
_COUNTED = {"event": "events", "content": "contents", "append": "appends", "state": "states"}


def lines_of(path: Path) -> Lines:
    return path.read_bytes().splitlines(keepends=True)


def kind_of(line: bytes) -> str:
    return next(iter(json.loads(line)))


def changed(line: bytes, **values: Any) -> bytes:
    """The line with some keys' values replaced; None takes one away."""
    found = json.loads(line) | values
    said = {key: value for key, value in found.items() if value is not None}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def closed(lines: Lines) -> bytes:
    """The lines as a file, with the counts and the hash of what is there now."""
    counts: dict[str, int] = {"lines": len(lines), "streams": 0, **dict.fromkeys(_COUNTED.values(), 0)}
    own = dict.fromkeys(_COUNTED.values(), 0)
    made: Lines = []
    for line in lines[:-1]:
        kind = kind_of(line)
        if kind == "stream":
            counts["streams"] += 1
            own = dict.fromkeys(own, 0)
        elif kind in _COUNTED:
            counts[_COUNTED[kind]] += 1
            own[_COUNTED[kind]] += 1
        elif kind == "end":
            line = changed(line, **own)
        made.append(line)
    sha256 = hashlib.sha256(b"".join(made)).hexdigest()
    return b"".join([*made, json.dumps({"closing": counts, "sha256": sha256}).encode() + b"\n"])


def rechained(lines: Lines) -> Lines:
    """The lines of one stream with the chain made anew, as an owner of the file can."""
    stream = UUID(json.loads(lines[1])["stream"])
    chain = b""
    made = []
    for line in lines:
        if kind_of(line) == "event":
            envelope = decode_as(EventLine, line).envelope(stream)
            chain = next_chain(chain, envelope)
            line = event_line(envelope, chain)
        made.append(line)
    header = json.loads(made[0])
    header["streams"][0]["chain"] = chain.hex()
    made[0] = json.dumps(header, separators=(",", ":")).encode() + b"\n"
    return [changed(line, chain=chain.hex()) if kind_of(line) == "end" else line for line in made]
