"""Fresh contexts through asyncio, over HTTP and on the command line."""

import json
from pathlib import Path
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from backstory import (
    AccessDenied,
    AsyncContextStore,
    ContextStore,
    OnlyInProcess,
    connect,
    create_context_system,
)
from backstory.interfaces.cli import application
from tests.tasks.conftest import TASK


async def test_asyncio(url: str, folder: Path) -> None:
    async with await AsyncContextStore.open(url) as store:
        config = {"name": f"async-{uuid4().hex[:8]}", "path": str(folder)}
        system = await store.context_system(config)
        prepared = await system.integration.prepare_agent_context("coder", TASK)
        assert prepared.context is not None
        assert await system.manager.get_context("task-001") == prepared.context
        assert list(await system.manager.get_active_contexts()) == [prepared.context.context_id]
        await system.integration.on_task_complete("coder", "task-001")
        assert (await store.tasks(config["name"]).stats()).completed == 1


class TestOverHttp:
    @pytest.fixture(autouse=True)
    def allowed(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BACKSTORY_ALLOWED_ROOTS", str(folder))

    @pytest.fixture
    def name(self) -> str:
        return f"http-{uuid4().hex[:8]}"

    def test_the_client_s_system_does_the_same(
        self, service: str, store: ContextStore, folder: Path, name: str
    ) -> None:
        with connect(service) as remote:
            system = create_context_system(
                remote, {"name": name, "path": str(folder)}, custom_budget={"repo_map": 1_000}
            )
            context = system.manager.build_fresh_context(TASK, {"max_tokens": 100_000}, agent="coder")
            assert context.budget.repo_map == 1_000
            assert context.relevant_files[0].path == "shop/basket.py"
            assert system.manager.validate_context(context).valid
            assert system.manager.get_context("task-001") == context
            assert store.tasks(name).context("task-001") == context
            assert list(system.manager.get_active_contexts()) == [context.context_id]
            system.integration.on_task_failed("coder", "task-001", "no time")
            stats = system.manager.get_context_stats()
            assert (stats.active, stats.failed) == (0, 1)
            system.manager.build_fresh_context(TASK, agent="coder")
            assert system.manager.clear_agent_context("coder") == 1
            assert system.manager.clear_task_context("task-001") == 0

    @pytest.mark.parametrize("path", ["/", "/etc", "..", "shop/..", "/nowhere/at/all"])
    def test_another_folder_is_refused(self, service: str, store: ContextStore, name: str, path: str) -> None:
        with connect(service) as remote, pytest.raises(AccessDenied):
            remote.tasks(name).build(TASK, path)
        assert store.project(name).version == 0

    def test_a_link_out_of_the_folder_is_refused(self, service: str, folder: Path, name: str) -> None:
        (folder / "out").symlink_to("/etc")
        with connect(service) as remote:
            with pytest.raises(AccessDenied):
                remote.tasks(name).build(TASK, str(folder / "out"))
            with pytest.raises(AccessDenied):
                remote.tasks(name).build(TASK, str(folder), builder_options={"project_path": "/etc"})

    def test_without_the_setting_nothing_is_read(
        self, service: str, folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("BACKSTORY_ALLOWED_ROOTS")
        with connect(service) as remote, pytest.raises(AccessDenied):
            remote.tasks(name).build(TASK, str(folder))

    def test_parts_to_do_without_are_named(self, service: str, folder: Path, name: str) -> None:
        config = {"name": name, "path": str(folder)}
        with connect(service) as remote:
            system = create_context_system(remote, config, dependencies={"code_memory": None})
            context = system.manager.build_fresh_context(TASK)
            assert "no code memory: no code was searched" in context.notes
            with pytest.raises(OnlyInProcess):
                create_context_system(remote, config, dependencies={"code_memory": object()})


def test_the_command_line(url: str, folder: Path) -> None:
    name = f"cli-{uuid4().hex[:8]}"

    def run(*words: str) -> str:
        told = ["--url", url, "task", *words, "--path", str(folder), "--project", name]
        result = CliRunner().invoke(application(), told)
        assert result.exit_code == 0, result.output
        return result.stdout

    built = json.loads(
        run(
            "context",
            "T-1",
            "--name",
            "Round totals",
            "--file",
            "shop/basket.py",
            "--agent",
            "coder",
            "--json",
        )
    )
    assert built["relevant_files"][0]["path"] == "shop/basket.py"
    assert json.loads(run("show", "T-1", "--json"))["sha256"] == built["sha256"]
    assert run("show", "T-1", "--raw") == built["prompt"]
    assert "T-1" in run("list")
    assert "failed T-1" in run("fail", "T-1", "--why", "no time")
    assert "no task goes on" in run("list")
    assert json.loads(run("stats", "--json"))["failed"] == 1
