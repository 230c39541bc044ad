"""Feed projections are kept up to date from the command line, which also shows what they hold and what they lack."""

import json
import signal
import subprocess
from collections.abc import Callable

import psycopg
import pytest

from backstory.interfaces.cli.manual import MANUALS
from backstory.store import ContextStore
from tests.cli.conftest import Cli, running
from tests.waiting import until


@pytest.fixture
def own_url(new_database: Callable[[], str]) -> str:
    return new_database()


def test_run_once_and_look(cli: Cli, own_url: str) -> None:
    env = {"BACKSTORY_DATABASE_URL": own_url}
    assert "nothing yet" in cli("activity", env=env).out
    with ContextStore.open(own_url) as store:
        store.start(project="orders").message("hello")
    (done,) = cli("projections", "run", "--once", "--json", env=env).documents
    assert set(done) == set(MANUALS["projections run"].keys)
    assert (done["name"], done["behind"]) == ("activity", 0)
    assert "up to date" in cli("projections", "run", "--once", env=env).out
    (found,) = cli("activity", "--project", "orders", "--json", env=env).documents
    assert set(found) == set(MANUALS["activity"].keys)
    assert (found["events"], found["messages"]) == (2, 1)
    assert "2 events" in cli("activity", env=env).out
    done = cli("projections", "rebuild-feed", "activity", "--json", env=env).document
    assert done == {"projection": "activity", "position": 2}
    assert cli("activity", "--project", "orders", "--json", env=env).documents == [found]
    assert cli("activity", "--since", "2999-01-01", "--json", env=env).documents == []
    assert cli("activity", "--since", "yesterday", env=env).code == 2


def test_what_was_set_aside_is_listed_and_taken_up(cli: Cli, own_url: str) -> None:
    env = {"BACKSTORY_DATABASE_URL": own_url}
    assert "nothing is set aside" in cli("projections", "set-aside", env=env).out
    with ContextStore.open(own_url) as store:
        session = store.start()
    cli("projections", "run", "--once", env=env)
    with psycopg.connect(own_url, autocommit=True) as connection:
        connection.execute("select backstory.set_aside('activity', 1, 3, 'because')")
    (found,) = cli("projections", "set-aside", "--json", env=env).documents
    assert set(found) == set(MANUALS["projections set-aside"].keys)
    assert (found["session"], found["reason"]) == (str(session.id), "because")
    assert "because" in cli("projections", "set-aside", env=env).out
    done = cli("projections", "retry", "activity", "--json", env=env).document
    assert done == {"projection": "activity", "applied": 1, "left": 0}
    assert cli("projections", "retry", "nobody", "--json", env=env).error["code"] == "unknown-projection"


def test_it_runs_until_it_is_told_to_stop(environment: dict[str, str], own_url: str) -> None:
    env = {**environment, "BACKSTORY_DATABASE_URL": own_url}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with (
        ContextStore.open(own_url) as store,
        running("projections", "run", "--json", env=env, **pipes) as process,
    ):
        store.start().message("hello")
        until(lambda: sum(one.events for one in store.activity()) == 2)
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=60)
    (done,) = [json.loads(line) for line in out.splitlines()]
    assert (process.returncode, done["behind"], done["leader"], errors) == (0, 0, None, b"")
