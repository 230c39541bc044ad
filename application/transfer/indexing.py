"""Where things stand in an export that was audited before. Its lines are hashed and not looked into: a file of the same
hash is that one."""

import hashlib
from typing import NamedTuple
from uuid import UUID

from backstory.application.transfer.file_check import REPORT_EVERY, Mark, Reached
from backstory.application.transfer.files import ExportFile
from backstory.application.transfer.lines import Header, StreamLine, decode_as
from backstory.application.transfer.streams import Family, Stream

_STREAM, _EVENT, _END = b'{"stream":', b'{"event":', b'{"end":'


class Index(NamedTuple):
    """What an inspection leaves behind for those who read on."""

    family: Family
    marks: dict[UUID, Mark]
    digest: bytes


def index_export(file: ExportFile, reached: Reached) -> Index | None:
    """The index of an export; None for what cannot be one."""
    try:
        return _index(file, reached)
    except (ValueError, LookupError):
        return None


def _index(file: ExportFile, reached: Reached) -> Index:
    hashed = hashlib.sha256()
    marks: dict[UUID, Mark] = {}
    family: Family | None = None
    stream: Stream | None = None
    for number, offset, data in file.lines():
        if family is None:
            family = Family(file, decode_as(Header, data))
        elif data.startswith(_STREAM):
            stream = family.streams[decode_as(StreamLine, data).stream]
            stream.place = offset
            before = hashed.copy()
        elif data.startswith(_EVENT) and stream is not None:
            stream.offsets.append(offset)
        hashed.update(data)
        if data.startswith(_END) and stream is not None:
            marks[stream.id] = Mark(before, hashed.digest())
        if number % REPORT_EVERY == 0:
            reached(offset)
    if family is None:
        raise ValueError("it has no line")
    return Index(family, marks, hashed.digest())
