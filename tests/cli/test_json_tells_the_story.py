"""Programs read the JSON: what commands print of the demo's story. The `cli` fixture holds it to its document."""

from uuid import uuid4

from backstory.interfaces.cli.demo.story import FORK_TITLE, SETTINGS, TITLE, Story
from tests.cli.conftest import Cli


def test_sessions_list(cli: Cli, story: Story) -> None:
    found = cli("sessions", "list", "--tag", "demo", "--json").documents
    mine = {session["session"]: session for session in found}[str(story.session.id)]
    assert (mine["title"], mine["version"], mine["status"], mine["project"]) == (TITLE, 18, "open", "orders")


def test_sessions_show(cli: Cli, story: Story) -> None:
    found = cli("sessions", "show", story.session.id, "--json").document
    assert found["forks"] == [{"session": str(story.forked.id), "at": 14}]
    assert [(one["version"], one["to"], one["abandoned"]) for one in found["backtracks"]] == [(13, 7, 12)]
    assert found["parent"] is None


def test_sessions_show_of_a_fork(cli: Cli, story: Story) -> None:
    found = cli("sessions", "show", story.forked.id, "--json").document
    assert found["parent"] == {"session": str(story.session.id), "at": 14}
    assert found["backtracks"] == []
    assert found["title"] == FORK_TITLE


def test_sessions_start_and_end(cli: Cli) -> None:
    id = uuid4()
    started = cli("sessions", "start", "--id", id, "--title", "x", "--json").document
    assert started == {"session": str(id), "version": 1}
    ended = cli("sessions", "end", id, "--why", "done", "--json").document
    assert ended == {"session": str(id), "version": 2}
    assert cli("sessions", "show", id, "--json").document["status"] == "ended"


def test_log(cli: Cli, story: Story) -> None:
    found = cli("log", story.session.id, "--json").documents
    assert [event["version"] for event in found] == list(range(1, 19))
    assert [event["version"] for event in found if not event["live"]] == [8, 9, 10, 11, 12]
    assert found[12]["follows"] == 7
    assert found[6]["contents"][0]["text"] == SETTINGS


def test_at(cli: Cli, story: Story) -> None:
    found = cli("at", story.session.id, 12, "--json").document
    assert found["digest"] == story.digests[12]
    assert [decision["text"] for decision in found["decisions"]] == ["Sign tokens with HS256 and SECRET_KEY"]
    assert [goal["item"] for goal in found["goals"]] == [3]


def test_diff(cli: Cli, story: Story) -> None:
    found = cli("diff", story.session.id, 12, 18, "--json").document
    assert [decision["item"] for decision in found["decisions_gone"]] == [8]
    assert [decision["item"] for decision in found["decisions_added"]] == [15]
    assert {item["item"] for item in found["items_in"]} == {14, 15, 16}
    assert [goal["item"] for goal in found["goals_gone"]] == [3]


def test_backtrack_and_fork(cli: Cli) -> None:
    id = cli("sessions", "start", "--json").document["session"]
    cli("sessions", "end", id)
    back = cli("backtrack", id, 1, "--why", "too early", "--actor", "ana", "--json").document
    assert back == {"session": id, "version": 3, "to": 1, "abandoned": 2}
    forked = cli("fork", id, "--at", 1, "--title", "again", "--json").document
    assert (forked["parent"], forked["at"], forked["version"]) == (id, 1, 2)
    assert cli("log", id, "--json").documents[2]["actor"] == "ana"


def test_replay(cli: Cli, story: Story) -> None:
    steps = cli("replay", story.session.id, "--json").documents
    assert [step["version"] for step in steps] == list(range(1, 19))
    back = steps[12]
    assert {item["item"] for item in back["changes"]["items_out"]} == {8, 9, 11, 12}
    assert back["facts"] == {"open_calls": [["call_rotate"], []]}
    assert back["tokens"] == steps[6]["tokens"]


def test_verify(cli: Cli, story: Story) -> None:
    (found,) = cli("verify", story.session.id, "--json").documents
    assert found["ok"] is True
    assert found["events"] == 18
    assert "outside the database" in found["cannot_see"]


def test_db_status(cli: Cli) -> None:
    found = cli("db", "status", "--json").document
    assert found["running"] is True
    assert found["embedded"] is False
    assert found["schema_current"] is True
    assert found["append_only"] == {"grants": True, "triggers": True}
    assert found["tables"]["events"] > 0


def test_db_upgrade(cli: Cli) -> None:
    found = cli("db", "upgrade", "--json").document
    restored = {"grants": [], "triggers": []}
    assert found == {"migrations": [], "replaced_objects": False, "restored": restored}
