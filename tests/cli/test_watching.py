"""`backstory watch`: what it prints, and what it refuses."""

from pathlib import Path

from tests.cli.conftest import Cli
from tests.importing.transcripts import Transcript


def test_one_look(cli: Cli, tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Which tests fail?")
    (tmp_path / "t.jsonl").write_bytes(transcript.data)
    environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
    shown = cli("watch", tmp_path, "--once", env=environment)
    assert "1 new line, 1 message" in shown.out
    again = cli("watch", tmp_path, "--once", env=environment)
    assert (again.out, again.err) == ("", "")


def test_what_is_refused(cli: Cli, tmp_path: Path) -> None:
    assert cli("watch", tmp_path / "nothing").code == 2
    assert cli("watch", tmp_path, "--every", "0").code == 2
