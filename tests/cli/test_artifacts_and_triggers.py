"""Artifacts and triggers on the command line."""

import json
from pathlib import Path

from tests.cli.conftest import Cli

RULE = {"name": "mine", "condition": "current_layer == 2", "actions": ["save_context_snapshot"]}


def test_they_are_registered_loaded_and_fired(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "ideas").mkdir()
    (tmp_path / "ideas/IDEA-001.md").write_text("# AI tool\n\nText.")
    (tmp_path / "triggers.json").write_text(json.dumps([RULE]))
    assert cli("artifacts", "configure", str(tmp_path), "--project", "door").code == 0
    scanned = cli("artifacts", "scan", "ideas/*", "--project", "door", "--json")
    assert scanned.document["registered"] == ["IDEA-001"]
    session = cli("sessions", "start", "--project", "door").out.strip()
    loaded = cli("artifacts", "load", session, "IDEA-001", "--json").document
    assert loaded["loaded"][0]["source"] == "disk"
    assert cli("artifacts", "window", session, "--json").document["artifacts"][0]["artifact"] == "IDEA-001"
    assert cli("triggers", "set", str(tmp_path / "triggers.json"), "--project", "door").code == 0
    cli("command", session, "/set_goal Ship it")
    dry = cli("triggers", "dry-run", "--project", "door", "--json").document
    assert dry["would_fire"] == []
    assert "mine" in cli("triggers", "list", "--project", "door").out
    assert cli("triggers", "history", "--project", "door", "--json").document["history"] == []


def test_a_condition_that_cannot_be_is_told_by_field(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "triggers.json").write_text(json.dumps([{**RULE, "condition": "1 / 0 == 1"}]))
    outcome = cli("triggers", "check", str(tmp_path / "triggers.json"), "--project", "door", "--json")
    assert outcome.code == 2
    assert "refresh_triggers.mine.condition" in outcome.error["message"]


def test_an_artifact_that_is_not_registered_is_not_found(cli: Cli) -> None:
    session = cli("sessions", "start", "--project", "door").out.strip()
    assert cli("artifacts", "load", session, "IDEA-404").code == 3
