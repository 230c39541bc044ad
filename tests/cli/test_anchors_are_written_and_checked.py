"""`anchor` and `anchor-key`, and `--anchor` of `verify` and `audit`."""

from pathlib import Path

import pytest

from backstory import ContextStore
from tests.cli.conftest import Cli


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"BACKSTORY_ANCHOR_KEY": str(tmp_path / "anchor-key.pem"), "COLUMNS": "300"}


def test_from_the_file_to_the_check(
    cli: Cli, store: ContextStore, tmp_path: Path, env: dict[str, str]
) -> None:
    session = store.start()
    file, export = tmp_path / "a.json", tmp_path / "x.jsonl"
    written = cli("anchor", session.id, "-o", file, "--json", env=env).document
    assert (written["file"], written["anchors"]) == (str(file), 1)
    assert cli("verify", session.id, "--anchor", file, env=env).code == 0
    store.export(session.id, export)
    audited = cli("audit", export, "--anchor", file, "--public-keys", tmp_path / "anchor-key.pub", "--json")
    assert (audited.code, audited.documents[0]["anchored"]) == (0, 1)
    assert "1 anchor matched" in cli("audit", export, "--anchor", file, env=env).out
    file.write_text(file.read_text().replace('"version": 1', '"version": 2'))
    for words in (("verify", session.id), ("audit", export)):
        outcome = cli(*words, "--anchor", file, env=env)
        assert outcome.code == 7
        assert "does not match its signature" in outcome.err


def test_a_tail_that_was_cut_has_exit_code_7(
    cli: Cli, store: ContextStore, tmp_path: Path, env: dict[str, str]
) -> None:
    session = store.start()
    store.export(session.id, tmp_path / "early.jsonl")
    session.message("what was cut")
    cli("anchor", session.id, "-o", tmp_path / "a.json", env=env)
    outcome = cli("audit", tmp_path / "early.jsonl", "--anchor", tmp_path / "a.json", env=env)
    assert outcome.code == 7
    assert "event 2 of" in outcome.err
    found = cli("audit", tmp_path / "early.jsonl", "--anchor", tmp_path / "a.json", "--json", env=env)
    assert found.documents[0]["problem"]["line"] is None


def test_what_is_neither_a_file_nor_a_hash(cli: Cli, store: ContextStore) -> None:
    outcome = cli("verify", store.start().id, "--anchor", "nowhere.json", "--json")
    assert (outcome.code, outcome.error["code"]) == (2, "invalid-input")


def test_the_key_is_shown_and_rotated(cli: Cli, tmp_path: Path, env: dict[str, str]) -> None:
    (first,) = cli("anchor-key", "--json", env=env).document["public_keys"]
    shown = cli("anchor-key", "--rotate", "--json", env=env).document
    assert shown["public_keys"][0] == first
    assert len(shown["public_keys"]) == 2
    told = cli("anchor-key", env=env).out
    assert f"{first}  rotated" in told
    assert f"{shown['public_keys'][1]}  signs now" in told
