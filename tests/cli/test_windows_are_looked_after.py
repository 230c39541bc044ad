"""Status, checkpoints, flash saves and prunes from the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backstory import ContextStore, Session
from tests.cli.conftest import Cli, documents_of


@pytest.fixture
def filled(store: ContextStore) -> Session:
    """A window of 2,000 tokens that is nearly full."""
    session = store.start(title="Fill the window", limit=2_000)
    session.set_system_prompt("You are careful.")
    session.decide("Use RS256")
    session.work.ask("Which issuer?")
    for number in range(30):
        session.message(f"{number} " + "word " * 60)
    return session


def test_status_as_json(cli: Cli, filled: Session) -> None:
    found = cli("status", filled.id, "--json").document
    (window,) = found["windows"]
    assert (window["window"], window["limit"]) == ("main", 2_000)
    assert window["tokens"] == filled.state.tokens
    assert window["usage"] == filled.state.tokens / 2_000
    assert window["zone"] == ("critical" if window["usage"] >= 0.95 else "danger")
    assert sum(tier["items"] for tier in found["tiers"].values()) == len(filled.state.items)
    health = found["monitoring"]["context_health"]
    assert health["decisions_tracked"] == 1
    assert health["open_questions"] == 1
    assert health["status"] == window["zone"]
    assert found["monitoring"]["session_health"]["messages"] == 30
    assert [note["text"] for note in found["decisions"]] == ["Use RS256"]


def test_status_on_a_screen(cli: Cli, filled: Session) -> None:
    shown = cli("status", filled.id).out
    for words in ("Fill the window", "window main", "HOT", "1 decision", "Which issuer?", "alerts"):
        assert words in shown


def test_clarity_progress_is_told_from_the_first_one(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    for clarity in (40, 35, 47):
        session.progress.set_clarity(clarity)
    found = cli("status", session.id, "--json").document
    assert found["monitoring"]["session_health"]["clarity_progress"] == "+7%"
    assert found["windows"][0]["usage"] is None


def test_status_goes_on_with_what_comes(store: ContextStore, environment: dict[str, str]) -> None:
    session = store.start(limit=1_000)
    with documents_of("status", session.id, "--watch", env=environment) as next_document:
        first = next_document()
        session.message("hello")
        second = next_document()
    assert (first["version"], second["version"]) == (1, 2)
    assert second["windows"][0]["tokens"] > first["windows"][0]["tokens"]


def test_watching_ends_at_a_version(cli: Cli, filled: Session) -> None:
    shown = cli("status", filled.id, "--watch", "--upto", filled.version).out
    assert shown.count("window main") == 1


def test_upto_needs_watch(cli: Cli, filled: Session) -> None:
    outcome = cli("status", filled.id, "--upto", 3, "--json")
    assert outcome.code == 2
    assert "upto" in outcome.error["message"]


def test_a_dry_run_of_a_prune_changes_nothing(cli: Cli, filled: Session) -> None:
    before = filled.version
    found = cli("prune", filled.id, "--dry-run", "--json").document
    assert found["version"] is None
    assert found["dropped"]
    assert filled.version == before
    assert {one["item"] for one in found["ranked"] if not one["kept"]} == set(found["dropped"])
    assert "would leave" in cli("prune", filled.id, "--dry-run").out


def test_a_prune_reaches_its_target(cli: Cli, filled: Session) -> None:
    found = cli("prune", filled.id, "--target", "0.6", "--actor", "ana", "--json").document
    assert found["reached"]
    assert filled.state.tokens == found["tokens_after"] <= 1_200
    assert filled.state.version == found["version"]
    assert not set(found["dropped"]) & set(filled.state.items)


def test_a_prune_below_the_essentials_leaves_the_barest_context_or_the_essentials(
    cli: Cli, filled: Session
) -> None:
    asked = ("prune", filled.id, "--target", "0.1")
    kept = cli(*asked, "--no-aggressive", "--dry-run", "--json").document
    assert (kept["depth"], kept["reached"]) == ("essentials", False)
    shown = cli(*asked).out
    assert "only the barest context stays" in shown
    assert filled.state.tokens <= 200


def test_a_target_that_is_no_share_is_refused(cli: Cli, filled: Session) -> None:
    assert cli("prune", filled.id, "--target", "70").code == 2


def test_checkpoint_and_restore(cli: Cli, filled: Session, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("print(1)")
    taken = cli(
        *("checkpoint", filled.id, "safe", "--root", tmp_path, "--file", "main.py"),
        *("--save", tmp_path, "--json"),
    ).document
    digest = filled.state.digest()
    filled.message("a wrong turn")
    (tmp_path / "main.py").write_text("print(2)")
    back = cli("restore", filled.id, "safe", "--root", tmp_path, "--json").document
    assert (back["checkpoint"], back["went_back"], back["state_verified"]) == (taken["version"], True, True)
    assert [(one["path"], one["kind"]) for one in back["files"]] == [("main.py", "changed")]
    assert filled.refresh().at(taken["version"]).digest() == digest
    again = cli("restore", filled.id, "--file", taken["file"], "--root", tmp_path)
    assert again.code == 0
    assert "main.py" in again.out


def test_a_checkpoint_is_restored_into_another_database(
    cli: Cli, filled: Session, tmp_path: Path, new_database: Callable[[], str]
) -> None:
    taken = cli("checkpoint", filled.id, "safe", "--save", tmp_path, "--json").document
    filled.message("a wrong turn")
    assert "checkpoint" in cli("audit", taken["file"]).out
    env = {"BACKSTORY_DATABASE_URL": new_database()}
    done = cli("restore", "--file", taken["file"], "--actor", "ana", "--json", env=env).document
    assert (done["session"], done["checkpoint"]) == (str(filled.id), taken["version"])
    assert (done["went_back"], done["state_verified"]) == (False, True)
    assert cli("restore", "--json").code == 2
    assert cli("restore", "--file", taken["file"], "--key", "k", env=env).code == 2


def test_a_restore_of_what_is_not_there(cli: Cli, filled: Session) -> None:
    assert cli("restore", filled.id, "nowhere").code == 3
    assert cli("restore", filled.id, "x", "--file", "y").code == 2


def test_a_flash_save_can_be_restored(cli: Cli, filled: Session) -> None:
    before = filled.state.tokens
    found = cli("flash-save", filled.id, "--json").document
    assert (found["tokens_before"], found["tokens_after"]) == (before, filled.state.tokens)
    assert found["items_archived"] + found["items_stored"] > 0
    assert filled.state.tokens < before
    assert cli("restore", filled.id, found["checkpoint_id"]).code == 0
    assert filled.refresh().state.tokens == before
