"""Feed projections are kept up to date from the command line, which also shows what they hold and what they lack."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli, running
from tests.waiting import until


def test_run_once_and_look(cli: Cli, database: str) -> None:
    env = {"BACKSTORY_DATABASE_URL": database}
    assert cli("activity", env=env).out == "no activity\n"
    with ContextStore.open(database) as store:
        store.start(project="orders").message("hello")
    assert "no activity yet" in cli("activity", env=env).out
    done = cli("projections", "run", "--once", "--json", env=env).documents
    assert [(one["name"], one["behind"]) for one in done] == [
        ("activity", 0),
        ("search", 0),
        ("triggers", 0),
    ]
    assert "up to date" in cli("projections", "run", "--once", env=env).out
    (found,) = cli("activity", "--project", "orders", "--json", env=env).documents
    assert (found["events"], found["messages"]) == (2, 1)
    assert "orders" in cli("activity", env=env).out
    done = cli("projections", "rebuild", "--feed", "activity", "--json", env=env).document
    assert done == {"projection": "activity", "position": 2}
    assert cli("activity", "--project", "orders", "--json", env=env).documents == [found]
    assert cli("activity", "--since", "2999-01-01", "--json", env=env).documents == []
    assert cli("activity", "--since", "yesterday", env=env).code == 2
    assert cli("activity", "--project", "nobodys", env=env).out == "no activity\n"


OWN = """
class Counted:
    name = "acme.counted"
    types = ("message.added",)

    def apply(self, connection, batch):
        connection.execute("insert into acme_counted select %s", (len(batch),))

    def reset(self, connection):
        connection.execute("delete from acme_counted")
"""


def test_projections_of_ones_own(
    cli: Cli, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named in the environment, they are kept, made anew and taken up again like the one there is."""
    (tmp_path / "acme_counting.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    env = {"BACKSTORY_DATABASE_URL": database, "BACKSTORY_PROJECTIONS": "acme_counting:Counted"}
    with ContextStore.open(database) as store, psycopg.connect(database, autocommit=True) as connection:
        connection.execute("create table acme_counted (messages int)")
        store.start().message("hello")

        def listed() -> list[tuple[object, ...]]:
            found = cli("projections", "list", "--json", env=env).documents
            return [(one["name"], one["position"], one["behind"]) for one in found if one["kind"] == "feed"]

        names = ("activity", "search", "acme.counted", "triggers")
        assert listed() == [(name, 0, 2) for name in names]
        assert "not run yet" in cli("projections", "list", env=env).out
        done = cli("projections", "run", "--once", "--json", env=env).documents
        assert [one["behind"] for one in done] == [0, 0, 0, 0]
        assert listed() == [(name, 2, 0) for name in names]
        made = cli("projections", "rebuild", "--feed", "acme.counted", "--json", env=env).document
        assert made == {"projection": "acme.counted", "position": 2}
        assert connection.execute("select sum(messages) from acme_counted").fetchone() == (1,)
        assert cli("projections", "retry", "acme.counted", "--json", env=env).document["left"] == 0


def test_what_it_goes_on_without_is_said_at_once(
    cli: Cli, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "acme_refusing.py").write_text(OWN.replace("connection.execute", "raise ValueError"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    env = {"BACKSTORY_DATABASE_URL": database, "BACKSTORY_PROJECTIONS": "acme_refusing:Counted"}
    with ContextStore.open(database) as store:
        store.start().message("hello")
    done = cli("projections", "run", "--once", "--json", env=env)
    assert [(one["set_aside"], one["error"]) for one in done.documents] == [
        (0, None),
        (0, None),
        (1, None),
        (0, None),
    ]
    (said,) = [json.loads(line)["warning"]["message"] for line in done.err.splitlines()]
    assert said.startswith("projection acme.counted goes on without the event at position 2: ValueError")


@pytest.mark.parametrize("named", ["nothing_there:Counted", "json", "json:nothing", "json:dumps"])
def test_projections_that_cannot_be_loaded(cli: Cli, database: str, named: str) -> None:
    env = {"BACKSTORY_DATABASE_URL": database, "BACKSTORY_PROJECTIONS": named}
    for words in (("run", "--once"), ("list",)):
        refused = cli("projections", *words, "--json", env=env)
        assert refused.code == 2
        assert "projection" in refused.error["message"]


def test_sessions_are_not_rebuilt_from_the_feed(cli: Cli, database: str) -> None:
    env = {"BACKSTORY_DATABASE_URL": database}
    assert cli("projections", "rebuild", "last", "--feed", "activity", env=env).code == 2


def test_what_was_set_aside_is_listed_and_taken_up(cli: Cli, database: str) -> None:
    env = {"BACKSTORY_DATABASE_URL": database}
    assert "no events are set aside" in cli("projections", "set-aside", env=env).out
    with ContextStore.open(database) as store:
        session = store.start()
    cli("projections", "run", "--once", env=env)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("select backstory.set_aside('activity', 1, 3, 'because')")
    (found,) = cli("projections", "set-aside", "--json", env=env).documents
    assert (found["session"], found["reason"]) == (str(session.id), "because")
    assert "because" in cli("projections", "set-aside", env=env).out
    done = cli("projections", "retry", "activity", "--json", env=env).document
    assert done == {"projection": "activity", "applied": 1, "left": 0}
    assert cli("projections", "retry", "nobody", "--json", env=env).error["code"] == "unknown-projection"


def test_it_runs_until_it_is_told_to_stop(environment: dict[str, str], database: str) -> None:
    env = {**environment, "BACKSTORY_DATABASE_URL": database}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with (
        ContextStore.open(database) as store,
        running("projections", "run", "--json", env=env, **pipes) as process,
    ):
        store.start().message("hello")
        until(lambda: sum(one.events for one in store.activity()) == 2)
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=60)
    done, *_ = [json.loads(line) for line in out.splitlines()]
    assert (process.returncode, done["behind"], done["leader"], errors) == (0, 0, None, b"")
