"""Exports and audits on the command line."""

from pathlib import Path

import pytest

from backstory.interfaces.cli.demo.story import Story
from tests.cli.conftest import Cli


def test_a_session_is_exported_and_audited(cli: Cli, story: Story, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    done = cli("export", story.forked.id, "-o", file, "--json").document
    assert [one["session"] for one in done["streams"]] == [str(story.session.id), str(story.forked.id)]
    (found,) = cli("audit", file, "--json").documents
    assert (found["ok"], found["events"], found["sha256"]) == (True, done["events"], done["sha256"])
    assert [one["asked_for"] for one in found["sessions"]] == [False, True]


def test_in_words(cli: Cli, story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = cli("export", story.session.id, "--zstd")
    file = Path(f"backstory-{story.session.id}.jsonl.zst")
    assert told.code == 0
    assert told.out.startswith(f"{file}: 18 events, ")
    chain = story.session.verify().chain
    assert chain in told.out.replace("\n", "")
    found = cli("audit", file)
    assert found.code == 0
    assert found.out.startswith(f"intact  {file}  18 events, ")


def test_a_cut_file_is_not_intact(cli: Cli, story: Story, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    cli("export", story.session.id, "-o", whole)
    cut.write_bytes(whole.read_bytes()[:-10])
    outcome = cli("audit", whole, cut)
    assert outcome.code == 7
    assert "BROKEN" in outcome.out
    assert "cut.jsonl, line" in outcome.err
    assert cli("audit", cut, "--json").error["code"] == "verification-failed"


def test_a_file_that_is_there(cli: Cli, story: Story, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    assert cli("export", story.session.id, "-o", file).code == 0
    assert cli("export", story.session.id, "-o", file).code == 4
    assert cli("export", story.session.id, "-o", file, "--overwrite").code == 0
