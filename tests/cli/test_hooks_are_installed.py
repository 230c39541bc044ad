"""`backstory capture`: what it shows, writes and refuses."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from backstory.application.transcripts.files import imported_session_id
from tests.capture.hooks import compacted_now
from tests.cli.conftest import Cli


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    return tmp_path


@pytest.mark.parametrize(
    ("agent", "options", "name"),
    [
        ("claude-code", (), ".claude/settings.json"),
        ("claude-code", ("--project",), "project/.claude/settings.local.json"),
        ("codex", (), ".codex/hooks.json"),
        ("codex", ("--project",), "project/.codex/hooks.json"),
    ],
)
def test_in_and_out(cli: Cli, home: Path, agent: str, options: tuple[str, ...], name: str) -> None:
    settings = home / name
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}\n')
    shown = cli("capture", "install", agent, *options, "--dry-run")
    assert "+" in shown.out
    assert settings.read_text() == '{"model": "opus"}\n'
    assert not (home / "state").exists()
    assert cli("capture", "install", agent, *options).out.splitlines()[2:] != []
    written = settings.read_text()
    assert f"hook.py {agent}" in written
    assert (home / "state" / "backstory" / "hooks" / "hook.py").stat().st_mode & 0o777 == 0o600
    assert not cli("capture", "install", agent, *options, "--json").document["changed"]
    assert settings.read_text() == written
    told = {
        Path(one["file"]): one["complete"] for one in cli("capture", "status", "--json").document["hooks"]
    }
    assert [file for file, complete in told.items() if complete] == [settings]
    assert cli("capture", "remove", agent, *options, "--json").document["changed"]
    assert settings.read_text() == '{"model": "opus"}\n'
    assert not cli("capture", "remove", agent, *options, "--json").document["changed"]


def test_the_folder_goes_with_the_last_hook_of_the_user(cli: Cli, home: Path) -> None:
    folder = home / "state" / "backstory" / "hooks"
    cli("capture", "install", "claude-code")
    cli("capture", "install", "codex")
    cli("capture", "remove", "codex")
    assert cli("capture", "status", "--json").document["placed"]
    cli("capture", "remove", "claude-code")
    assert not folder.exists()


def test_what_is_refused(cli: Cli, home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": }')
    refused = cli("capture", "install", "claude-code")
    assert refused.code == 2
    assert "line 1, column 11" in refused.err
    assert settings.read_text() == '{"model": }'
    (problem,) = [one for one in cli("capture", "status", "--json").document["hooks"] if one["problem"]]
    assert problem["file"] == str(settings)
    assert cli("capture", "install", "vim").code == 2
    assert cli("capture", "recap", "claude-code", "x", "--at", "1e300").code == 2


def test_a_recap_is_made(cli: Cli, home: Path) -> None:
    transcript = compacted_now()
    file = transcript.write(home)
    at = ("--at", datetime.now(UTC).timestamp(), "--transcript", file)
    assert cli("capture", "recap", "claude-code", transcript.session, *at, "--json").document == {
        "made": True
    }
    assert cli("capture", "status", "--json").document["waiting"] == 1
    assert cli("capture", "recap", "claude-code", transcript.session, *at).out == "there is nothing to give\n"
    assert json.loads(cli("uncompact", imported_session_id("claude-code", transcript.session), "--json").out)[
        "text"
    ]
