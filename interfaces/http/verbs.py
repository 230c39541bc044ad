"""The writes of `Writer`: each has a route, and is an operation of `atomic`. Their bodies are made from the signatures,
so that a field is named as in Python."""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic import Field, create_model

from backstory.application.artifacts.project_artifacts import ProjectArtifacts
from backstory.application.context.result import Context
from backstory.application.memory.project import Project
from backstory.application.safety.session_safety import Safety
from backstory.application.session import Session
from backstory.application.writer import Writer
from backstory.application.writing.conversation import Content
from backstory.domain.commands.windows import Policy
from backstory.domain.memory.values import Source
from backstory.domain.messages.contents import Part
from backstory.domain.values import build
from backstory.interfaces.documents.messages import NeutralMessageDocument, PartDocument
from backstory.interfaces.http.bodies import Body, Time
from backstory.interfaces.http.parameters import description
from backstory.interfaces.http.policies import ChosenPolicyBody


class Verb(NamedTuple):
    """A write of a session or a transaction, by its name in Python, such as `work.set_goal`."""

    name: str
    method: Callable[..., int]
    body: type[Body]

    @property
    def path(self) -> str:
        """Its path below the session."""
        return self.name.replace(".", "/").replace("_", "-")

    @property
    def operation(self) -> str:
        """Its operation id."""
        return self.name.replace(".", "_")

    def apply(self, writer: Writer | Project, body: Body) -> int:
        """Does it."""
        positional: list[Any] = []
        named = {}
        for parameter in parameters_of(self.method):
            value = given(parameter.name, getattr(body, parameter.name), getattr(body, "format", None))
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                positional += value
            else:
                named[parameter.name] = value
        holder: Any = writer
        *groups, name = self.name.split(".")
        for group in groups:
            holder = getattr(holder, group)
        done: int = getattr(holder, name)(*positional, **named)
        return done


def parameters_of(method: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters that a caller gives."""
    return list(inspect.signature(method).parameters.values())[1:]


def _verbs(writer: type[Writer], besides: Collection[str]) -> Iterator[Verb]:
    for name, method in _methods(writer):
        if name not in besides and method.__annotations__.get("return") is int:
            yield Verb(name, method, _body_of(name, method))


def _methods(writer: type[Writer]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public methods of a writer and of its groups, by name. Memory is the project's, with routes of its own."""
    owners: dict[str, type] = {"": writer}
    for name, group in vars(writer).items():
        if isinstance(group, cached_property) and name != "memory":
            owners[f"{name}."] = get_type_hints(group.func)["return"]
    for prefix, owner in owners.items():
        for name, method in vars(owner).items():
            if inspect.isfunction(method) and not name.startswith("_"):
                yield prefix + name, method


def _body_of(name: str, method: Callable[..., int]) -> type[Body]:
    hints = get_type_hints(method)
    fields: dict[str, Any] = {}
    for parameter in parameters_of(method):
        annotation = _wire_type(hints[parameter.name])
        default = parameter.default
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            annotation, default = list[annotation], ...  # type: ignore[valid-type]
        elif default is parameter.empty:
            default = ...
        elif isinstance(default, tuple):
            default = list(default)
        fields[parameter.name] = (annotation, Field(default, description=description(name, parameter.name)))
    title = "".join(word.capitalize() for word in name.replace(".", "_").split("_"))
    return create_model(title, __base__=Body, __doc__=method.__doc__, **fields)


def _wire_type(annotation: Any) -> Any:
    """A parameter's type, as it is in JSON."""
    if annotation == Content:
        return str | dict[str, Any]
    if annotation == str | bytes | Sequence[Part]:
        return str | list[PartDocument]
    if annotation is Policy:
        return ChosenPolicyBody
    if annotation is Source:
        return Annotated[Source, Field(strict=False)]
    if annotation is datetime:
        return Time
    if get_origin(annotation) in (Union, UnionType):
        # A priority or a role is also a word that the domain reads. A context is named by its version.
        kinds = [kind for kind in get_args(annotation) if kind not in (Context, object)]
        kinds = [kind for kind in kinds if str not in kinds or kind in (str, type(None))]
        return reduce(or_, (_wire_type(kind) for kind in kinds))
    if get_origin(annotation) is Sequence:
        return list[_wire_type(get_args(annotation)[0])]  # type: ignore[misc]
    if get_origin(annotation) is Mapping:
        return dict[str, Any]
    return annotation


def given(name: str, value: Any, format: str | None = None) -> Any:
    """A value of a body as the library takes it."""
    if name in ("content", "answer") and isinstance(value, dict) and format is None:
        return build(NeutralMessageDocument, **value).message(name)
    if isinstance(value, ChosenPolicyBody):
        return value.chosen()
    if isinstance(value, list) and value and isinstance(value[0], PartDocument):
        return [part.part(f"{name}.{place}") for place, part in enumerate(value)]
    return value


VERBS: dict[str, Verb] = {verb.name: verb for verb in _verbs(Writer, besides=["record"])}
"""The writes of sessions and transactions, by name."""

PROJECT: tuple[Verb, ...] = tuple(
    Verb(f"safety.{method.__name__}", method, _body_of(f"safety.{method.__name__}", method))
    for method in (Safety.confirm, Safety.quarantine, Safety.release, Safety.clear)
) + tuple(
    Verb(f"artifacts.{method.__name__}", method, _body_of(f"artifacts.{method.__name__}", method))
    for method in (ProjectArtifacts.register, ProjectArtifacts.remove)
)
"""The writes of a project that return a version, besides those of its memory, which have routes of their own."""

ALONE: tuple[Verb, ...] = tuple(_verbs(Session, besides=VERBS))
"""The writes that a session has and a transaction has not."""
