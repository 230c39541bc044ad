"""The JSON of contexts: assembled, made again, and seen by a model. Keys are only ever added."""

from typing import Any
from uuid import UUID

from backstory.application.context.reproduce import Saw
from backstory.application.context.result import Context, Reproduction
from backstory.application.queries.history import Entry
from backstory.domain.log.ranges import from_ranges
from backstory.interfaces.cli import shapes

Document = dict[str, Any]


def context(session: UUID, found: Context) -> Document:
    return {
        "session": str(session),
        "version": found.version,
        "at": found.at,
        "format": found.format,
        "budget": found.budget,
        "reserve": found.reserve,
        "tokens": found.tokens,
        "estimated_tokens": found.estimated_tokens,
        "sections": [
            {
                "name": section.name,
                "tokens": section.tokens,
                "items": list(from_ranges(section.items)),
                "shown": section.shown,
            }
            for section in found.sections
        ],
        "left_out": dict(found.left_out),
        "sha256": found.sha256,
        "prompt": found.data.decode(),
    }


def reproduction(session: UUID, found: Reproduction) -> Document:
    return {
        "session": str(session),
        "version": found.version,
        "at": found.at,
        "format": found.format,
        "ok": found.ok,
        "expected": found.expected,
        "found": found.found,
        "missing": [one._asdict() for one in found.missing],
        "prompt": found.context.data.decode() if found.context is not None else None,
    }


def saw(session: UUID, found: Saw, chain: list[Entry]) -> Document:
    made = found.reproduction
    return {
        "session": str(session),
        "asked": found.version,
        "message": found.message,
        "call": found.call,
        "model": found.model,
        "assembly": found.assembly,
        "gap": found.gap,
        "chain": [shapes.entry(entry) for entry in chain],
        "reproduction": reproduction(session, made) if made is not None else None,
    }
