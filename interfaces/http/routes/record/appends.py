"""Several writes at once: together, or line by line; and events of types of one's own."""

import json
from collections.abc import AsyncIterator
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import BaseModel, Field, TypeAdapter, ValidationError, create_model
from starlette.concurrency import run_in_threadpool

from backstory.application.session import Session
from backstory.application.writer import Writer
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.access import Action
from backstory.domain.effects import Effects
from backstory.domain.errors import BackstoryError, InvalidInput
from backstory.domain.events.base import BODIES, EventBody
from backstory.domain.trust import Origin
from backstory.domain.values import refusal, rule
from backstory.interfaces.documents.messages import bytes_of
from backstory.interfaces.documents.sessions import AppendedDocument, WrittenDocument
from backstory.interfaces.http.bodies import Body, Time
from backstory.interfaces.http.conditional import LONGEST_KEY
from backstory.interfaces.http.requests import OpenSession, WriteHeaders
from backstory.interfaces.http.responses import LINES_TYPE
from backstory.interfaces.http.routing import Routes
from backstory.interfaces.http.verbs import VERBS, Verb

routes = Routes("writes")

MOST_OPERATIONS = 1000
"""Of one transaction: it holds the session's lock while it is appended."""
LONGEST_LINE = 32 * 2**20
"""Bytes of a line: a content of the largest size as base64, and what is around it."""


class Operation(Body):
    """A write among several."""

    actor: str | None = Field(
        default=None, description="The agent or person who writes; by default the actor."
    )
    occurred_at: Time | None = Field(default=None, description="The time of it.")
    cause: int | None = Field(default=None, ge=1, description="The version of the event that caused it.")
    origin: Origin | None = Field(default=None, description="The place that it comes from.")

    def writer(self, writer: Any) -> Any:
        """The session or the transaction, as this write has it."""
        writer = writer if self.actor is None else writer.by(self.actor)
        writer = writer if self.occurred_at is None else writer.occurred(self.occurred_at)
        writer = writer if self.cause is None else writer.caused_by(self.cause)
        return writer if self.origin is None else writer.of_origin(self.origin)


def _operation(verb: Verb) -> type[BaseModel]:
    named: Any = (Literal[verb.name], Field(description="The method's name in Python."))
    return create_model(f"{verb.body.__name__}Operation", __base__=(Operation, verb.body), do=named)


_OPERATIONS = {verb.name: _operation(verb) for verb in VERBS.values()}
_ANY: Any = Annotated[reduce(or_, _OPERATIONS.values()), Field(discriminator="do")]
_READ: TypeAdapter[Any] = TypeAdapter(_ANY)


class Operations(Body):
    """Writes that are committed together or not at all."""

    operations: list[_ANY] = Field(
        min_length=1, max_length=MOST_OPERATIONS, description="The writes, in their order."
    )


@routes.post("/sessions/{session}/atomic", Action.APPEND, status_code=201)
def atomic(session: OpenSession, body: Operations) -> AppendedDocument:
    """Write several changes together, or none of them."""
    with session.atomic() as transaction:
        tickets = [_apply(transaction, operation) for operation in body.operations]
    return AppendedDocument(session=session.id, versions=[transaction.version_of(one) for one in tickets])


_LINES = {
    "requestBody": {
        "required": True,
        "description": "A write on each line, as the `operations` of `atomic` are.",
        "content": {LINES_TYPE: {"schema": {"type": "string"}}},
    }
}


@routes.post(
    "/sessions/{session}/events", Action.APPEND, status_code=201, streamed=True, openapi_extra=_LINES
)
async def append_lines(request: Request, session: OpenSession) -> AppendedDocument:
    """Write line by line, as the lines arrive: JSON objects, as the `operations` of `atomic` are.

    Each line is committed by itself. The first that is refused ends it: the problem names the `line`, and those
    before it stay. Repeated under the same key, a request goes on where it ended."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != LINES_TYPE:
        raise InvalidInput("Content-Type", f"must be {LINES_TYPE}")
    write: WriteHeaders = request.state.write
    versions: list[int] = []
    async for number, line in _numbered(request):
        key = None if write.key is None else f"{write.key[: LONGEST_KEY - 12]}:{number}"
        try:
            versions.append(await run_in_threadpool(_append, session, line, key))
        except BackstoryError as error:
            error.line = number  # type: ignore[attr-defined]
            raise
    return AppendedDocument(session=session.id, versions=versions)


class ContentToSeal(Body):
    """A content of an event."""

    text: str | None = Field(default=None, description="Its bytes where they are UTF-8.")
    data: str | None = Field(default=None, description="Its bytes as base64 where they are not.")
    media_type: str = Field(default="text/plain", description="Its media type.")


class EventToRecord(Body):
    """An event of a type of your own."""

    type: str = Field(description="Its type, with its namespace. The service must know it.")
    payload: dict[str, Any] = Field(
        default={}, description='Its fields. A content is named by {"$content": name}.'
    )
    effects: dict[str, Any] = Field(default={}, description="What it does to the read models, by verb.")
    contents: dict[str, ContentToSeal] = Field(default={}, description="Its contents, by name.")


@routes.post("/sessions/{session}/record", Action.APPEND, status_code=201)
def record(session: OpenSession, body: EventToRecord) -> WrittenDocument:
    """Append an event of a type of your own, with what it does to the read models."""
    kind = BODIES.get(body.type)
    if kind is None:
        raise InvalidInput("type", f"{body.type!r} is not known to this service: it must import its class")
    bundle = ContentBundle()
    sealed = {
        name: bundle.seal(
            f"contents.{name}", bytes_of(f"contents.{name}", one.text, one.data), one.media_type
        )
        for name, one in body.contents.items()
    }
    payload = _named(body.payload, {name: ref.model_dump(mode="json") for name, ref in sealed.items()})
    event: EventBody = _read("payload", TypeAdapter(kind), payload)
    effects: Effects = _read("effects", TypeAdapter(Effects), body.effects)
    version = session.record(event, effects=effects, contents=bundle)
    return WrittenDocument(session=session.id, version=version)


def _apply(writer: Writer, operation: Any) -> int:
    return VERBS[operation.do].apply(operation.writer(writer), operation)


def _append(session: Session, line: bytes, key: str | None) -> int:
    try:
        operation = _READ.validate_json(line)
    except ValidationError as error:
        raise refusal(error, "line") from None
    return _apply(session if key is None else session.once(key), operation)


async def _numbered(request: Request) -> AsyncIterator[tuple[int, bytes]]:
    """The lines of the body that are not empty, with their numbers."""
    rest, number = b"", 0
    async for chunk in request.stream():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            number += 1
            if line.strip():
                yield number, line
        if len(rest) > LONGEST_LINE:
            raise InvalidInput("line", f"must have at most {LONGEST_LINE} bytes")
    if rest.strip():
        yield number + 1, rest


_CONTENT = "$content"


def _named(value: Any, sealed: dict[str, Any]) -> Any:
    """A payload with the references of its contents."""
    if isinstance(value, dict):
        if set(value) == {_CONTENT}:
            name = value[_CONTENT]
            if not isinstance(name, str) or name not in sealed:
                raise InvalidInput("payload", f"names a content {name!r} that is not among `contents`")
            return sealed[name]
        return {name: _named(inner, sealed) for name, inner in value.items()}
    return [_named(inner, sealed) for inner in value] if isinstance(value, list) else value


def _read(field: str, adapter: TypeAdapter[Any], value: Any) -> Any:
    try:
        return adapter.validate_json(json.dumps(value))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InvalidInput(".".join([field, *map(str, first["loc"])]), rule(first["msg"])) from None
