"""A command loads what it uses, and `--help` loads no command at all."""

import json
import subprocess
import sys

import pytest

from backstory.interfaces.cli.catalogue import CATALOGUE

LOADED = """
import json, sys
from backstory.interfaces.cli import main
try:
    main()
except SystemExit:
    print()
    print(json.dumps(sorted(sys.modules)))
"""

HEAVY = {
    "tiktoken",
    "psycopg",
    "apscheduler",
    "httpx",
    "pydantic",
    "eventsourcing",
    "backstory.application.store",
}


def loaded_by(*words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, timeout=60, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("words", [("--help",), ("--version",)])
def test_the_root_loads_no_command(words: tuple[str, ...]) -> None:
    loaded = loaded_by(*words)
    assert not HEAVY & loaded
    modules = {f"backstory.interfaces.cli.{name}" for entry in CATALOGUE.values() for name in entry.modules}
    assert not modules & loaded


def test_a_command_loads_its_own_module_only() -> None:
    loaded = loaded_by("sessions", "list", "--help")
    assert "backstory.interfaces.cli.record.sessions" in loaded
    assert "backstory.interfaces.cli.demo.demo" not in loaded
    assert not {"apscheduler", "httpx"} & loaded


@pytest.mark.parametrize("name", CATALOGUE)
def test_its_help_fits_on_a_line_of_80_columns(name: str) -> None:
    assert len(CATALOGUE[name].help) <= 62
