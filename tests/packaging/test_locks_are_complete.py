"""The locks pin every dependency, with hashes, and say nothing of where they were made."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
DECLARED = {
    "build": PYPROJECT["build-system"]["requires"],
    "node": PYPROJECT["dependency-groups"]["node"],
    "runtime": PYPROJECT["project"]["dependencies"],
    "dev": PYPROJECT["project"]["dependencies"] + PYPROJECT["project"]["optional-dependencies"]["dev"],
    "bench": PYPROJECT["project"]["dependencies"] + PYPROJECT["project"]["optional-dependencies"]["bench"],
}


def pins(lock: str) -> dict[str, Version]:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text()
    found = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", text, flags=re.MULTILINE)
    return {canonicalize_name(name): Version(version) for name, version in found}


@pytest.mark.parametrize("lock", DECLARED)
def test_what_is_declared_is_pinned_within_its_bounds(lock: str) -> None:
    pinned = pins(lock)
    for requirement in map(Requirement, DECLARED[lock]):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not in requirements/{lock}.txt: run `make lock`"
        assert requirement.specifier.contains(version, prereleases=True), f"{requirement} against {version}"


@pytest.mark.parametrize("lock", DECLARED)
def test_every_line_is_a_pin_or_its_hash(lock: str) -> None:
    lines = (ROOT / "requirements" / f"{lock}.txt").read_text().splitlines()
    for number, line in enumerate(lines):
        if line.startswith("    --hash=sha256:") or line.lstrip().startswith("#"):
            continue
        assert re.match(r"[a-z0-9._-]+(\[[a-z,]+\])?==\S+( ; .+)? \\$", line), line
        assert lines[number + 1].startswith("    --hash=sha256:"), line


@pytest.mark.parametrize("lock", ["dev", "bench"])
def test_tests_and_benchmarks_run_with_the_versions_that_users_get(lock: str) -> None:
    runtime, used = pins("runtime"), pins(lock)
    assert {name: used.get(name) for name in runtime} == runtime
