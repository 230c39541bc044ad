"""The calls of models and the recorded prompts of a session."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import Bytes
from backstory.application.queries.read_models import read_items
from backstory.application.runtime import Runtime
from backstory.domain.events import ContextAssembled, Event, ModelCalled, Section
from backstory.domain.log.ranges import from_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.records import Item
from backstory.domain.values import version_number, whole_number

MOST_ENTRIES = 1000
"""Of one result."""


class CallRecord(NamedTuple):
    """A call of a model, as the log holds it."""

    version: int
    at: datetime
    """The time at which it occurred."""
    actor: str | None
    live: bool
    """Whether it leads to the newest version; otherwise a backtrack left it."""
    model: str
    provider: str | None
    request_id: str | None
    assembly: int | None
    """The context that was sent, by its version."""
    message: int | None
    """The message that answered, by its version."""
    assembled_tokens: int | None
    """The tokens of that context, as they were counted here."""
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    cache_write_tokens: int | None
    reasoning_tokens: int | None
    latency_ms: float | None
    stop_reason: str | None
    cost_usd: float | None
    parameters: Mapping[str, Any] | None
    """Temperature and the like; None where none were given or they were erased."""
    error: str | None


class PromptPart(NamedTuple):
    """One section of a recorded prompt."""

    name: str
    tokens: int
    items: tuple[int, ...]
    """The items in it; of the section memory, versions of the project."""
    shown: int | None
    """See `Section.shown`."""
    origins: Mapping[str, int]
    """The number of its items by the place that they come from; empty for memories."""


class PromptRecord(NamedTuple):
    """A context that was recorded, as the log holds it. `reproduce` gives its exact bytes."""

    version: int
    at: int
    """The version whose state it shows."""
    made_at: datetime
    """The time that it was made for."""
    live: bool
    """Whether it leads to the newest version; otherwise a backtrack left it."""
    agent: str | None
    window: str
    format: str
    policy: str
    budget: int
    reserve: int
    tokens: int
    size: int
    """Its number of bytes."""
    sha256: str
    query: str | None
    """The query by which older items were chosen; None without one, or where it was erased."""
    tools: tuple[str, ...]
    """The names of the tools that were sent with it."""
    parts: tuple[PromptPart, ...]
    left_out: Mapping[str, int]
    """The number of items left out, by reason."""
    calls: tuple[int, ...]
    """The calls that were made with it, by their versions."""


class CallReader:
    """Lists the calls and the prompts of a session, abandoned branches included, the newest first."""

    def __init__(self, runtime: Runtime, session: UUID) -> None:
        newest = runtime.require_head(session).version
        self._runtime, self._session = runtime, session
        self._reader = ContentReader(runtime, runtime.reader.log_of(session, newest))
        self._branch = runtime.reader.lineage(session, newest)

    def calls(self, before: int | None, limit: int) -> list[CallRecord]:
        """The calls before a version."""
        events, contents = self._page(ModelCalled.type, before, limit)
        return [_call(event, contents, self._branch.contains(event.version)) for event in events]

    def prompts(self, before: int | None, limit: int) -> list[PromptRecord]:
        """The recorded contexts before a version."""
        events, contents = self._page(ContextAssembled.type, before, limit)
        calls: dict[int, list[int]] = {}
        for call in self._reader.events_of_type(ModelCalled.type) if events else ():
            if isinstance(call.body, ModelCalled) and call.body.assembly is not None:
                calls.setdefault(call.body.assembly, []).append(call.version)
        named = sorted({item for event in events for section in _sections(event) for item in section})
        items = {item.id: item for item in read_items(self._runtime, self._session, named)}
        return [
            _prompt(
                event, contents, items, self._branch.contains(event.version), calls.get(event.version, ())
            )
            for event in events
        ]

    def _page(self, type_: str, before: int | None, limit: int) -> tuple[list[Event], Bytes]:
        if before is not None:
            version_number("before", before)
        whole_number("limit", limit, minimum=1, maximum=MOST_ENTRIES)
        found = [v for v in self._reader.versions_of_type(type_) if before is None or v < before]
        events, contents = self._reader.events_and_bytes(found[-limit:])
        return [events[version] for version in sorted(events, reverse=True)], contents


def _sections(event: Event) -> list[list[int]]:
    assert isinstance(event.body, ContextAssembled)
    return [list(from_ranges(section.items)) for section in event.body.sections if section.name != "memory"]


def _call(event: Event, contents: Bytes, live: bool) -> CallRecord:
    body = event.body
    assert isinstance(body, ModelCalled)
    parameters = _text(event, body.parameters, contents)
    return CallRecord(
        version=event.version,
        at=event.occurred_at,
        actor=event.actor,
        live=live,
        model=body.model,
        provider=body.provider,
        request_id=body.request_id,
        assembly=body.assembly,
        message=body.message,
        assembled_tokens=body.assembled_tokens,
        input_tokens=body.input_tokens,
        output_tokens=body.output_tokens,
        cached_tokens=body.cached_tokens,
        cache_write_tokens=body.cache_write_tokens,
        reasoning_tokens=body.reasoning_tokens,
        latency_ms=body.latency_ms,
        stop_reason=body.stop_reason,
        cost_usd=body.cost_usd,
        parameters=None if parameters is None else json.loads(parameters),
        error=_text(event, body.error, contents),
    )


def _prompt(
    event: Event, contents: Bytes, items: Mapping[int, Item], live: bool, calls: Sequence[int]
) -> PromptRecord:
    body = event.body
    assert isinstance(body, ContextAssembled)
    tools = _text(event, body.tools, contents)
    return PromptRecord(
        version=event.version,
        at=body.at,
        made_at=body.as_of,
        live=live,
        agent=body.agent,
        window=body.window,
        format=body.format,
        policy=body.policy,
        budget=body.budget,
        reserve=body.reserve,
        tokens=body.tokens,
        size=body.prompt_bytes,
        sha256=body.prompt_sha256,
        query=_text(event, body.query, contents),
        tools=() if tools is None else tuple(map(_tool_name, json.loads(tools))),
        parts=tuple(_part(section, items) for section in body.sections),
        left_out=body.left_out,
        calls=tuple(calls),
    )


def _part(section: Section, items: Mapping[int, Item]) -> PromptPart:
    held = tuple(from_ranges(section.items))
    origins: dict[str, int] = {}
    for item in held if section.name != "memory" else ():
        if item in items:
            origins[items[item].origin] = origins.get(items[item].origin, 0) + 1
    return PromptPart(section.name, section.tokens, held, section.shown, origins)


def _tool_name(tool: Mapping[str, Any]) -> str:
    """A tool's name, as OpenAI or Anthropic has it."""
    function = tool.get("function")
    return str((function if isinstance(function, dict) else tool).get("name", ""))


def _text(event: Event, ref: ContentRef | None, contents: Bytes) -> str | None:
    data = None if ref is None else contents.get((event.version, ref.part))
    return None if data is None else data.decode(errors="replace")
