"""The packages are listed by hand, so the built wheel is held against the tree."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import skip_or_fail

ROOT = Path(__file__).parents[2]
INSTALLED_AS = {
    "backstory": "backstory",
    "application": "backstory/application",
    "domain": "backstory/domain",
    "projections": "backstory/projections",
    "infrastructure": "backstory/infrastructure",
    "interfaces": "backstory/interfaces",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel built from a copy, so that the build leaves nothing in the tree."""
    source, output = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for folder in INSTALLED_AS:
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(output), str(source)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = output.glob("*.whl")
    return zipfile.ZipFile(path)


def expected_files() -> set[str]:
    return {
        f"{installed}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, installed in INSTALLED_AS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def packaged_files(wheel: zipfile.ZipFile) -> set[str]:
    return {name for name in wheel.namelist() if ".dist-info/" not in name}


def test_every_file_of_the_tree_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    missing = expected_files() - packaged_files(wheel)
    assert not missing, f"list their packages or patterns under [tool.setuptools]: {sorted(missing)}"


def test_the_built_page_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    if not (ROOT / "interfaces/http/page/index.html").is_file():
        skip_or_fail("needs the built page: make page")
    names = packaged_files(wheel)
    assert "backstory/interfaces/http/page/index.html" in names
    assert any(name.startswith("backstory/interfaces/http/page/assets/") for name in names)


def test_nothing_else_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    assert packaged_files(wheel) <= expected_files()


def test_the_types_and_the_licence_are_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert "backstory/py.typed" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_command_is_declared(wheel: zipfile.ZipFile) -> None:
    (entry_points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "backstory = backstory.interfaces.cli:main" in wheel.read(entry_points).decode()
