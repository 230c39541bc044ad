"""A recorded context is made again from the log, byte for byte, whatever became of the files."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from backstory import ContentErased, ContextStore, ContextSystem, audit_export
from tests.tasks.conftest import TASK, write

CONTEXTS = 200


def test_two_hundred_of_changing_trees(store: ContextStore, system: ContextSystem, folder: Path) -> None:
    chance = random.Random(7)
    built = []
    for number in range(CONTEXTS):
        path = f"shop/part{chance.randrange(12)}.py"
        if chance.random() < 0.2:
            (folder / path).unlink(missing_ok=True)
        else:
            lines = "".join(
                f"def f{n}():\n    return {chance.random()}\n\n" for n in range(chance.randrange(60))
            )
            write(folder, path, lines)
        task = {
            "id": f"T{number % 20}",
            "name": f"Round part {number % 12}",
            "files": [path, "shop/basket.py"],
        }
        options = {"format": chance.choice(["openai", "anthropic", "markdown", "parts"])}
        options["max_tokens"] = chance.choice([24_500, 30_000, 150_000])
        built.append(system.manager.build_fresh_context(task, options, agent=chance.choice(["a", "b", None])))
    shutil.rmtree(folder)
    folder.mkdir()
    for context in built:
        assert context.session is not None
        assert context.version is not None
        found = store.session(context.session).reproduce(context.version)
        assert found.ok
        assert found.context.data == context.data
        assert system.manager.get_context(context.task_spec.id, context.version) == context


def test_a_large_file_is_recorded_once_for_all_contexts(
    store: ContextStore, system: ContextSystem, folder: Path
) -> None:
    write(folder, "shop/long.py", "".join(f"def step_{n}():\n    return {n}\n\n\n" for n in range(300)))
    project = store.project(system.project_config.name)
    for number in range(3):
        system.manager.build_fresh_context({"id": f"T{number}", "name": "Step", "files": ["shop/long.py"]})
    assert len(list(project.events(types=("files.recorded",)))) == 1
    write(folder, "shop/long.py", "def step():\n    return 0\n" * 200)
    system.manager.build_fresh_context({"id": "T4", "name": "Step", "files": ["shop/long.py"]})
    assert len(list(project.events(types=("files.recorded",)))) == 2


def test_what_was_erased_is_named(store: ContextStore, system: ContextSystem, folder: Path) -> None:
    write(folder, "shop/long.py", "def step():\n    return 'Ada'\n" * 100)
    context = system.manager.build_fresh_context({"id": "T", "name": "Step", "files": ["shop/long.py"]})
    project = store.project(system.project_config.name)
    (recorded,) = project.events(types=("files.recorded",))
    project.erase(recorded.version, "a person's name")
    found = store.session(context.session).reproduce(context.version)
    assert [(one.item, one.section) for one in found.missing] == [(recorded.version, "files")]
    with pytest.raises(ContentErased):
        system.manager.get_context("T", context.version)
    assert system.manager.get_active_contexts() == {}


def test_the_record_is_whole(store: ContextStore, system: ContextSystem) -> None:
    context = system.manager.build_fresh_context(TASK, agent="coder")
    assert store.session(context.session).verify().ok
    assert store.project(system.project_config.name).verify().ok


def test_an_export_reproduces_it_without_a_database(
    store: ContextStore, system: ContextSystem, folder: Path, tmp_path: Path
) -> None:
    write(folder, "shop/long.py", "def step():\n    return 0\n" * 100)
    system.manager.build_fresh_context({**TASK, "files": ["shop/long.py"]})
    file = tmp_path / "export.jsonl"
    store.export(None, file, projects=[system.project_config.name])
    audit = audit_export(file)
    assert audit.ok
    assert audit.contexts == 1


def test_a_preview_writes_nothing(store: ContextStore, system: ContextSystem) -> None:
    context = system.manager.build_fresh_context(TASK, record=False)
    assert (context.session, context.version) == (None, None)
    assert store.project(system.project_config.name).version == 0
    recorded = system.manager.build_fresh_context(TASK)
    assert recorded.data == context.data


def test_a_secret_in_a_file_is_neither_shown_nor_recorded(
    store: ContextStore, system: ContextSystem, folder: Path
) -> None:
    secret = "ghp_" + "a1B2" * 9
    write(folder, "shop/basket.py", f'TOKEN = "{secret}"\n' + "def total():\n    return 0\n" * 80)
    context = system.manager.build_fresh_context(TASK)
    assert secret not in str(context.messages)
    assert "[redacted:" in str(context.messages)
    again = system.manager.get_context(TASK["id"])
    assert again.data == context.data


def test_it_names_the_encoding_that_it_was_counted_in(
    store: ContextStore, system_of: Callable[..., ContextSystem], folder: Path
) -> None:
    system = system_of(folder, encoding="cl100k_base")
    context = system.manager.build_fresh_context(TASK)
    (assembled,) = store.session(context.session).events(types=("context.assembled",))
    assert assembled.body.encoding == "cl100k_base"
    assert store.session(context.session).state.windows["main"].encoding == "cl100k_base"
