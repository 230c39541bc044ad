"""The asynchronous store, session, transaction and agent offer what the synchronous ones do, group by group."""

import inspect
from functools import cached_property
from typing import Any, get_type_hints

import pytest

from backstory.application.aio.project import AsyncProject
from backstory.application.aio.session import AsyncContextAgent, AsyncSession, AsyncTransaction
from backstory.application.aio.store import AsyncContextStore
from backstory.application.memory.project import Project
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.application.tiers.agents import ContextAgent
from backstory.application.transaction import Transaction

PAIRS = [
    (ContextStore, AsyncContextStore),
    (Session, AsyncSession),
    (Transaction, AsyncTransaction),
    (ContextAgent, AsyncContextAgent),
    (Project, AsyncProject),
]


def public(cls: type) -> set[str]:
    return {name for name in dir(cls) if not name.startswith("_")}


def groups(cls: type) -> dict[str, type]:
    found = ((name, inspect.getattr_static(cls, name)) for name in public(cls))
    return {
        name: get_type_hints(value.func)["return"]
        for name, value in found
        if isinstance(value, cached_property)
    }


@pytest.mark.parametrize(("plain", "awaited"), PAIRS, ids=lambda cls: cls.__name__)
def test_the_names_are_the_same(plain: type, awaited: type) -> None:
    assert public(awaited) == public(plain)


@pytest.mark.parametrize(("plain", "awaited"), PAIRS, ids=lambda cls: cls.__name__)
def test_the_groups_have_the_same_names(plain: type, awaited: type) -> None:
    of_plain, of_awaited = groups(plain), groups(awaited)
    assert set(of_awaited) == set(of_plain)
    assert {name: public(group) for name, group in of_awaited.items()} == {
        name: public(group) for name, group in of_plain.items()
    }


@pytest.mark.parametrize(("plain", "awaited"), PAIRS, ids=lambda cls: cls.__name__)
def test_the_parameters_are_the_same(plain: type, awaited: type) -> None:
    for first, second in [
        (plain, awaited),
        *zip(groups(plain).values(), _in_order(plain, awaited), strict=True),
    ]:
        for name in public(first):
            method = getattr(first, name)
            if inspect.isfunction(method) or inspect.ismethod(method):
                assert _parameters(getattr(second, name)) == _parameters(method), f"{second.__name__}.{name}"


def test_a_session_has_about_forty_names_and_its_groups() -> None:
    assert len(public(Session) - set(groups(Session))) <= 42
    assert set(groups(Session)) == {
        "items",
        "decisions",
        "work",
        "progress",
        "details",
        "window",
        "checkpoints",
        "tiers",
        "memory",
        "safety",
        "views",
        "artifacts",
        "triggers",
    }


def _in_order(plain: type, awaited: type) -> list[type]:
    return [groups(awaited)[name] for name in groups(plain)]


def _parameters(method: Any) -> list[tuple[str, Any, Any]]:
    return [(one.name, one.kind, one.default) for one in inspect.signature(method).parameters.values()]
