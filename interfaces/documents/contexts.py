"""Contexts: assembled, reproduced, and seen by a model."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.events import EventDocument

if TYPE_CHECKING:
    from backstory.application.context.reproduce import Saw
    from backstory.application.context.result import Context, Reproduction
    from backstory.application.queries.history import LogEntry


class SectionDocument(Document):
    """One part of a context."""

    name: str = Field(description="The part's name: system, rules, history, …")
    tokens: int = Field(description="Its tokens.")
    items: list[int] = Field(description="The items in it.")
    shown: int | None = Field(
        description="The number of entities, of lines of the summary or of files in focus; of the history, the "
        "characters that the results of its newest exchange are cut to. Null for other parts."
    )
    further: list[int] = Field(
        description="Of items that have left every window, the versions of their further texts, such as results."
    )


class PromptPieceDocument(Document):
    """One text or one message of a prompt."""

    section: str = Field(description="The part of the context that it stands in.")
    item: int | None = Field(description="The item that it comes from; null for a text made of several.")
    text: str | None = Field(description="The text as it stands in the prompt; null for a message.")
    message: dict[str, Any] | None = Field(description="The message in the prompt's format; null for a text.")


class ContextOutlineDocument(Document):
    """The parts of a context, without its text."""

    session: UUID = Field(description="The session's id.")
    version: int | None = Field(description="The version that records it; null for a preview.")
    at: int = Field(description="The version whose state it shows.")
    format: str = Field(description="openai, anthropic, markdown or parts.")
    budget: int = Field(description="Tokens for the prompt and the response together.")
    reserve: int = Field(description="The tokens of the budget that are kept for the response.")
    tokens: int = Field(description="The prompt's tokens, as the window counts them.")
    estimated_tokens: int | None = Field(description="The estimate of the provider's count, or null.")
    sections: list[SectionDocument] = Field(description="The parts of the context.")
    left_out: dict[str, int] = Field(description="The number of items left out, by reason.")

    @classmethod
    def outline(cls, session: UUID, context: "Context", **more: Any) -> Self:
        """The parts of a context."""
        return cls(
            session=session,
            version=context.version,
            at=context.at,
            format=context.format,
            budget=context.budget,
            reserve=context.reserve,
            tokens=context.tokens,
            estimated_tokens=context.estimated_tokens,
            sections=_sections(context),
            left_out=dict(context.left_out),
            **more,
        )


class ContextDocument(ContextOutlineDocument):
    """A context: the prompt of a model call, and its parts."""

    sha256: str = Field(description="SHA-256 of the exact bytes.")
    prompt: str = Field(description="The exact bytes as text: JSON, or markdown.")
    tools: list[dict[str, Any]] | None = Field(description="The definitions of tools sent with it, or null.")
    pieces: list[PromptPieceDocument] = Field(
        description="Of a preview, the prompt's texts and messages in order, each with its part; otherwise none."
    )

    @classmethod
    def of(cls, session: UUID, context: "Context") -> "ContextDocument":
        """The document of a context."""
        return cls.outline(
            session,
            context,
            sha256=context.sha256,
            prompt=context.data.decode(),
            tools=context.tools,
            pieces=_pieces(context),
        )


class ReportedCallDocument(Document):
    """A model call that was made with a context."""

    version: int = Field(description="The version that records the call.")
    model: str = Field(description="The model.")
    provider: str | None = Field(description="The provider, or null.")
    parameters: dict[str, Any] | None = Field(description="Temperature and the like, or null.")


class MissingContentDocument(Document):
    """A content of a recorded context that was erased."""

    item: int = Field(description="The item.")
    section: str = Field(description="The part of the context that it was in.")
    erased_at: int | None = Field(description="The version that erased it; null if the log does not say.")


class ReproductionDocument(Document):
    """A recorded context, built again from the log and compared."""

    session: UUID = Field(description="The session's id.")
    version: int = Field(description="The version that records the context.")
    at: int = Field(description="The version whose state it shows.")
    format: str = Field(description="openai, anthropic, markdown or parts.")
    ok: bool = Field(description="Whether the bytes equal the recorded ones.")
    expected: str = Field(description="SHA-256 of the recorded bytes.")
    found: str | None = Field(description="SHA-256 of the bytes built now, or null.")
    missing: list[MissingContentDocument] = Field(description="Contents that were erased since.")
    prompt: str | None = Field(description="The exact bytes as text; null if they cannot be built.")
    tools: list[dict[str, Any]] | None = Field(description="The definitions of tools sent with it, or null.")
    calls: list[ReportedCallDocument] = Field(description="The calls that were made with it.")
    budget: int | None = Field(description="Its budget; null if it cannot be built.")
    reserve: int | None = Field(description="The tokens kept for the response; null if it cannot be built.")
    tokens: int | None = Field(description="The prompt's tokens; null if it cannot be built.")
    sections: list[SectionDocument] | None = Field(description="Its parts; null if it cannot be built.")
    left_out: dict[str, int] | None = Field(
        description="The number of items left out, by reason; null if it cannot be built."
    )
    pieces: list[PromptPieceDocument] | None = Field(
        description="The prompt's texts and messages in order, each with its part; null if it cannot be built."
    )

    @classmethod
    def of(cls, session: UUID, made: "Reproduction") -> "ReproductionDocument":
        """The document of a reproduction."""
        context = made.context
        return cls(
            session=session,
            version=made.version,
            at=made.at,
            format=made.format,
            ok=made.ok,
            expected=made.expected,
            found=made.found,
            missing=[MissingContentDocument.model_validate(one) for one in made.missing],
            prompt=context.data.decode() if context is not None else None,
            tools=made.tools,
            calls=[ReportedCallDocument.model_validate(call) for call in made.calls],
            budget=context.budget if context is not None else None,
            reserve=context.reserve if context is not None else None,
            tokens=context.tokens if context is not None else None,
            sections=_sections(context) if context is not None else None,
            left_out=dict(context.left_out) if context is not None else None,
            pieces=_pieces(context) if context is not None else None,
        )


class SawDocument(Document):
    """The prompt behind a message or a decision, with the events that connect them."""

    session: UUID = Field(description="The session's id.")
    asked: int = Field(description="The version that was asked about.")
    message: int | None = Field(description="The message that it comes from, or null.")
    call: int | None = Field(description="The model call that produced the message, or null.")
    model: str | None = Field(description="The model, or null.")
    parameters: dict[str, Any] | None = Field(description="The parameters of the call, or null.")
    assembly: int | None = Field(description="The context of that call, or null.")
    gap: str | None = Field(description="The missing link, in words, or null.")
    chain: list[EventDocument] = Field(description="The events from the decision back to the context.")
    reproduction: ReproductionDocument | None = Field(description="The context built again, or null.")

    @classmethod
    def of(cls, session: UUID, saw: "Saw", chain: Iterable["LogEntry"]) -> "SawDocument":
        """The document of an answer."""
        made = saw.reproduction
        return cls(
            session=session,
            asked=saw.version,
            message=saw.message,
            call=saw.call,
            model=saw.model,
            parameters=None if saw.parameters is None else dict(saw.parameters),
            assembly=saw.assembly,
            gap=saw.gap,
            chain=[EventDocument.of(entry) for entry in chain],
            reproduction=ReproductionDocument.of(session, made) if made is not None else None,
        )


class ModelCallDocument(Document):
    """A call of a model in a session's history."""

    version: int = Field(description="Its version.")
    at: datetime = Field(description="The time at which it occurred.")
    actor: str | None = Field(description="Who called, or null.")
    live: bool = Field(description="Whether it leads to the newest version.")
    model: str = Field(description="The model.")
    provider: str | None = Field(description="The provider, or null.")
    request_id: str | None = Field(description="The provider's id of the call, or null.")
    assembly: int | None = Field(description="The version of the context that was sent, or null.")
    message: int | None = Field(description="The message that answered, or null.")
    assembled_tokens: int | None = Field(description="The context's tokens, as counted here, or null.")
    input_tokens: int | None = Field(
        description="The prompt's tokens, as the provider counted them, or null."
    )
    output_tokens: int | None = Field(description="The tokens of the answer, or null.")
    cached_tokens: int | None = Field(description="Input tokens from the provider's cache, or null.")
    cache_write_tokens: int | None = Field(description="Input tokens put into that cache, or null.")
    reasoning_tokens: int | None = Field(description="The tokens spent on thinking, or null.")
    latency_ms: float | None = Field(description="Milliseconds until the whole answer, or null.")
    stop_reason: str | None = Field(description="The stop reason, in the provider's word, or null.")
    cost_usd: float | None = Field(description="The price of the call; null if no price is known.")
    parameters: dict[str, Any] | None = Field(description="Temperature and the like, or null.")
    error: str | None = Field(description="The error that it ended with, or null.")


