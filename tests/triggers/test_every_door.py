"""Artifacts and triggers are the same through Python, asyncio and HTTP."""

from pathlib import Path

import pytest

from backstory import (
    DEFAULT_TRIGGERS,
    AccessDenied,
    ArtifactPolicy,
    AsyncContextStore,
    ContextStore,
    InvalidInput,
    Project,
)
from backstory.interfaces.client.opening import connect
from tests.serving import served
from tests.triggers.conftest import Start

RULE = {"name": "mine", "condition": "current_layer == 2", "actions": ["save_context_snapshot"]}


@pytest.fixture
def allowed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSTORY_ALLOWED_ROOTS", str(root))


@pytest.mark.usefixtures("allowed")
def test_over_http(store: ContextStore, project: Project, root: Path, start: Start) -> None:
    own = start()
    with served(store) as address, connect(address) as client:
        artifacts = client.project(project.name).artifacts
        assert artifacts.root == str(root)
        assert artifacts.configure(root).root == str(root)
        assert artifacts.list() == project.artifacts.list()
        artifacts.register("IDEA-001", clarity=70)
        assert artifacts.get("IDEA-001") == project.artifacts.get("IDEA-001")
        assert artifacts.scan(["**/*.md"]).registered == ()
        artifacts.choose(ArtifactPolicy(stale_minutes=5))
        assert artifacts.policy == project.artifacts.policy
        session = client.session(own.id)
        assert session.artifacts.load("IDEA-001").source == "disk"
        assert session.artifacts.load_layers(2).loaded[0].source == "window"
        assert session.artifacts.list() == own.artifacts.list()
        session.artifacts.unload("IDEA-001")
        assert session.artifacts.unload_stale(0) == ["MODULE-001"]
        assert session.artifacts.preload(0).loaded[0].artifact == "IDEA-001"
        artifacts.remove("MODULE-001")

        triggers = client.project(project.name).triggers
        assert triggers.list() == [*DEFAULT_TRIGGERS]
        triggers.set([*triggers.list(), RULE])
        assert [one.name for one in triggers.list()][-1] == "mine"
        with pytest.raises(InvalidInput, match="does not parse"):
            triggers.check([{**RULE, "condition": "("}])
        session.progress.set_layer(2)
        assert {one.trigger for one in session.triggers.run()} == {"layer_transition", "mine"}
        assert session.triggers.history() == own.triggers.history()
        assert triggers.history(limit=1) == project.triggers.history(limit=1)
        assert triggers.dry_run([RULE]) == project.triggers.dry_run([RULE])


def test_over_http_no_folder_is_read_that_the_operator_did_not_list(
    store: ContextStore, project: Project, start: Start
) -> None:
    own = start()
    with served(store) as address, connect(address) as client:
        with pytest.raises(AccessDenied, match="BACKSTORY_ALLOWED_ROOTS"):
            client.project(project.name).artifacts.configure("/etc")
        with pytest.raises(AccessDenied, match="BACKSTORY_ALLOWED_ROOTS"):
            client.session(own.id).artifacts.load("IDEA-001")


async def test_with_asyncio(url: str, project: Project) -> None:
    async with await AsyncContextStore.open(url) as twin:
        found = twin.project(project.name)
        assert await found.artifacts.list() == project.artifacts.list()
        assert await found.triggers.list() == [*DEFAULT_TRIGGERS]
        session = await twin.start(project=project.name)
        assert (await session.artifacts.load("IDEA-001")).source == "disk"
        await session.progress.set_layer(1)
        assert [one.trigger for one in await session.triggers.run()] == ["layer_transition"]
        assert len(await session.triggers.history()) == 1
