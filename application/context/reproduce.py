"""Reproduces recorded contexts from the log, byte for byte, and finds the prompt behind a decision."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import Bytes
from backstory.application.context.rebuild import Gone, rebuild
from backstory.application.context.result import Context, Missing, ReportedCall, Reproduction
from backstory.application.runtime import Runtime
from backstory.domain.commands.memory import project_id
from backstory.domain.errors import InvalidInput, NotFound, UnknownVersion
from backstory.domain.events import (
    ContentsErased,
    ContextAssembled,
    DecisionConfirmed,
    DecisionNoticed,
    Event,
    ModelCalled,
)
from backstory.domain.events.conversation import MessageBody, ToolAnswered
from backstory.domain.log.lineage import Lineage
from backstory.domain.state import ContextState
from backstory.domain.values import version_number


def reproduce(runtime: Runtime, stream: UUID, version: int) -> Reproduction:
    """Rebuilds the context that was recorded at a version, and compares."""
    log = runtime.reader.log_of(stream, runtime.require_head(stream).version)
    event, contents, body = _assembled(runtime, log, version)
    owner = event.stream
    told = _Told(
        None if body.tools is None else contents.get(body.tools.part), _calls_of(runtime, log, version)
    )
    state = runtime.reader.state(owner, body.at)
    item_reader = ItemReader(runtime, owner, state, erasure=None)
    made = rebuild(item_reader, body)
    if isinstance(made, Gone):
        gone = (
            *_missing(runtime, log, state, made.items),
            *_missing_in_project(runtime, body, "memory", made.memories),
            *_missing_in_project(runtime, body, "files", made.files),
        )
        return _answer(version, body, told, missing=gone)
    context = Context.of(made, owner, version, body, tools=told.tools, in_pieces=True)
    return _answer(version, body, told, context=context)


class _Told(NamedTuple):
    """What was sent with a prompt, besides its messages."""

    tools: bytes | None
    calls: tuple[ReportedCall, ...]


def _calls_of(runtime: Runtime, log: Lineage, version: int) -> tuple[ReportedCall, ...]:
    """The calls after a context that name it."""
    after = Lineage(
        piece._replace(first=max(piece.first, version + 1)) for piece in log if piece.last > version
    )
    reader = ContentReader(runtime, after)
    calls = [call for call in reader.events_of_type(ModelCalled.type) if _assembly_of(call) == version]
    return tuple(map(partial(_reported, reader.bytes_of(call.version for call in calls)), calls))


def _assembly_of(call: Event) -> int | None:
    return call.body.assembly if isinstance(call.body, ModelCalled) else None


def _reported(contents: Bytes, call: Event) -> ReportedCall:
    body = call.body
    assert isinstance(body, ModelCalled)
    held = None if body.parameters is None else contents.get((call.version, body.parameters.part))
    return ReportedCall(call.version, body.model, body.provider, None if held is None else json.loads(held))


def _answer(
    version: int,
    body: ContextAssembled,
    told: _Told,
    *,
    missing: tuple[Missing, ...] = (),
    context: Context | None = None,
) -> Reproduction:
    found = context.sha256 if context is not None else None
    return Reproduction(
        version=version,
        at=body.at,
        format=body.format,
        ok=found == body.prompt_sha256,
        expected=body.prompt_sha256,
        found=found,
        missing=missing,
        context=context,
        tools=None if told.tools is None else json.loads(told.tools),
        calls=told.calls,
    )


def assembled_tokens(runtime: Runtime, stream: UUID, assembly: Context | int) -> int:
    """The tokens of a context that the session recorded, or that it has from the one it was forked from."""
    if not isinstance(assembly, Context):
        log = runtime.reader.log_of(stream, runtime.require_head(stream).version)
        return _assembled(runtime, log, version_number("assembly", assembly))[2].tokens
    if assembly.version is None:
        unrecorded = "a preview" if assembly.postponed is None else "to be recorded with its answer"
        raise InvalidInput("assembly", f"was {unrecorded}, and is not recorded")
    if assembly.session != stream:
        log = runtime.reader.log_of(stream, runtime.require_head(stream).version)
        inherited = log.contains(assembly.version) and log.owner(assembly.version) == assembly.session
        if not inherited:
            raise InvalidInput("assembly", "must be a context of this session, and is of another one")
    return assembly.tokens


def _assembled(
    runtime: Runtime, log: Lineage, version: int
) -> tuple[Event, dict[int, bytes], ContextAssembled]:
    if not log.contains(version):
        raise UnknownVersion(
            f"version {version} does not exist: the session has versions 1 to {log[-1].last}."
        )
    event, contents = ContentReader(runtime, log).events_with_contents([version])[version]
    if not isinstance(event.body, ContextAssembled):
        raise NotFound(f"version {version} is {event.type}, not an assembled context.")
    return event, contents, event.body


def _missing(
    runtime: Runtime, log: Lineage, state: ContextState, gone: dict[int, str]
) -> tuple[Missing, ...]:
    """The items of the context that were erased since, and when."""
    # An item that was revised no longer names the version of its first text, which a goal or a question still has.
    versions = {item: (item, *(state.items[item].versions if item in state.items else ())) for item in gone}
    erasures = _erasures(runtime, {log.owner(v) for held in versions.values() for v in held})
    return tuple(
        Missing(item, gone[item], next((erasures[v] for v in versions[item] if v in erasures), None))
        for item in sorted(gone)
    )


def _missing_in_project(
    runtime: Runtime, body: ContextAssembled, section: str, versions: tuple[int, ...]
) -> tuple[Missing, ...]:
    """The memories or files of the context that were erased since, and at which version of the project."""
    if body.project is None or not versions:
        return ()
    project = project_id(body.project)
    erasures = _erasures(runtime, {project}) if runtime.log.head(project) is not None else {}
    return tuple(Missing(version, section, erasures.get(version)) for version in versions)


def _erasures(runtime: Runtime, owners: set[UUID]) -> dict[int, int]:
    """The version at which each content was erased, from the log of the session that holds it."""
    found: dict[int, int] = {}
    for owner in owners:
        log = runtime.reader.log_of(owner, runtime.require_head(owner).version)
        for event in ContentReader(runtime, log).events_of_type(ContentsErased.type):
            if isinstance(event.body, ContentsErased):
                found.update({version: event.version for version, _ in event.body.erased})
    return found


class Saw(NamedTuple):
    """From a decision to the prompt behind it. What the log does not tell is None, and `gap` says what it is."""

    version: int
    message: int | None
    call: int | None
    model: str | None
    assembly: int | None
    reproduction: Reproduction | None
    gap: str | None
    parameters: Mapping[str, Any] | None = None
    """Temperature and the like, as they were given for the call."""


def saw(runtime: Runtime, stream: UUID, version: int) -> Saw:
    """Follows a version to the prompt behind it: decision → message → call → context → exact prompt. Begins at any
    decision, tool result, message, call or context. A tool result leads to the message that called the tool."""
    log = runtime.reader.log_of(stream, runtime.require_head(stream).version)
    if not log.contains(version):
        raise UnknownVersion(
            f"version {version} does not exist: the session has versions 1 to {log[-1].last}."
        )
    branch = runtime.reader.lineage(stream, runtime.require_head(stream).version)
    # A cause may stand on a branch that was left since: the call was made all the same.
    everything = ContentReader(runtime, log)
    event = everything.events([version])[version]
    message, call = _message_behind(everything, event), None
    if isinstance(event.body, ModelCalled):
        call = event
    elif isinstance(event.body, ContextAssembled):
        return Saw(version, None, None, None, version, reproduce(runtime, stream, version), None)
    elif message is not None:
        naming = ContentReader(runtime, branch) if branch.contains(version) else everything
        call = _call_behind(everything, naming, message)
    found = message.version if message is not None else None
    if call is None and message is not None and (context := _context_behind(everything, message)) is not None:
        return Saw(version, found, None, None, context, reproduce(runtime, stream, context), None)
    if call is None:
        what = (
            "no message is named as its cause"
            if message is None
            else "no model call is linked to its message"
        )
        return Saw(version, found, None, None, None, None, what)
    body = call.body
    assert isinstance(body, ModelCalled)
    parameters = _reported(everything.bytes_of([call.version]), call).parameters
    if body.assembly is None:
        gap = "the call names no assembled context"
        return Saw(version, found, call.version, body.model, None, None, gap, parameters)
    made = reproduce(runtime, stream, body.assembly)
    return Saw(
        version, found or body.message, call.version, body.model, body.assembly, made, None, parameters
    )


def _message_behind(reader: ContentReader, event: Event) -> Event | None:
    """The message that an event comes from: itself, the one it was noticed in, the one that called the tool whose
    result it is, or its cause."""
    seen: set[int] = set()
    while event.version not in seen:
        seen.add(event.version)
        if isinstance(event.body, ToolAnswered):
            cause: int | None = event.body.exchange
        elif isinstance(event.body, MessageBody | ModelCalled):
            return event if isinstance(event.body, MessageBody) else None
        else:
            cause = _behind(event)
        if cause is None or cause >= event.version:
            return None
        event = reader.events([cause])[cause]
    return None


def _behind(event: Event) -> int | None:
    """The event that an event comes from."""
    if isinstance(event.body, DecisionConfirmed):
        return event.body.candidate
    return event.body.source if isinstance(event.body, DecisionNoticed) else event.cause


def _context_behind(reader: ContentReader, message: Event) -> int | None:
    """The context that a message answers, where that is its cause itself: nobody told of the call."""
    if message.cause is None or message.cause >= message.version:
        return None
    cause = reader.events([message.cause])[message.cause]
    return cause.version if isinstance(cause.body, ContextAssembled) else None


def _call_behind(everything: ContentReader, naming: ContentReader, message: Event) -> Event | None:
    """The call that led to a message: its cause, or the first call after it that names it."""
    if message.cause is not None and message.cause < message.version:
        cause = everything.events([message.cause])[message.cause]
        if isinstance(cause.body, ModelCalled):
            return cause
    for call in naming.events_of_type(ModelCalled.type):
        if not isinstance(call.body, ModelCalled) or call.version < message.version:
            continue
        if call.body.message == message.version:
            return call
    return None
