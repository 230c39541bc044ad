"""`demo`: on an embedded Postgres of its own, from nothing, in seconds."""

import os
import time
from pathlib import Path

from backstory import ContextStore
from tests.cli.conftest import Cli


def test_from_nothing_in_less_than_a_minute(program: Cli, tmp_path: Path) -> None:
    environment = {"BACKSTORY_DATABASE_URL": "", "BACKSTORY_DATA_DIR": str(tmp_path)}
    try:
        began = time.monotonic()
        outcome = program("demo", env=environment)
        seconds = time.monotonic() - began
        checked = program("verify", "--all", "--json", env=environment)
    finally:
        stopped = program("db", "stop", env=environment)
    assert (outcome.code, outcome.err) == (0, "")
    assert seconds < 60
    assert "23 of 23 versions replay to exactly the state that was seen live" in outcome.out
    assert "BranchMoved: the session was backtracked" in outcome.out
    assert outcome.out.count("intact  ") == 2
    assert "├─○   8" in outcome.out
    assert "context.assembled   planner: " in outcome.out
    assert "same bytes  context 20 is, byte for byte, the one that was recorded" in outcome.out
    assert "items.compacted     summarized 3-4,8,10" in outcome.out
    assert all(len(line) <= 100 for line in outcome.out.splitlines())
    assert len(outcome.out.splitlines()) < 140
    assert checked.code == 0
    assert sorted(session["events"] for session in checked.documents) == [2, 19, 23]
    assert stopped.out == "stopped\n"
    assert not os.path.exists(tmp_path / "postgres-18" / "data" / "postmaster.pid")


def test_its_outcome_as_json(cli: Cli) -> None:
    found = cli("demo", "--json").document
    assert found["replayed"] == found["versions"] == 23
    assert found["saw"] == {"decision": 23, "assembly": 20, "ok": True}
    assert found["refused"]["code"] == "branch-moved"
    assert [check["ok"] for check in found["verified"]] == [True, True]


def test_the_next_run_replaces_the_sessions_of_the_last_one(cli: Cli, store: ContextStore) -> None:
    first = cli("demo", "--json").document
    second = cli("demo", "--json").document
    ids = {str(session.id) for session in store.sessions(tag="demo", limit=1000)}
    assert {second["session"], second["fork"]} <= ids
    assert not {first["session"], first["fork"]} & ids


def test_a_session_that_somebody_worked_in_stays(cli: Cli, store: ContextStore) -> None:
    first = cli("demo", "--json").document
    store.session(first["session"]).message("and another thing")
    cli("demo", "--json")
    assert store.session(first["session"]).version == 24
