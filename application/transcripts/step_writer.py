"""Writes the steps of a transcript to a batch."""

from collections import ChainMap
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from backstory.application.transcripts.batch import ImportBatch
from backstory.application.transcripts.steps import (
    ModelCall,
    StepLine,
    TranscriptCompaction,
    TranscriptMessage,
    TranscriptPrompt,
    TranscriptStep,
    TranscriptTitle,
)
from backstory.domain import messages as formats
from backstory.domain.errors import InvalidInput, NoLiveCall
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, Role

_SPOKEN = ("message", "tool_exchange", "summary")


@dataclass(slots=True)
class BatchWork:
    """The effects of one batch, until it is committed."""

    batch: ImportBatch
    format: str
    versions: ChainMap[str, int | None]
    """By the source's ids, the events that lines became, in this batch and before."""
    called: set[str]
    """The provider's ids of messages whose call of the model is recorded."""
    title: str | None = None
    entries: list[tuple[StepLine, str | None, int | None]] = field(default_factory=list)
    """Each line with its key and the version it became."""
    messages: int = 0
    exchanges: int = 0
    compactions: int = 0


def perform(work: BatchWork, step: TranscriptStep) -> list[int]:
    """The versions of what a step became: one, or one for each exchange that a message has results of."""
    writer = work.batch
    writer = writer if step.at is None else writer.occurred(step.at)
    writer = writer if step.actor is None else writer.by(step.actor)
    if step.leaves:
        _leave(work, writer, step.leaves)
    match step.action:
        case TranscriptMessage() as spoken:
            return _say(work, writer, spoken)
        case TranscriptCompaction() as compacted:
            return _compact(work, writer, compacted)
        case TranscriptPrompt(text):
            return [writer.set_system_prompt(text)]
        case TranscriptTitle(title) if title != work.title:
            work.title = title
            return [writer.details.rename(title)]
    return []


def _leave(work: BatchWork, writer: ImportBatch, keys: Sequence[str]) -> None:
    """Takes what a rewind left behind out of the window. Nothing is lost: it stays in the record."""
    live = {item.id for item in writer.state.live()}
    gone = sorted({version for key in keys if (version := work.versions.get(key)) in live and version})
    if gone:
        writer.items.remove(*gone, window=MAIN_WINDOW, why="left behind by a rewind")


def _compact(work: BatchWork, writer: ImportBatch, compacted: TranscriptCompaction) -> list[int]:
    live = [item.id for item in writer.state.live(compacted.window) if item.type in _SPOKEN]
    if compacted.forgets is not None:
        forgotten = {work.versions.get(key) for key in compacted.forgets}
        live = [item for item in live if item in forgotten]
    kept = {work.versions.get(key) for key in compacted.keeps}
    live = [item for item in live if item not in kept]
    if not live:
        if compacted.summary is None:
            return []
        windows = (compacted.window,)
        writer = writer.of_origin("model")
        version = writer.message(compacted.summary, role=Role.USER, kind="summary", windows=windows)
        work.messages += 1
        return [version]
    summarized = compacted.summary is not None
    version = writer.window.compacted(
        compacted.summary,
        summarized=live if summarized else (),
        dropped=() if summarized else live,
        algorithm=work.format,
        window=compacted.window,
        trigger=compacted.trigger,
        tokens_before=compacted.tokens_before,
    )
    work.compactions += 1
    return [version]


def _say(work: BatchWork, writer: ImportBatch, spoken: TranscriptMessage) -> list[int]:
    """Writes a message, or for results of several exchanges one for each, and the call of the model that led to it."""
    # A message with results is their tool's.
    said = writer if spoken.origin is None or spoken.answers else writer.of_origin(spoken.origin)
    versions = [
        said.message(message, format=spoken.format, kind=spoken.kind, windows=spoken.windows)  # type: ignore[arg-type]
        for message in _parted(writer.state, spoken)
    ]
    if any(version in writer.state.open_calls.values() for version in versions):
        work.exchanges += 1
    else:
        work.messages += not spoken.answers
    if spoken.call is not None and spoken.joins not in work.called:
        _note_call(writer, spoken.call, versions[0])
    if spoken.joins is not None:
        work.called.add(spoken.joins)
    return versions


def _parted(state: ContextState, spoken: TranscriptMessage) -> list[dict[str, Any]]:
    """The message as it is or, where its results answer calls of several messages, one message for each of those. A
    result without a live call is left out; where nothing else is said, that is an error."""
    content = spoken.message["content"]
    if not isinstance(content, list) or spoken.message["role"] != "user":
        return [spoken.message]
    results = [block for block in content if isinstance(block, dict) and block.get("type") == "tool_result"]
    if not results:
        return [spoken.message]
    formats.parse(spoken.format, spoken.message)
    others = [block for block in content if block not in results]
    exchanges: dict[int, list[Any]] = {}
    for block in results:
        exchange = state.open_calls.get(block["tool_use_id"])
        if exchange is not None and exchange in state.items:
            exchanges.setdefault(exchange, []).append(block)
    if len(exchanges) == 1 and len(next(iter(exchanges.values()))) == len(results):
        return [spoken.message]
    groups = list(exchanges.values())
    if others:
        groups = [*groups[:-1], [*groups[-1], *others]] if groups else [others]
    if not groups:
        raise NoLiveCall("the results answer no live call of this session.")
    return [spoken.message | {"content": blocks} for blocks in groups]


def _note_call(writer: ImportBatch, call: ModelCall, message: int) -> None:
    # Numbers that cannot be are no reason to lose the message; they stay in its line.
    with suppress(InvalidInput):
        writer.model_called(
            None,
            call.model,
            call.usage,
            provider=call.provider,
            request_id=call.request_id,
            message=message,
            latency_ms=call.latency_ms,
            stop_reason=call.stop_reason,
        )
