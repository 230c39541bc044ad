"""What an import may load is tried in a fresh process: this one has loaded everything already."""

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import backstory

# pydantic, and what pydantic itself stands on.
DOMAIN_MAY_LOAD = {
    "annotated_types",
    "backstory",
    "pydantic",
    "pydantic_core",
    "typing_extensions",
    "typing_inspection",
}

LIST_LOADED = """
import json, pkgutil, sys
before = set(sys.modules)
import {package}
if {whole}:
    for module in pkgutil.walk_packages({package}.__path__, "{package}."):
        __import__(module.name)
print(json.dumps(sorted({{name.split(".")[0] for name in set(sys.modules) - before}})))
"""


def loaded_by(package: str, *, whole: bool) -> set[str]:
    """Top-level modules outside the standard library that importing a package, or all below it, brings in."""
    script = LIST_LOADED.format(package=package, whole=whole)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # `_sysconfigdata_…` is the standard library's too, though named for the platform and so not in its list.
    return {
        name
        for name in json.loads(done.stdout)
        if name not in sys.stdlib_module_names and not name.startswith("_sysconfigdata")
    }


def test_the_package_alone_loads_nothing_else() -> None:
    assert loaded_by("backstory", whole=False) == {"backstory"}


def test_the_whole_domain_loads_pydantic_and_nothing_else() -> None:
    assert loaded_by("backstory.domain", whole=True) <= DOMAIN_MAY_LOAD


def test_a_session_loads_no_terminal_and_no_expressions() -> None:
    assert not {"cel", "prompt_toolkit", "rich", "typer"} & loaded_by(
        "backstory.application.session", whole=False
    )


@pytest.mark.parametrize("name", backstory.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(backstory, name) is not None
    assert name in dir(backstory)


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        import_module("backstory").nothing  # noqa: B018


def test_type_checkers_see_the_names_that_are_loaded() -> None:
    tree = ast.parse(Path(backstory.__file__).read_text())
    (checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    seen = {alias.name: node.module for node in imports for alias in node.names}
    loaded = {name: f"backstory.{module}" for name, module in backstory._MODULES.items()}
    assert seen == loaded
    assert len(backstory.__all__) == len(set(backstory.__all__)) == len(loaded) + 1
