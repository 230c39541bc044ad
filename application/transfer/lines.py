"""The lines of an export, one JSON object each. The first key of a line tells what it is.

{"backstory": "export", …}   first: the format, and every stream with its end and its seams
{"stream": ID}               a stream's own events follow, oldest first
{"event": VERSION, …}        every column of an event that is under the chain, and the chain after it
{"content": [VERSION, PART]} after its event: salt and exact bytes, or where the stream has the same bytes before
{"append": KEY, …}           after the last event that was appended under this idempotency key
{"state": VERSION, …}        after its event: the digest of the state there
{"end": ID, …}               what the stream had, and its last chain
{"closing": {…}, "sha256"}   last: what the file has, and SHA-256 of every byte before this line
"""

import base64
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import to_json

from backstory.domain.log.chain import Envelope
from backstory.domain.log.lineage import BranchPoint
from backstory.domain.values import LARGEST, from_microseconds, microseconds

FORMAT = 1

Version = Annotated[int, Field(ge=1, le=LARGEST)]
Count = Annotated[int, Field(ge=0)]
Part = Annotated[int, Field(ge=0, le=32767)]
Small = Annotated[int, Field(ge=-32768, le=32767)]
Integer = Annotated[int, Field(ge=-LARGEST - 1, le=LARGEST)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Time = Annotated[int, Field(ge=-62_135_596_800_000_000, le=253_402_300_799_999_999)]
"""Microseconds since 1970, in the years 1 to 9999."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class StreamNote(_Line):
    """What the first line says of a stream."""

    stream: UUID
    kind: str
    first: Version
    last: Version
    chain: Hash
    seams: tuple[tuple[Version, UUID, Version], ...] = ()

    def seam_list(self) -> list[BranchPoint]:
        return [BranchPoint._make(seam) for seam in self.seams]


class Header(_Line):
    backstory: Literal["export"]
    format: int
    made_by: str
    fold: int
    sessions: tuple[UUID, ...] = Field(min_length=1)
    streams: tuple[StreamNote, ...] = Field(min_length=1)


class StreamLine(_Line):
    stream: UUID


class EventLine(_Line):
    event: Version
    type: str
    schema_: Annotated[Small, Field(alias="schema")]
    recorded: Time
    occurred: Time | None = None
    epoch: Integer
    cause: Integer | None = None
    actor: str | None = None
    effects: str | None = None
    payload: str | None = None
    payload_base64: str | None = None
    chain: Hash

    def envelope(self, stream: UUID) -> Envelope:
        return Envelope(
            stream,
            self.event,
            self.type,
            self.schema_,
            from_microseconds(self.recorded),
            None if self.occurred is None else from_microseconds(self.occurred),
            self.epoch,
            self.cause,
            self.actor,
            self.effects,
            _bytes_in(self.payload, self.payload_base64, "payload"),
        )


class ContentLine(_Line):
    content: tuple[Version, Part]
    salt: Annotated[str, Field(pattern=r"^([0-9a-f]{2})*$")]
    media: str | None = None
    text: str | None = None
    base64: str | None = None
    twin: tuple[Version, Part] | None = None

    def data(self) -> bytes | None:
        """The bytes; None of one whose bytes its twin has."""
        if self.twin is None:
            return _bytes_in(self.text, self.base64, "content")
        if self.text is not None or self.base64 is not None:
            raise ValueError("content: has bytes, and a twin that has them")
        return None


class AppendLine(_Line):
    append: str
    first: Version
    last: Version
    fingerprint: Hash
    proof: Hash


class StateLine(_Line):
    state: Version
    digest: Hash


class EndLine(_Line):
    end: UUID
    events: Count
    contents: Count
    appends: Count
    states: Count
    chain: Hash


class Totals(_Line):
    lines: Count
    streams: Count
    events: Count
    contents: Count
    appends: Count
    states: Count


class ClosingLine(_Line):
    closing: Totals
    sha256: Hash


Line = Header | StreamLine | EventLine | ContentLine | AppendLine | StateLine | EndLine | ClosingLine
_KINDS: dict[bytes, type[Any]] = {
    b"backstory": Header,
    b"stream": StreamLine,
    b"event": EventLine,
    b"content": ContentLine,
    b"append": AppendLine,
    b"state": StateLine,
    b"end": EndLine,
    b"closing": ClosingLine,
}

Read = TypeVar("Read", bound=_Line)


def decode(data: bytes) -> Line:
    """What a line says. ValueError, with what is wrong, where it is none of ours."""
    if not data.startswith(b'{"'):
        raise ValueError("is no JSON object")
    model = _KINDS.get(data[2 : data.find(b'"', 2)])
    if model is None:
        raise ValueError("is no line of an export")
    line: Line = decode_as(model, data)
    return line


def decode_as(model: type[Read], data: bytes) -> Read:
    try:
        # What `model_validate_json` calls: there are millions of lines in a file.
        line: Read = model.__pydantic_validator__.validate_json(data)
        return line
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise ValueError(f"{field}: {first['msg']}" if field else first["msg"]) from None


def encode(kind: str, value: Any, **fields: Any) -> bytes:
    """A line. What is None is left out."""
    said = {name.removesuffix("_"): value for name, value in fields.items() if value is not None}
    return to_json({kind: value, **said}) + b"\n"


def event_line(event: Envelope, chain: bytes) -> bytes:
    payload, in_base64 = _as_text(event.payload)
    line: dict[str, Any] = {
        "event": event.version,
        "type": event.type,
        "schema": event.schema_version,
        "recorded": microseconds(event.recorded_at),
    }
    if event.occurred_at is not None:
        line["occurred"] = microseconds(event.occurred_at)
    line["epoch"] = event.epoch
    if event.cause is not None:
        line["cause"] = event.cause
    if event.actor is not None:
        line["actor"] = event.actor
    if event.effects is not None:
        line["effects"] = event.effects
    if payload is not None:
        line["payload"] = payload
    else:
        line["payload_base64"] = in_base64
    line["chain"] = chain.hex()
    return to_json(line) + b"\n"


def content_line(
    version: int, part: int, media: str | None, salt: bytes, data: bytes | None, twin: tuple[int, int] | None
) -> bytes:
    line: dict[str, Any] = {"content": (version, part), "salt": salt.hex()}
    if media is not None:
        line["media"] = media
    if data is not None:
        text, in_base64 = _as_text(data)
        line |= {"base64": in_base64} if text is None else {"text": text}
    if twin is not None:
        line["twin"] = twin
    return to_json(line) + b"\n"


def _as_text(data: bytes) -> tuple[str | None, str | None]:
    """The bytes as text, or else in base64. Text is smaller, and people can read it."""
    try:
        return data.decode(), None
    except UnicodeDecodeError:
        return None, base64.b64encode(data).decode()


def _bytes_in(text: str | None, in_base64: str | None, field: str) -> bytes:
    if (text is None) == (in_base64 is None):
        raise ValueError(f"{field}: must be text or base64, and one of them")
    if text is not None:
        return text.encode()
    assert in_base64 is not None
    return base64.b64decode(in_base64, validate=True)
