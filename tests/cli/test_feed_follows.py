"""`feed` tells what all sessions do, from any position on; `feed-status` how it stands."""

import psycopg

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli, documents_of


def test_it_ends_at_the_present_and_goes_on_from_a_position(cli: Cli, store: ContextStore) -> None:
    session = store.start(project="feed-cli")
    session.decide("Use RS256")
    found = cli("feed", "--project", "feed-cli", "--json").documents
    assert [(one["session"], one["version"]) for one in found] == [(str(session.id), 1), (str(session.id), 2)]
    assert found[1]["payload"]["text"]["size"] == len("Use RS256")
    later = cli("feed", "--project", "feed-cli", "--after", found[0]["position"], "--json").documents
    assert later == found[1:]
    shown = cli("feed", "--project", "feed-cli", "--type", "decision.recorded")
    assert shown.out.splitlines()[-1].split()[0] == str(found[1]["position"])
    assert "decision.recorded" in shown.out
    assert "session.started" not in shown.out
    assert cli("feed", "--after", -1, "--json").error["code"] == "invalid-input"


def test_new_events_appear_until_it_is_interrupted(store: ContextStore, environment: dict[str, str]) -> None:
    session = store.start(project="feed-cli-follow")
    words = ("feed", "--project", "feed-cli-follow", "--follow")
    with documents_of(*words, env=environment) as next_document:
        first = next_document()
        session.message("hello")
        second = next_document()
    assert [first["version"], second["version"]] == [1, 2]


def test_the_status_names_who_is_in_the_way(cli: Cli, store: ContextStore, url: str) -> None:
    session = store.start()
    found = cli("feed-status", "--json").document
    assert found["stalled_by"] is None
    with psycopg.connect(url) as foreign:
        foreign.execute("select pg_current_xact_id()")
        session.message("hello")
        held = cli("feed-status", "--json").document
        assert held["stalled_by"] == foreign.info.backend_pid
        assert held["newest"] > found["newest"]
        assert f"process {foreign.info.backend_pid}" in cli("feed-status").out
