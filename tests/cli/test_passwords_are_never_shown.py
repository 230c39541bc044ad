"""Whatever goes wrong with an address, its password is not printed."""

from pathlib import Path
from urllib.parse import quote

import pytest

from backstory.application.operations.redaction import without_secrets
from tests.cli.conftest import Cli

SECRET = "hunter/2@x"

ADDRESSES = [
    f"postgresql://me:{quote(SECRET, safe='')}@localhost:1/db",
    f"postgresql://me:{SECRET}@localhost:1/db",
    f"postgresql://me:{SECRET}%zz@localhost/db",
    f"postgresql://me:{SECRET}@localhost:port/db",
    f"host=localhost port=1 user=me password={SECRET}",
    f"host=localhost port=1 user=me password='{SECRET}' nonsense",
    f"{SECRET} is not an address",
]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("words", [["log", "last"], ["db", "status"], ["db", "upgrade", "--json"]])
def test_bad_addresses(address: str, words: list[str], cli: Cli) -> None:
    outcome = cli("--url", address, *words)
    assert outcome.code in (2, 6)
    assert len(outcome.err.strip().splitlines()) == 1
    assert "hunter" not in outcome.out + outcome.err
    from_environment = cli(*words, env={"BACKSTORY_DATABASE_URL": address})
    assert (from_environment.code, from_environment.err) == (outcome.code, outcome.err)


def test_the_installed_program(program: Cli) -> None:
    outcome = program("--url", ADDRESSES[0], "verify", "--all")
    assert outcome.code == 6
    assert outcome.err == "error: cannot connect to Postgres: connection refused.\n"


def test_errors_nobody_foresaw(cli: Cli, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"cannot use {ADDRESSES[0]}")

    monkeypatch.setattr("backstory.application.store.ContextStore.open", fail)
    outcome = cli("--url", ADDRESSES[0], "log", "last")
    assert outcome.code == 1
    assert outcome.err == "error: unexpected RuntimeError: cannot use postgresql://me:***@localhost:1/db\n"


def test_the_debug_log_shows_where_an_unexpected_error_came_from(program: Cli, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import backstory.application.store as store\n"
        "def fail(*_, **__): raise RuntimeError('cannot use postgresql://me:hunter2@localhost:1/db')\n"
        "store.ContextStore.open = fail\n"
    )
    found = program("log", "last", env={"PYTHONPATH": str(tmp_path), "BACKSTORY_LOG_LEVEL": "debug"})
    assert found.code == 1
    assert "Traceback" in found.err
    assert "in fail" in found.err
    assert "hunter" not in found.err


def test_quoted_addresses_lose_their_passwords() -> None:
    assert without_secrets("at postgresql://a:b@c/d") == "at postgresql://a:***@c/d"
    assert without_secrets("with password=abc host=x") == "with password=*** host=x"
    assert without_secrets("s3cret!", "postgresql://a:s3cret%21@b/c") == "***"