class ModelCallsDocument(Document):
    """A page of calls of models."""

    calls: list[ModelCallDocument] = Field(description="The calls, the newest first.")
    next: int | None = Field(description="The version to continue before; null on the last page.")


class PromptPartDocument(Document):
    """One section of a recorded prompt."""

    name: str = Field(description="Its name: system, rules, history, …")
    tokens: int = Field(description="Its tokens.")
    items: list[int] = Field(description="The items in it; of the section memory, ids of memories.")
    shown: int | None = Field(description="See the same field of a context's section.")
    origins: dict[str, int] = Field(description="The number of its items by the place they come from.")


class RecordedPromptDocument(Document):
    """A recorded context in a session's history. `reproduce` gives its bytes."""

    version: int = Field(description="The version that records it.")
    at: int = Field(description="The version whose state it shows.")
    made_at: datetime = Field(description="The time that it was made for.")
    live: bool = Field(description="Whether it leads to the newest version.")
    agent: str | None = Field(description="The agent that it was made for, or null.")
    window: str = Field(description="The window that it is a view of.")
    format: str = Field(description="openai, anthropic, markdown or parts.")
    policy: str = Field(description="The assembly policy's name.")
    budget: int = Field(description="Tokens for the prompt and the response together.")
    reserve: int = Field(description="The tokens of the budget that were kept for the response.")
    tokens: int = Field(description="The prompt's tokens, as the window counts them.")
    size: int = Field(description="Its number of bytes.")
    sha256: str = Field(description="SHA-256 of the exact bytes.")
    query: str | None = Field(description="The query that older items were found by, or null.")
    tools: list[str] = Field(description="The names of the tools that were sent with it.")
    parts: list[PromptPartDocument] = Field(description="Its sections.")
    left_out: dict[str, int] = Field(description="The number of items left out, by reason.")
    calls: list[int] = Field(description="The versions of the calls that were made with it.")


class PromptsDocument(Document):
    """A page of recorded prompts."""

    prompts: list[RecordedPromptDocument] = Field(description="The prompts, the newest first.")
    next: int | None = Field(description="The version to continue before; null on the last page.")


class SummarizedDocument(Document):
    """A session that was summed up."""

    session: UUID = Field(description="The session's id.")
    version: int | None = Field(description="The summary; null when nothing was said since the last one.")


def _sections(context: "Context") -> list[SectionDocument]:
    from backstory.domain.log.ranges import from_ranges

    return [
        SectionDocument(
            name=section.name,
            tokens=section.tokens,
            items=list(from_ranges(section.items)),
            shown=section.shown,
            further=list(from_ranges(section.further)),
        )
        for section in context.sections
    ]


def _pieces(context: "Context") -> list[PromptPieceDocument]:
    return [PromptPieceDocument(**piece._asdict()) for piece in context.pieces]
