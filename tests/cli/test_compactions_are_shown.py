"""Compacting, expanding and taking back from the command line, and the plot of a window's usage."""

from pathlib import Path

import pytest

from backstory import ContextStore, Session
from tests.cli.conftest import Cli


@pytest.fixture
def worked(store: ContextStore) -> Session:
    """A window that is nearly full of tool exchanges."""
    session = store.start(title="Read a lot", limit=6_000)
    session.message("Find the bug in the signer.")
    for number in range(24):
        session.tool_call("read", {"path": f"src/part_{number}.py"}, call_id=f"call_{number}")
        session.tool_result(f"call_{number}", f"def part_{number}(): " + "value = value + 1\n" * 30)
    return session


def test_compact_expand_and_undo(cli: Cli, worked: Session) -> None:
    before = worked.state
    done = cli("compact", worked.id, "--algorithm", "preserve_summarize_discard", "--json").document
    assert done["tokens_after"] == worked.state.tokens < done["tokens_before"] == before.tokens
    items = cli("expand", worked.id, done["summary"], "--json").documents
    assert {item["item"] for item in items} >= set(done["summarized"])
    assert any("def part_" in (item["text"] or "") for item in items)
    back = cli("undo", worked.id, "--json").document
    assert back["tokens"] == worked.state.tokens == before.tokens
    assert set(worked.state.items) == set(before.items)


def test_a_dry_run_changes_nothing(cli: Cli, worked: Session) -> None:
    version = worked.version
    outcome = cli("compact", worked.id, "--dry-run")
    assert outcome.code == 0
    assert "would become" in outcome.out
    assert worked.version == version


def test_below_its_threshold_nothing_happens(cli: Cli, worked: Session) -> None:
    worked.window.configure(limit=100_000)
    asked = ("compact", worked.id, "--algorithm", "preserve_summarize_discard")
    assert "nothing to gain" in cli(*asked).out
    done = cli(*asked, "--threshold", "0", "--json").document
    assert done["ratio"] == done["original_tokens"] / done["compressed_tokens"] > 1


def test_what_was_dropped(cli: Cli, worked: Session) -> None:
    done = cli("compact", worked.id, "--algorithm", "preserve_summarize_discard", "--json").document
    worked.tool_call("edit", {"path": "src/part_3.py", "text": "value = 0"}, call_id="later")
    found = cli("dropped", worked.id, "--limit", 2, "--json").document
    gone = len(done["summarized"]) + len(done["dropped"])
    assert (found["compaction"], found["left"], found["gone"]) == (done["events"][0], gone, gone)
    assert len(found["items"]) == 2
    outcome = cli("dropped", worked.id, found["compaction"], "--limit", 2)
    assert f"{gone} items" in outcome.out
    assert f"{gone} still gone\n1 later step looked at" in outcome.out
    assert cli("dropped", worked.id, 1).code == 3
    assert cli("dropped", worked.id, "--limit", 0).code == 2


def test_what_cannot_be_done(cli: Cli, worked: Session) -> None:
    assert cli("compact", worked.id, "--algorithm", "magic").code == 2
    assert cli("expand", worked.id, 99_999).code == 3
    assert cli("undo", worked.id).code != 0


def test_usage_as_lines(cli: Cli, worked: Session) -> None:
    cli("compact", worked.id, "--algorithm", "preserve_summarize_discard")
    cli("checkpoint", worked.id, "here")
    points = cli("usage", worked.id, "--json").documents
    assert [point["version"] for point in points] == list(range(1, worked.version + 1))
    assert points[-1]["tokens"] == worked.state.tokens
    assert [(point["mark"], point["note"]) for point in points if point["mark"]] == [
        ("compaction", "preserve_summarize_discard"),
        ("checkpoint", "here"),
    ]


def test_usage_on_a_screen_and_as_a_picture(cli: Cli, worked: Session, tmp_path: Path) -> None:
    cli("checkpoint", worked.id, "here")
    shown = cli("usage", worked.id).out
    assert "█" in shown
    assert "checkpoint 1" in shown
    picture = tmp_path / "usage.svg"
    assert cli("usage", worked.id, "--svg", picture).code == 0
    text = picture.read_text()
    assert text.startswith("<svg")
    assert "Read a lot" in text
    assert "checkpoint 1" in text


def test_usage_of_no_version_is_refused(cli: Cli, worked: Session, tmp_path: Path) -> None:
    assert cli("usage", worked.id, "--after", worked.version).code == 2
    assert cli("usage", worked.id, "--svg", tmp_path / "missing" / "x.svg").code == 2
