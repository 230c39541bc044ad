"""`facilitator update idea` writes the idea's file, if it is as it was seen last."""

from pathlib import Path

import pytest

from backstory import Project, Session
from tests.triggers.conftest import Start, Write


@pytest.fixture
def session(start: Start, project: Project) -> Session:
    project.artifacts.register("IDEA-001", summary="Plan, ask, execute", clarity=80)
    session = start()
    session.artifacts.load("IDEA-001")
    return session


def _file(root: Path) -> Path:
    return root / "ideas/IDEA-001/current.md"


def test_the_file_says_what_was_saved(session: Session, project: Project, root: Path) -> None:
    answer = session.command("facilitator update idea # AI tool\n\nIt also remembers.")
    assert answer.data["written"] == "ideas/IDEA-001/current.md"
    assert _file(root).read_text() == "# AI tool\n\nIt also remembers."
    assert session.text(answer.data["item"]) == "# AI tool\n\nIt also remembers."
    assert project.artifacts.get("IDEA-001").digest == session.state.loaded["IDEA-001"].digest
    assert session.artifacts.load("IDEA-001").source == "window"


def test_its_summary_and_clarity_are_carried_over(session: Session, project: Project) -> None:
    session.command("facilitator update idea Another text")
    rows = {row["id"]: row for row in session.views.current_context()["loaded_artifacts"]}
    assert (rows["IDEA-001"]["summary"], rows["IDEA-001"]["clarity"]) == ("Plan, ask, execute", 80)


def test_one_that_has_changed_on_disk_is_refused_and_nothing_changes(
    session: Session, root: Path, write: Write
) -> None:
    write("ideas/IDEA-001/current.md", "edited by hand")
    before = session.version
    answer = session.command("facilitator update idea Another text")
    assert not answer.ok
    assert "has changed on disk" in answer.text
    assert _file(root).read_text() == "edited by hand"
    assert session.version == before


def test_a_link_out_of_the_root_is_not_written_through(session: Session, root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(_file(root).read_text())
    _file(root).unlink()
    _file(root).symlink_to(outside)
    assert not session.command("facilitator update idea Another text").ok
    assert outside.read_text() == "# AI tool\n\nIt plans, asks and executes."


def test_no_file_of_ours_is_left_beside_it(session: Session, root: Path) -> None:
    session.command("facilitator update idea Another text")
    assert [path.name for path in _file(root).parent.iterdir()] == ["current.md"]
