"""A context as a caller gets it, and the result of reproducing one."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.writing.requests import Request
from backstory.domain.context.composition import Composed
from backstory.domain.context.pieces import PromptPiece, pieces
from backstory.domain.events import ContextAssembled, Section
from backstory.domain.log.ranges import from_ranges


class Postponed(NamedTuple):
    """The request that records a context, to be appended with the answer."""

    request: Request
    epoch: int


@dataclass(frozen=True)
class Context:
    """The context of the next model call.

    As OpenAI's it is `messages`; as Anthropic's `system` and `messages`; as markdown `text`; as parts `messages`, each
    with the name of its part."""

    version: int | None
    """The version of the event that records it; None for a preview, and where the answer is yet to record it."""
    at: int
    """The version whose state it shows."""
    format: str
    messages: list[dict[str, Any]] = field(repr=False)
    system: str | list[dict[str, Any]] | None = field(repr=False)
    text: str | None = field(repr=False)
    tokens: int
    """Of the prompt, by the window's tokenizer. With the reserve never more than the budget."""
    budget: int
    reserve: int
    sections: tuple[Section, ...]
    """The parts: each with its tokens and items."""
    left_out: Mapping[str, int]
    """The number of items that were left out, by reason."""
    data: bytes = field(repr=False)
    """The exact bytes: of the JSON, or of the text."""
    sha256: str
    tools: list[dict[str, Any]] | None = field(default=None, repr=False)
    """The definitions of the tools that are sent with it."""
    estimated_tokens: int | None = None
    """The provider's probable count, if earlier calls of the window's model are known."""
    session: UUID | None = None
    """The session that recorded it; for what a fork has inherited, its parent."""
    postponed: Postponed | None = field(default=None, repr=False, compare=False)
    """The request that `answered` appends with the answer."""
    pieces: tuple[PromptPiece, ...] = field(default=(), repr=False, compare=False)
    """Of a preview and of a reproduced context: its texts and messages, each with the section that it comes from."""

    @classmethod
    def of(
        cls,
        composed: Composed,
        session: UUID,
        version: int | None,
        body: ContextAssembled,
        *,
        tools: bytes | None = None,
        estimated: int | None = None,
        sha256: str | None = None,
        postponed: Postponed | None = None,
        in_pieces: bool = False,
    ) -> "Context":
        """The context whose event this is. `sha256` is that of its bytes, where it is known already."""
        return cls(
            session=session,
            version=version,
            at=body.at,
            format=body.format,
            messages=composed.messages,
            system=composed.system,
            text=composed.text,
            tokens=body.tokens,
            budget=body.budget,
            reserve=body.reserve,
            sections=body.sections,
            left_out=MappingProxyType(body.left_out),
            data=composed.data,
            tools=None if tools is None else json.loads(tools),
            sha256=sha256 or hashlib.sha256(composed.data).hexdigest(),
            estimated_tokens=estimated,
            postponed=postponed,
            pieces=pieces(body.format, composed.parts) if in_pieces else (),
        )

    def items(self, section: str) -> tuple[int, ...]:
        """The items in one part."""
        return tuple(item for one in self.sections if one.name == section for item in from_ranges(one.items))


class Missing(NamedTuple):
    """A content that cannot be shown again."""

    item: int
    section: str
    erased_at: int | None
    """The version of the erasure, where the log tells of it."""


class ReportedCall(NamedTuple):
    """A call of a model with a context, as it was reported."""

    version: int
    model: str
    provider: str | None
    parameters: Mapping[str, Any] | None
    """Temperature and the like; None where none were given or they were erased."""


@dataclass(frozen=True)
class Reproduction:
    """A recorded context, made again from the log."""

    version: int
    at: int
    format: str
    ok: bool
    """Whether the bytes are those that were recorded."""
    expected: str
    found: str | None
    """SHA-256 of the bytes that were made now; None where erased contents make that impossible."""
    missing: tuple[Missing, ...]
    context: Context | None
    tools: list[dict[str, Any]] | None = None
    """The definitions of the tools that were sent with it; None where there were none or they were erased."""
    calls: tuple[ReportedCall, ...] = ()
    """The calls that were made with it, each with its parameters."""

    def __str__(self) -> str:
        if self.ok:
            return f"context {self.version} is, byte for byte, the one that was recorded ({self.expected[:12]}…)."
        if self.missing:
            gone = "; ".join(
                f"item {one.item} ({one.section})"
                + (f", erased at version {one.erased_at}" if one.erased_at else "")
                for one in self.missing
            )
            return (
                f"context {self.version} cannot be made again: {gone}. Its hash stays {self.expected[:12]}…"
            )
        return (
            f"context {self.version} differs from what was recorded: {self.found} instead of {self.expected}."
        )
