"""Everything that Python can do can be done over HTTP."""

import inspect
from collections.abc import Iterator
from functools import cached_property
from types import FunctionType
from typing import get_type_hints

import pytest
from starlette.testclient import TestClient

from backstory.application.access.keys import Keys
from backstory.application.memory.project import Project
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.application.tasks.contexts import ProjectTasks
from backstory.application.tiers.agents import ContextAgent

HEADERS = "is a header of the request"
OPENING = "is made of others by the client"
BESIDE = "reads or writes files beside the caller"
EXCEPTIONS = {
    "Session.by": HEADERS,
    "Session.once": HEADERS,
    "Session.occurred": HEADERS,
    "Session.caused_by": HEADERS,
    "Session.of_origin": HEADERS,
    "Project.by": HEADERS,
    "Project.once": HEADERS,
    "Project.occurred": HEADERS,
    "Project.of_origin": HEADERS,
    "Session.agent": OPENING,
    "Session.atomically": OPENING,
    "Session.refresh": OPENING,
    "Session.window.on_alert": "calls back; `before-call` answers the alerts that it raises",
    "ContextStore.close": OPENING,
    "ContextStore.on_behalf_of": "is what the service does with the key",
    "ContextStore.sync": BESIDE,
    "ContextStore.anchor": BESIDE,
    "ContextStore.project": OPENING,
    "ContextStore.tasks": OPENING,
    "ContextStore.context_system": OPENING,
    "ProjectTasks.by": HEADERS,
    "Keys.exist": "is what the service asks itself",
    "Keys.caller": "is what the service asks itself",
    "Keys.caller_of_prefix": "is what the service asks itself",
    "Keys.note": "is what the service writes itself",
}
"""What has no route of its own, and why."""

ELSEWHERE = {
    "Session.at": "/sessions/{session}/state",
    "Session.tail": "/sessions/{session}/live",
    "Session.items.metadata": "/sessions/{session}/items/parts",
    "Session.tiers.weighed": "/sessions/{session}/tiers/items",
    "Session.memory.remember": "/sessions/{session}/memories",
    "Session.memory.supersede": "/projects/{project}/memories/{memory}/supersede",
    "Session.memory.forget": "/projects/{project}/memories/{memory}/forget",
    "Session.memory.recall": "/sessions/{session}/recall",
    "Project.remember": "/projects/{project}/memories",
    "Project.supersede": "/projects/{project}/memories/{memory}/supersede",
    "Project.forget": "/projects/{project}/memories/{memory}/forget",
    "Project.confirm": "/projects/{project}/memories/{memory}/confirm",
    "Project.dismiss": "/projects/{project}/memories/{memory}/dismiss",
    "Project.erase": "/projects/{project}/memories/{memory}/erase",
    "Project.memory": "/projects/{project}/memories/{memory}",
    "Project.history": "/projects/{project}/memories/{memory}/history",
    "Project.at": "/projects/{project}/state/data",
    "ContextStore.start": "/sessions",
    "ContextStore.session": "/sessions/{session}/version",
    "ContextStore.find": "/sessions/{session}/version",
    "ContextStore.summary": "/sessions/{session}/summary",
    "ContextStore.import_file": "/import",
    "ContextStore.purge": "/sessions/{session}/purge",
    "ContextStore.purge_memory": "/projects/{project}/purge-memory",
    "ContextStore.resume": "/sessions/{session}/continue",
    "Keys.create": "/keys",
    "Keys.list": "/keys",
    "ContextAgent.save_context_item": "/agents/{agent_id}/context/save",
    "ContextAgent.load_context": "/agents/{agent_id}/context",
    "ContextAgent.flash_save": "/agents/{agent_id}/context/flash-save",
    "ContextAgent.update_tiers": "/agents/{agent_id}/context/update-tiers",
    "ContextAgent.context_stats": "/agents/{agent_id}/context/stats",
    "ContextAgent.context_diff": "/agents/{agent_id}/context/diff",
}
"""Paths that do not follow from the name."""

ROOTS = {
    Session: "/sessions/{session}/",
    Project: "/projects/{project}/",
    ProjectTasks: "/projects/{project}/tasks/",
    ContextStore: "/",
    Keys: "/keys/",
    ContextAgent: "/agents/{agent_id}/context/",
}


def groups_of(kind: type) -> Iterator[tuple[str, type]]:
    yield "", kind
    found: dict[str, type] = {}
    for base in reversed(kind.__mro__):
        for name, group in vars(base).items():
            if isinstance(group, cached_property):
                found[f"{name}."] = get_type_hints(group.func)["return"]
    yield from found.items()


def methods() -> Iterator[tuple[str, str]]:
    """The public methods by their names, each with the path that follows from it."""
    for kind, root in ROOTS.items():
        for prefix, owner in groups_of(kind):
            for name in dir(owner):
                method = inspect.getattr_static(owner, name)
                if not name.startswith("_") and isinstance(method, FunctionType):
                    full = f"{prefix}{name}".removesuffix(".list")
                    yield f"{kind.__name__}.{prefix}{name}", root + full.replace(".", "/").replace("_", "-")


METHODS = dict(methods())


@pytest.fixture(scope="module")
def paths(client: TestClient) -> set[str]:
    described = client.get("/openapi.json").json()["paths"]
    return {path.removeprefix("/api").removeprefix("/v1").replace(":name}", "}") for path in described}


@pytest.mark.parametrize("name", sorted(set(METHODS) - set(EXCEPTIONS)))
def test_a_method_has_a_route(paths: set[str], name: str) -> None:
    assert ELSEWHERE.get(name, METHODS[name]) in paths


def test_every_exception_names_a_method() -> None:
    stated = {*EXCEPTIONS, *ELSEWHERE}
    assert stated <= set(METHODS)
    assert not set(EXCEPTIONS) & set(ELSEWHERE)
