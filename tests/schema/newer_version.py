"""A version of the schema after this one, made up for the tests: a table, a column, an index, a backfill, and an append
function that writes to the table."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from backstory.application.operations import administration
from backstory.infrastructure.schema import edition, migrate as schema

NEXT = schema.Migration(
    2,
    "0002_versions",
    """
    create table backstory.versions (stream_id uuid, version integer, primary key (stream_id, version));
    alter table backstory.items add column doubled integer;
    """,
    "create index concurrently versions_twice on backstory.versions (version);",
    """
    insert into backstory.versions
    select stream_id, version from backstory.events where stream_id = %(stream)s on conflict do nothing
    """,
)
MISSING = """
select count(*) from backstory.events e
where not exists (select 1 from backstory.versions v where (v.stream_id, v.version) = (e.stream_id, e.version))
"""
"""How many events the table lacks."""

Newer = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Newer:
    """Acts as a newer version of this code."""
    known, functions = schema.migrations(), schema.function_files()
    written = "    update backstory.streams s\n    set version = v,"
    noted = "    insert into backstory.versions select p_stream, generate_series(first_version, v);\n"
    texts = [
        text.replace(written, noted + written) if "function backstory.append(" in text else text
        for text in functions
    ]
    assert texts != functions

    @contextmanager
    def acting() -> Iterator[None]:
        with monkeypatch.context() as patched:
            for module in (schema, administration):
                patched.setattr(module, "EDITION", edition.EDITION + 1)
            patched.setattr(schema, "migrations", lambda: [*known, NEXT])
            patched.setattr(schema, "function_files", lambda: texts)
            yield

    return acting
