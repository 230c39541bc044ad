"""`backstory keys`."""

from pathlib import Path

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


def test_one_is_made_shown_once_rotated_and_revoked(cli: Cli, store: ContextStore) -> None:
    made = cli("keys", "create", "bot", "--action", "read", "--project", "orders", "--days", 3, "--json")
    key = made.document["key"]
    assert store.keys.caller(key).projects == {"orders"}
    listed = cli("keys", "list", "--json").documents
    assert [(one["name"], one["valid"]) for one in listed if one["name"] == "bot"] == [("bot", True)]
    assert key not in cli("keys", "list").out
    rotated = cli("keys", "rotate", "bot").out.splitlines()[0]
    assert store.keys.caller(rotated).name == "bot"
    assert cli("keys", "revoke", "bot").out == "revoked bot\n"
    assert cli("keys", "revoke", "nobody").code == 3
    assert cli("keys", "create", "bot").code == 4
    assert not any(one.valid for one in store.keys.list())


def test_the_caller_goes_with_an_export(cli: Cli, store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    made = store.keys.create("importer", "append")
    store.on_behalf_of(store.keys.caller(made.secret)).session(session.id).message("by a key")
    store.keys.revoke("importer")
    file = tmp_path / "export.jsonl"
    assert cli("export", session.id, "--output", file).code == 0
    assert cli("audit", file).code == 0
    (event,) = cli("log", session.id, "--type", "message.added", "--json").documents
    assert event["caller"] == "importer"
    store.purge(session.id, without_export=True)
    store.import_file(file)
    assert [event.caller for event in store.session(session.id).events()] == [None, "importer"]
    assert store.session(session.id).verify().ok
