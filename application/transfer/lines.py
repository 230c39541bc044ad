"""The lines of an export, one JSON object each. The first key tells the kind of line.

{"backstory": "export", …}   first: the format, and every stream with its end and its branch points
{"checkpoint": VERSION, …}   second, in the file of a checkpoint: what it holds, in the sections of a document
{"stream": ID}               a stream's own events follow, oldest first
{"event": VERSION, …}        every column of an event that is under the chain, and the chain after it
{"content": [VERSION, PART]} after its event: salt and exact bytes, or the earlier content that has them
{"append": KEY, …}           after the last event that was appended under this idempotency key
{"state": VERSION, …}        after its event: the digest of the state there
{"end": ID, …}               the counts of the stream, and its last chain
{"closing": {…}, "sha256"}   last: the counts of the file, and SHA-256 of every byte before this line
"""

import base64
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import to_json

from backstory.domain.log.chain import Envelope
from backstory.domain.records import Place
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
    """A stream in the first line."""

    stream: UUID
    kind: str
    first: Version
    last: Version
    chain: Hash
    branch_points: tuple[tuple[Version, UUID, Version], ...] = ()


class Header(_Line):
    backstory: Literal["export"]
    format: int
    made_by: str
    fold: int
    sessions: tuple[UUID, ...] = Field(min_length=1)
    streams: tuple[StreamNote, ...] = Field(min_length=1)


class CheckpointLine(_Line):
    checkpoint: Version
    session: UUID
    taken: Time
    chain: Hash
    document: dict[str, Any]


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
    caller: str | None = None
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
            self.caller,
            self.effects,
            _bytes_in(self.payload, self.payload_base64, "payload"),
        )


class ContentLine(_Line):
    content: tuple[Version, Part]
    salt: Annotated[str, Field(pattern=r"^([0-9a-f]{2})*$")]
    media: str | None = None
    text: str | None = None
    base64: str | None = None
    same_as: tuple[Version, Part] | None = None

    def data(self) -> bytes | None:
        """The bytes. None if another content has them."""
        if self.same_as is None:
            return _bytes_in(self.text, self.base64, "content")
        if self.text is not None or self.base64 is not None:
            raise ValueError("content: has bytes, and says that another content has them")
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


Line = (
    Header
    | CheckpointLine
    | StreamLine
    | EventLine
    | ContentLine
    | AppendLine
    | StateLine
    | EndLine
    | ClosingLine
)
_KINDS: dict[bytes, type[Any]] = {
    b"backstory": Header,
    b"checkpoint": CheckpointLine,
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
    """Reads a line. ValueError, with the reason, if it is no line of an export."""
    if not data.startswith(b'{"'):
        raise ValueError("is no JSON object")
    model = _KINDS.get(data[2 : data.find(b'"', 2)])
    if model is None:
        raise ValueError("is no line of an export")
    line: Line = decode_as(model, data)
    return line


def decode_as(model: type[Read], data: bytes) -> Read:
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise ValueError(f"{field}: {first['msg']}" if field else first["msg"]) from None


def encode(kind: str, value: Any, **fields: Any) -> bytes:
    """Writes a line. Fields that are None are omitted."""
    present = {name: value for name, value in fields.items() if value is not None}
    return to_json({kind: value, **present}) + b"\n"


def event_line(event: Envelope, chain: bytes) -> bytes:
    payload, in_base64 = _as_text(event.payload)
    return encode(
        "event",
        event.version,
        type=event.type,
        schema=event.schema_version,
        recorded=microseconds(event.recorded_at),
        occurred=None if event.occurred_at is None else microseconds(event.occurred_at),
        epoch=event.epoch,
        cause=event.cause,
        actor=event.actor,
        caller=event.caller,
        effects=event.effects,
        payload=payload,
        payload_base64=in_base64,
        chain=chain.hex(),
    )


def content_line(
    version: int, part: int, media: str | None, salt: bytes, data: bytes | None, same_as: Place | None
) -> bytes:
    text, in_base64 = (None, None) if data is None else _as_text(data)
    return encode(
        "content",
        (version, part),
        salt=salt.hex(),
        media=media,
        text=text,
        base64=in_base64,
        same_as=same_as,
    )


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
