"""The library's methods as requests. Each class of a served store is one of the library's, with a request in place of
each method; paths, names and types come from the signatures, as they do on the service's side (`http.verbs`)."""

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import update_wrapper
from importlib import import_module
from types import FunctionType
from typing import Any, TypeVar, get_type_hints

import backstory
from backstory.domain.errors import OnlyInProcess
from backstory.interfaces.client import records  # noqa: F401
from backstory.interfaces.client.arguments import as_json, as_query, refuse_functions
from backstory.interfaces.client.results import value_of
from backstory.interfaces.http.verbs import ALONE, VERBS, Verb

Part = TypeVar("Part")
WRITES: Mapping[str, Verb] = {**VERBS, **{verb.name: verb for verb in ALONE}}
"""The writes that return a version, by name."""

IN_PROCESS = "oip"


@dataclass(frozen=True)
class Call:
    """The request that a method is: a GET with a query or a POST with a body, at the path of the method's name."""

    method: str
    path: str | None = None
    """The path below the session, where it is another. `{item}` is the argument of that name."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of parameters in queries, where they differ: what may be repeated is singular there."""
    read: Callable[[Any], Any] | None = None
    """Reads the answer, where that is not a document of the method's result."""
    keyed: bool = True
    """Whether the write takes an idempotency key."""
    here: Mapping[str, str] = field(default_factory=dict)
    """Parameters that only the process of the database can use, each with the reason."""
    paged: bool = False
    """Whether the answer comes in pages, all of which are read."""
    accesses: bool = False
    """Whether it is a write only where it records an access, which `record=False` turns off."""
    by_agent: bool = False
    """Whether only what an agent asks for is an access."""


def get(path: str | None = None, **more: Any) -> Call:
    """What only reads."""
    return Call("GET", path, **more)


def post(path: str | None = None, **more: Any) -> Call:
    """What writes."""
    return Call("POST", path, **more)


def over_http(
    group: str = "", *, local: Collection[str] = (), absent: Mapping[str, str] | None = None, **calls: Call
) -> Callable[[type[Part]], type[Part]]:
    """Fills a class: a request for each public method of the class that it is made from. `local` ones are made of
    others; `absent` ones have a reason why a client has no such call. A method that is none of these raises
    OnlyInProcess too, until it has its route."""

    reasons = absent or {}

    def fill(kind: type[Part]) -> type[Part]:
        for name, method in methods_of(kind.__mro__[1]):
            qualified = f"{group}.{name}" if group else name
            if name in vars(kind) or name in local:
                continue
            if name in calls:
                made = _requested(method, qualified, calls[name])
            elif qualified in WRITES and name not in reasons:
                made = _written(method, WRITES[qualified])
            else:
                made = _refused(method, qualified, reasons.get(name))
            setattr(kind, name, made)
        return kind

    return fill


def methods_of(kind: type) -> list[tuple[str, Callable[..., Any]]]:
    """The public methods of a class, those that it inherits included."""
    return [
        (name, method)
        for name in dir(kind)
        if not name.startswith("_") and isinstance(method := inspect.getattr_static(kind, name), FunctionType)
    ]


def _written(method: Callable[..., Any], verb: Verb) -> Callable[..., Any]:
    """A write that returns a version: the same request that the service has made from its signature."""
    signature = inspect.signature(method)
    path = f"/{verb.path}"

    def write(self: Any, /, *args: Any, **named: Any) -> int:
        given = _given(signature, (self, *args), named)
        done: int = self._handle.apply(verb.name, path, _body(given))
        return done

    return update_wrapper(write, method)


def _requested(method: Callable[..., Any], name: str, call: Call) -> Callable[..., Any]:
    signature = inspect.signature(method)
    template = "/" + name.replace(".", "/").replace("_", "-") if call.path is None else call.path
    placeholders = re.findall(r"\{(\w+)\}", template)
    result = _Result(method, call)

    def request(self: Any, /, *args: Any, **named: Any) -> Any:
        given = _given(signature, (self, *args), named)
        for parameter, reason in call.here.items():
            if given.pop(parameter, None) is not None:
                raise OnlyInProcess(f"{parameter}: {reason}")
        path = template.format(**{name: as_query(name, given.pop(name)) for name in placeholders})
        if call.accesses:
            recorded = given.pop("record", True)
            asked_for = not call.by_agent or given.get("agent") or self._handle.actor
        if call.method == "POST" or (call.accesses and recorded and asked_for):
            return result.of(self._handle.post(path, _body(given), keyed=call.keyed).document)
        sent = {call.names.get(name, name): value for name, value in given.items()}
        query = {name: as_query(name, value) for name, value in sent.items() if value is not None}
        if not call.paged:
            return result.of(self._handle.read(path, query).document)
        return result.of(_all_pages(self._handle, path, query))

    return update_wrapper(request, method)


def _all_pages(handle: Any, path: str, query: dict[str, Any]) -> dict[str, Any]:
    """The documents of all pages as one."""
    whole: dict[str, Any] = handle.read(path, query).document
    found = _entries(whole)
    following = whole["next"]
    while following is not None:
        page = handle.read(path, {**query, "after": str(following)}).document
        found += _entries(page)
        following = page["next"]
    return whole


def _entries(document: dict[str, Any]) -> list[Any]:
    """The list in a document that has one."""
    return next(value for value in document.values() if isinstance(value, list))


class _Result:
    """The result of a method, read from a document. Its type is looked up when it is first needed."""

    def __init__(self, method: Callable[..., Any], call: Call) -> None:
        self._method = method
        self._call = call
        self._kind: Any = None

    def of(self, document: Any) -> Any:
        if self._call.read is not None:
            return self._call.read(document)
        if self._kind is None:
            self._kind = returned(self._method)
        if self._kind is int or self._kind == int | None:
            return document["version"]
        listed = getattr(self._kind, "__origin__", None) in (list, tuple)
        return value_of(self._kind, _entries(document) if listed and isinstance(document, dict) else document)


def returned(method: Callable[..., Any]) -> Any:
    """The type that a method returns."""
    inner = inspect.unwrap(method)

    def alone() -> None:
        """Has the annotation of the result and no other: parameters may have types that exist for checkers only."""

    alone.__annotations__ = {"return": inner.__annotations__["return"]}
    return get_type_hints(alone, vars(import_module(inner.__module__)), _PublicNames())["return"]


class _PublicNames(dict[str, Any]):
    """The library's public names, for results that are imported for type checkers only."""

    def __missing__(self, name: str) -> Any:
        if name not in backstory.__all__:
            raise KeyError(name)
        return getattr(backstory, name)


def _given(signature: inspect.Signature, args: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a caller gave, by parameter. Those that equal their default are left out."""
    bound = signature.bind(*args, **named).arguments
    given = {}
    for name, value in list(bound.items())[1:]:
        parameter = signature.parameters[name]
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            given.update(value)
        elif parameter.default is parameter.empty or not _same(value, parameter.default):
            refuse_functions(name, value)
            given[name] = value
    return given


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


def _body(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: as_json(name, value) for name, value in given.items()}


def _refused(method: Callable[..., Any], name: str, reason: str | None) -> Callable[..., Any]:
    said = reason or "the service has no such call."

    def refuse(self: Any, /, *args: Any, **named: Any) -> Any:
        raise OnlyInProcess(f"{name}: {said}")

    made = update_wrapper(refuse, method)
    vars(made)[IN_PROCESS] = said
    return made
