"""Retention on the command line."""

import json
from pathlib import Path
from uuid import uuid4

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


def test_rules_are_set_listed_and_applied(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    project = f"project-{uuid4().hex[:8]}"
    session = store.start(project=project)
    session.end()
    rule = cli(
        "retention", "set", project, "--after", 0, "--purge-to", tmp_path, "--actor", "ana", "--json"
    ).document
    assert (rule["action"], rule["after_days"], rule["set_by"]) == ("purge", 0, "ana")
    listed = cli("retention", "list", "--json").documents
    assert rule in listed
    (planned,) = cli("retention", "run", "--dry-run", "--json").documents
    assert (planned["session"], planned["done"]) == (str(session.id), False)
    told = cli("retention", "run")
    assert "1 session due" in told.out
    assert (tmp_path / f"{session.id}.jsonl").exists()
    assert cli("retention", "set", project, "--keep").out.endswith("kept\n")
    assert project not in cli("retention", "list").out
    assert "purged 0 days after" in " ".join(
        cli("retention", "list", "--history", env={"COLUMNS": "200"}).out.split()
    )


def test_a_project_that_nobody_has_is_told_of(cli: Cli, store: ContextStore) -> None:
    """A rule may come before the sessions; a slip of the pen must not pass for one that holds."""
    project = f"project-{uuid4().hex[:8]}"
    told = cli("retention", "set", project, "--keep", "--json")
    assert json.loads(told.err)["notice"]["of"] == project
    store.start(project=project)
    assert cli("retention", "set", project, "--keep", "--json").err == ""


def test_one_thing_must_be_said(cli: Cli) -> None:
    for words in ([], ["--erase", "--keep"], ["--erase", "--purge-to", "/x"]):
        assert cli("retention", "set", "p", *words).code == 2
