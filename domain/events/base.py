"""The envelope that every event has, the bodies that tell them apart, and how old and unknown bodies are read."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from backstory.domain.effects import NO_EFFECTS, Effects
from backstory.domain.errors import InvalidInput
from backstory.domain.values import Value, label

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

BODIES: dict[str, type["EventBody"]] = {}


class EventBody(Value):
    """The body of one type of event. Subclasses name their type and, once fields change, raise `schema_version`
    and give the step from each older version in `upcasters`.

    A type outside Backstory has a namespace: ``type = "acme:deploy.finished"``.
    """

    type: ClassVar[str]
    schema_version: ClassVar[int] = 1
    upcasters: ClassVar[dict[int, Upcaster]] = {}
    verbs: ClassVar[tuple[str, ...]] = ()
    """The verbs that the effects of Backstory's own events may use: see `backstory.domain.effects`."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        name = cls.__dict__.get("type")
        if name is None:
            return
        label("type", name)
        own = cls.__module__.startswith("backstory.domain.events.")
        if not own and ":" not in name.strip(":"):
            raise InvalidInput("type", f"{name!r} needs a namespace, as in 'acme:{name}'")
        known = BODIES.get(name)
        if known is not None and (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise InvalidInput("type", f"{name!r} is already the type of {known.__qualname__}")
        missing = [v for v in range(1, cls.schema_version) if v not in cls.upcasters]
        if missing:
            raise InvalidInput("upcasters", f"{name!r} has no step from schema version {missing[0]}")
        BODIES[name] = cls

    def derived_from(self) -> tuple[int, ...]:
        """The items whose words its contents were made from. Where such an item is erased, so are these."""
        return ()

    def encode(self) -> bytes:
        """The payload: what differs from the defaults, as UTF-8 JSON."""
        return self.model_dump_json(exclude_defaults=True).encode()


class UnknownBody(BaseModel):
    """A payload this version of the code cannot read: a type it does not know, or a newer schema of one it does.
    It is carried as it was stored; the event's effects apply all the same."""

    model_config = ConfigDict(frozen=True)

    payload: bytes

    def encode(self) -> bytes:
        return self.payload


class Event(BaseModel):
    """An immutable fact at one version of one stream."""

    model_config = ConfigDict(frozen=True)

    stream: UUID
    version: int
    type: str
    schema_version: int
    recorded_at: datetime
    occurred_at: datetime
    actor: str | None
    caller: str | None = None
    cause: int | None
    epoch: int
    body: EventBody | UnknownBody
    effects: Effects

    @property
    def originator_id(self) -> UUID:
        """The session's id, under the name that the eventsourcing library gives it."""
        return self.stream

    @property
    def originator_version(self) -> int:
        """The version, under the name that the eventsourcing library gives it."""
        return self.version


class Change(NamedTuple):
    """An event about to be appended: what it says and what it does."""

    body: EventBody | UnknownBody
    effects: Effects = NO_EFFECTS

    @property
    def type(self) -> str:
        """The type of the event."""
        assert isinstance(self.body, EventBody)
        return self.body.type


def decode_body(type_: str, schema_version: int, payload: bytes) -> EventBody | UnknownBody:
    """The body of a stored event, upcast when it is old, carried as it is when it is unknown or newer."""
    model = BODIES.get(type_)
    if model is None or schema_version > model.schema_version or schema_version < 1:
        return UnknownBody(payload=payload)
    if schema_version == model.schema_version:
        try:
            return model.model_validate_json(payload)
        except ValidationError:
            return UnknownBody(payload=payload)
    fields = json.loads(payload)
    for version in range(schema_version, model.schema_version):
        fields = model.upcasters[version](fields)
    try:
        return model.model_validate(fields)
    except ValidationError:
        return UnknownBody(payload=payload)
