"""The example in TypeScript is checked against the types of the API, where the page's tools are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.test_examples_run import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "call-it-from-typescript.md"
DASHBOARD = ROOT / "dashboard"
COMPILER = DASHBOARD / "node_modules" / ".bin" / "tsc"
TYPES = DASHBOARD / "src" / "api" / "schema.d.ts"
OPTIONS = (
    "--noEmit",
    "--strict",
    "--target",
    "es2022",
    "--module",
    "es2022",
    "--moduleResolution",
    "bundler",
)


def test_it_compiles(tmp_path: Path) -> None:
    if not (COMPILER.exists() and TYPES.exists() and shutil.which("node")):
        pytest.skip("needs the page's tools: make page-check")
    (example,) = (block for block in blocks(PAGE) if block.info == "ts")
    (tmp_path / "example.ts").write_text(example.text)
    shutil.copy(TYPES, tmp_path / "backstory.d.ts")
    done = subprocess.run(
        [COMPILER, *OPTIONS, "--lib", "es2022,dom", "example.ts"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
