"""Of two builds that differ in their functions alone, the older one never puts its own over those of the newer one,
however often either is started."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from backstory.application import bootstrap as connecting
from backstory.application.operations import administration
from backstory.application.operations.administration import database_status
from backstory.application.store import ContextStore
from backstory.domain.errors import SchemaMismatch
from backstory.infrastructure.schema import edition, migrate as schema
from backstory.infrastructure.schema.protection import Gaps
from tests.cli.conftest import Cli, cli as cli

NOTED = "select name, checksum from backstory.schema_migrations where number = 0"
FUNCTION = (
    "select prosrc from pg_proc where proname = 'project_at' and pronamespace = 'backstory'::regnamespace"
)

Build = Callable[[int], Any]


def test_the_files_are_of_this_edition() -> None:
    assert schema.objects_digest() == edition.DIGEST, "the SQL has changed: run `make edition`"


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> Build:
    """Acts as another build of this code, whose functions say which edition they are of."""
    files = schema.function_files()

    @contextmanager
    def acting(number: int) -> Iterator[None]:
        texts = [
            text.replace("select p.project", f"select /* edition {number} */ p.project")
            if "function backstory.project_at(" in text
            else text
            for text in files
        ]
        with monkeypatch.context() as patched:
            for module in (schema, administration):
                patched.setattr(module, "EDITION", number)
            patched.setattr(schema, "function_files", lambda: texts)
            yield

    return acting


def there(url: str) -> tuple[str, str]:
    """What the database says of its functions, and one of them."""
    with psycopg.connect(url) as connection:
        (name, _), (text,) = connection.execute(NOTED).fetchone(), connection.execute(FUNCTION).fetchone()  # type: ignore[misc]
    return name, text


def test_an_older_build_leaves_newer_functions_alone(empty_database: str, build: Build) -> None:
    with build(7), ContextStore.open(empty_database) as store:
        session = store.start()
    with build(8):
        assert schema.upgrade(empty_database) == ((), True, Gaps())
    newer = there(empty_database)
    assert newer[0] == "objects, edition 8, for code from migration 1 on"
    assert "edition 8" in newer[1]
    with build(7):
        for migrate in (True, False):
            with ContextStore.open(empty_database, migrate=migrate) as store:
                assert store.session(session.id).message("still works") == 2 + (not migrate)
                assert store.verify_all().ok
        with pytest.raises(SchemaMismatch, match="has edition 8 .* this version of backstory has 7: install"):
            schema.upgrade(empty_database)
        found = database_status(empty_database)
        assert (found.edition, found.newest_edition) == (8, 7)
        assert (found.schema_current, found.schema_serves) == (False, True)
    assert there(empty_database) == newer
    with build(9), ContextStore.open(empty_database):
        assert "edition 9" in there(empty_database)[1]


def test_an_edition_that_says_the_same_is_noted_all_the_same(empty_database: str, build: Build) -> None:
    """A change was taken back: what came in between is older than that, and must not return."""
    files = schema.function_files()
    schema.upgrade(empty_database)
    with build(edition.EDITION + 2), pytest.MonkeyPatch.context() as patched:
        patched.setattr(schema, "function_files", lambda: files)
        assert schema.upgrade(empty_database).replaced_objects
    with build(edition.EDITION + 1), ContextStore.open(empty_database):
        assert "/*" not in there(empty_database)[1]


def test_newer_code_was_quicker(empty_database: str, build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both found an older database; the newer one had the lock first."""
    with build(6):
        schema.upgrade(empty_database)
    upgrade = schema.upgrade

    def overtaken(url: str) -> schema.Upgraded:
        with build(8):
            upgrade(url)
        return upgrade(url)

    with build(7):
        monkeypatch.setattr(connecting.schema, "upgrade", overtaken)
        with ContextStore.open(empty_database) as store:
            assert store.start().version == 1
    assert "edition 8" in there(empty_database)[1]


def test_the_status_says_that_it_is_newer(cli: Cli, empty_database: str, build: Build) -> None:
    with build(edition.EDITION + 1):
        schema.upgrade(empty_database)
    told = cli("--url", empty_database, "db", "status", env={"COLUMNS": "80"}).out
    assert f"edition {edition.EDITION + 1} of {edition.EDITION}: newer, and works" in told
    assert cli("--url", empty_database, "sessions", "list").code == 0
    refused = cli("--url", empty_database, "db", "upgrade", "--json")
    assert refused.error["code"] == "schema-mismatch"
